"""What is not an animal in a world with depth, as solids: obstacles, walls, food, goals and wind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.guidance import Goal
from components.life import Food
from components.motion import Position
from components.store.world import World
from components.terrain import Obstacle, Wall
from components.wind import SOURCE, VORTEX, Wind, X
from sandbox.render.things import (
    AIR,
    COLOURS,
    CORAL,
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
from systems.exact.random import random_units
from systems.space.torus import minimum_images

f32, u32 = np.float32, np.uint32
BALL, PILLAR, SLAB, LEAVES, AURA, PETALS, CROWN, BREEZE, WHIRL, SPRING = range(10)  # kinds of solid
BLOWS = np.array([BREEZE, WHIRL, SPRING, BREEZE], u32)  # by Wind.kind
AXES = np.eye(3)[::-1]  # unit vectors, by Wind.axis
NUMBERS = "radius", "deep", "variety"
SOLID = np.dtype(
    [("begin", f32, 3), ("end", f32, 3), *((name, f32) for name in NUMBERS), ("flow", f32, 3), ("kind_colour", u32)]
)
"""One solid: of a round one its previous and present position, u; of a wall its two ends, u; its radius, or half the
thickness, u; how far a pillar or a wall goes through the depth, u, or how turbulent wind is; a number from 0 to 1 that
varies its appearance; of wind that blows one way its velocity, u/s, of a vortex its axis times its speed, of a source
its speed and two zeros; and 0xKKRRGGBB."""

Solids = NDArray[np.void]


def solids_of(world: World) -> Solids:
    """Return all solids of a world with depth, dtype SOLID; translucent ones, of kind AURA, come last."""
    return np.concatenate([*_layers(world)])


def _layers(world: World) -> Iterator[Solids]:
    table = world.table
    rows = rows_of(table, Position, Obstacle)
    shape = looked(table, rows, "shape", 0)
    pillar = table.columns["Obstacle.pillar"][rows]
    kinds = np.where(pillar, PILLAR, np.where(shape == CORAL, PETALS, np.where(shape == TREE, CROWN, BALL)))
    obstacles = _round(world, rows, kinds, ROCK, table.columns["Obstacle.radius"][rows])
    obstacles["deep"] = np.where(pillar, world.resource(Settings).depth, 0)
    yield obstacles
    yield _walls(world, rows_of(table, Wall))
    rows = rows_of(table, Position, Food)
    share = table.columns["Food.amount"][rows] / np.maximum(table.columns["Food.capacity"][rows], 1)
    size = looked(table, rows, "size", table.columns["Food.radius"])
    yield _round(world, rows, LEAVES, PLANT, size * np.sqrt(np.clip(share, 0, 1)))
    rows = rows_of(table, Position, Goal)
    yield _round(world, rows, AURA, RING, looked(table, rows, "size", RING_SIZE))
    rows = rows_of(table, Position, Wind)
    yield _wind(world, rows)
    yield _round(world, rows, AURA, AIR, table.columns["Wind.radius"][rows])


def _wind(world: World, rows: Rows) -> Solids:
    own = {name: world.table.columns[f"Wind.{name}"][rows] for name in Wind.fields}  # type: ignore[attr-defined]
    kind, turn, tilt = own["kind"], np.deg2rad(own["direction"]), np.deg2rad(own["tilt"])
    solids = _round(world, rows, BLOWS[kind], AIR, own["radius"])
    ahead = np.stack([np.cos(turn) * np.cos(tilt), np.sin(turn) * np.cos(tilt), np.sin(tilt)], axis=1)
    ways = np.select([(kind == VORTEX)[:, None], (kind == SOURCE)[:, None]], [AXES[own["axis"]], AXES[X]], ahead)
    solids["flow"], solids["deep"] = ways * own["strength"][:, None], own["turbulence"]
    return solids


def _round(world: World, rows: Rows, kind: Any, coloured: int, radius: Any) -> Solids:
    """Return round solids at the positions of these rows."""
    solids, table = _solids(world, rows, kind, coloured), world.table
    solids["radius"] = radius
    here, before = table.stacked("Position", rows), table.stacked("Position.previous", rows)
    moved = here - before
    solids["begin"], solids["end"] = before + (moved - minimum_images(moved, world.resource(Settings).torus)), here
    return solids


def _walls(world: World, rows: Rows) -> Solids:
    solids, columns = _solids(world, rows, SLAB, FACE), world.table.columns
    for name, side in (("begin", "a"), ("end", "b")):
        for n, axis in enumerate("xy"):
            solids[name][:, n] = columns[f"Wall.{side}{axis}"][rows]
    solids["radius"], solids["deep"] = columns["Wall.thickness"][rows] / 2, world.resource(Settings).depth
    return solids


def _solids(world: World, rows: Rows, kind: Any, coloured: int) -> Solids:
    """Return solids of a kind, or of one for each row, in the colours of their Looks, or of this kind of scenery."""
    solids = np.zeros(len(rows), SOLID)
    solids["variety"] = random_units(world.seed, world.table.serial[rows], STREAM)
    solids["kind_colour"] = looked(world.table, rows, "colour", COLOURS[coloured]) + (np.asarray(kind, u32) << u32(24))
    return solids
