"""The system Scenery: collects wind, food, goals, obstacles and walls in one array for the graphics card."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from components.guidance import Goal
from components.life import Food
from components.look import Look
from components.motion import Position
from components.store.fields import FLAT
from components.store.table import EntityTable
from components.store.world import World
from components.terrain import Obstacle, Wall
from components.wind import GUST, UNIFORM, Wind
from sandbox.render.animals import AROUND, THINGS
from sandbox.render.solids import solids_of
from sandbox.render.things import (
    AIR,
    COLOURS,
    CORAL,
    EDGE,
    FACE,
    PLANT,
    RING,
    RING_SIZE,
    ROCK,
    STREAM,
    TREE,
    Rows,
    looked,
    rows_of,
)
from systems.engine.settings import Settings
from systems.engine.system import Phase, System
from systems.exact.random import random_units
from systems.space.torus import minimum_images

f32, u32 = np.float32, np.uint32
FORM = np.dtype(
    [
        ("begin", f32, 2),
        ("end", f32, 2),
        ("radius", f32),
        ("own", f32, 4),
        ("variety", f32),
        ("kind_colour", u32),
    ]
)
"""One form to draw: the ends of a wall, or the previous and present position of a round form (u); its radius, for walls
half the thickness (u); values that depend on the kind; a number from 0 to 1 that varies its appearance; and 0xKKRRGGBB.

The values of `own` are, for wind: its flow (u/s; a vortex or source has only the first number), softness, turbulence;
for food: its width relative to that of full food; for an obstacle: 1 for a coral, 2 for a tree.
"""

MOST_COPIES = 5  # along each axis

Forms = NDArray[np.void]


@dataclass
class Landscape:
    """The scenery, dtype FORM, from bottom to top: by layer, then by serial."""

    forms: Forms = field(default_factory=lambda: np.zeros(0, FORM))


class Scenery(System):
    """Collects everything that is not an animal."""

    phase = Phase.RENDER
    essential = True
    reads = (Position, Look, *AROUND, *THINGS, Settings)
    writes = (Landscape,)

    def run(self, world: World) -> None:
        torus = world.resource(Settings).torus
        if world.table.axes != FLAT:
            world.resources[Landscape] = Landscape(solids_of(world))
            return
        layers = [forms for forms in _layers(world) if len(forms)]
        forms = np.concatenate(layers) if layers else np.zeros(0, FORM)
        world.resources[Landscape] = Landscape(with_copies(forms, torus) if torus and layers else forms)


def with_copies(forms: Forms, torus: tuple[float, ...]) -> Forms:
    """Repeat forms on a torus: those that reach over an edge appear on the other side too."""
    ends = np.stack([forms["begin"], forms["end"]]).astype(np.float64)
    radius = forms["radius"].astype(np.float64)[:, None]
    which, shift = copies(ends.min(0) - radius, ends.max(0) + radius, torus)
    made = forms[which]
    made["begin"] += shift
    made["end"] += shift
    return made


def copies(low: Any, high: Any, torus: tuple[float, ...]) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
    """Return the visible copies of boxes on a torus: one that reaches over an edge is on the other side too.

    Args:
        low, high: the corners of the boxes, (n, 2) each, u.
    Returns:
        The index of the box of each copy, (m,), and its shift, float32 (m, 2), u.
    """
    size = np.array(torus)
    first = np.ceil(-np.asarray(high, float) / size)
    most = np.floor((size - low) / size) - first + 1
    columns, lines = np.clip(most, 0, MOST_COPIES).astype(int).T
    times = columns * lines
    which = np.arange(len(times)).repeat(times)
    number = np.arange(len(which)) - (np.cumsum(times) - times).repeat(times)
    across = columns.repeat(times)
    shift = (first.repeat(times, axis=0) + np.stack([number % across, number // across], axis=1)) * size
    return which, shift.astype(np.float32)


def _layers(world: World) -> Iterator[Forms]:
    table = world.table
    rows = rows_of(table, Position, Wind)
    yield _air(table, rows, _round(world, rows, AIR, table.columns["Wind.radius"][rows]))
    rows = rows_of(table, Position, Food)
    yield _plants(table, rows, _round(world, rows, PLANT, looked(table, rows, "size", table.columns["Food.radius"])))
    rows = rows_of(table, Position, Goal)
    yield _round(world, rows, RING, looked(table, rows, "size", RING_SIZE))
    rows = rows_of(table, Position, Obstacle)
    yield _rocks(table, rows, _round(world, rows, ROCK, table.columns["Obstacle.radius"][rows]))
    rows = rows_of(table, Wall)
    for kind in (EDGE, FACE):  # all faces are above all edges, so that joints of walls show no edges
        yield _walls(world, rows, kind)


def _air(table: EntityTable, rows: Rows, forms: Forms) -> Forms:
    kind, strength = table.columns["Wind.kind"][rows], table.columns["Wind.strength"][rows]
    turn = np.deg2rad(table.columns["Wind.direction"][rows])
    straight = (kind == UNIFORM) | (kind == GUST)
    forms["own"][:, 0] = strength * np.where(straight, np.cos(turn), 1)
    forms["own"][:, 1] = strength * np.where(straight, np.sin(turn), 0)
    forms["own"][:, 2] = table.columns["Wind.softness"][rows]
    forms["own"][:, 3] = table.columns["Wind.turbulence"][rows]
    forms["kind_colour"] += kind.astype(u32) << u32(24)
    return forms


def _plants(table: EntityTable, rows: Rows, forms: Forms) -> Forms:
    share = table.columns["Food.amount"][rows] / np.maximum(table.columns["Food.capacity"][rows], 1)
    forms["own"][:, 0] = np.sqrt(np.clip(share, 0, 1))
    return forms


def _rocks(table: EntityTable, rows: Rows, forms: Forms) -> Forms:
    """Return rocks, or corals and trees if their Look says so; the crown of a tree has the size of its Look."""
    shape = looked(table, rows, "shape", 0)
    forms["own"][:, 0] = (shape == CORAL) + 2 * (shape == TREE)
    crown = np.where(shape == TREE, table.columns["Look.size"][rows], 0)
    forms["radius"] = np.maximum(forms["radius"], crown)
    return forms


def _round(world: World, rows: Rows, kind: int, radius: ArrayLike) -> Forms:
    """Return round forms at the positions of these rows."""
    forms, table = _forms(world, rows, kind), world.table
    forms["radius"] = radius
    here, before = table.stacked("Position", rows), table.stacked("Position.previous", rows)
    moved = here - before
    forms["begin"], forms["end"] = before + (moved - minimum_images(moved, world.resource(Settings).torus)), here
    return forms


def _walls(world: World, rows: Rows, kind: int) -> Forms:
    forms, columns = _forms(world, rows, kind), world.table.columns
    for name, keys in (("begin", "ax ay"), ("end", "bx by")):
        for n, key in enumerate(keys.split()):
            forms[name][:, n] = columns[f"Wall.{key}"][rows]
    forms["radius"] = columns["Wall.thickness"][rows] / 2
    return forms


def _forms(world: World, rows: Rows, kind: int) -> Forms:
    forms = np.zeros(len(rows), FORM)
    forms["variety"] = random_units(world.seed, world.table.serial[rows], STREAM)
    forms["kind_colour"] = looked(world.table, rows, "colour", COLOURS[kind]) + u32(kind << 24)
    return forms
