"""Positions at which entities are drawn, interpolated between two ticks, and their radii."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from components.life import Food
from components.look import Look
from components.motion import Velocity
from components.store.world import World
from components.terrain import Obstacle, Wall
from components.wind import Wind
from systems.engine.settings import Settings
from systems.space.torus import minimum_images

if TYPE_CHECKING:
    from sandbox.app.drawing.canvas import Canvas

f32 = np.float32
LEAST = 4.0  # u: the smallest radius of a ring around an entity
BODIES = ((Look, "size"), (Obstacle, "radius"), (Food, "radius"))
RADII = (*BODIES, (Wind, "radius"))
Rows = NDArray[np.integer[Any]]
Places = NDArray[Any]


def places(world: World, rows: Rows, alpha: float) -> Places:
    """Return the interpolated places of rows that have a Position: float32 (n, axes), u."""
    here: Places = world.table.stacked("Position", rows)
    if alpha >= 1:
        return here
    torus = world.resource(Settings).torus
    before = world.table.stacked("Position.previous", rows)
    between = before + minimum_images(here - before, torus) * f32(alpha)
    return between if torus is None else np.mod(between, np.array(torus, f32))


def places_before(world: World, rows: Rows) -> Places:
    """Return the places one tick ago, float32 (n, axes), u; on a torus, the images nearest to the present places."""
    here, before = (world.table.stacked(key, rows) for key in ("Position", "Position.previous"))
    nearest: Places = here - minimum_images(here - before, world.resource(Settings).torus)
    return nearest


def ends(world: World, rows: Rows) -> tuple[Places, Places]:
    """Return the two ends of walls, float64 (n, 2), u; on a torus, of the image whose middle lies in the world."""
    walls = world.table.records(Wall)[rows]
    begin, end = (np.stack([walls[f"{side}{axis}"] for axis in "xy"], axis=1).astype(np.float64) for side in "ab")
    if torus := world.resource(Settings).torus:
        torus = torus[:2]
        back = np.array(torus) * np.floor((begin + end) / 2 / torus)
        begin, end = begin - back, end - back
    return begin, end


def on_screen(canvas: Canvas, world: World, rows: Rows, margin: float = 0.0) -> Rows:
    """Return those of the rows, which must have a Position, that are within `margin` (u) of the visible area."""
    seen: Rows = rows[canvas.on_screen(world.table.stacked("Position", rows), margin)]
    return seen


def speeds(world: World, rows: Rows) -> NDArray[np.float32]:
    """Return the speed of each row, u/s; 0 for entities without a Velocity."""
    return np.where(world.table.has(rows, Velocity), lengths(world.table.stacked("Velocity", rows)), f32(0))


def headings(world: World, rows: Rows) -> Places:
    """Return the unit headings of rows that have a Velocity: float32 (n, axes); zeros at rest."""
    along = world.table.stacked("Velocity", rows)
    speed = lengths(along)[:, None]
    return along / np.where(speed > 0, speed, 1)


def lengths(vectors: Places) -> NDArray[Any]:
    """Return the lengths of vectors, (n, axes): (n,)."""
    level = np.hypot(vectors[:, 0], vectors[:, 1])
    return level if vectors.shape[1] == 2 else np.hypot(level, vectors[:, 2])


def radii(world: World, rows: Rows, least: float = 0.0) -> NDArray[np.float32]:
    """Return the radius of each row's entity, at least `least`: float32 (n,), u."""
    found = np.full(len(rows), least, f32)
    for component, field in RADII:
        own = world.table.has(rows, component)
        found[own] = np.maximum(found[own], world.table.records(component)[rows[own]][field])
    return found


def largest(world: World) -> float:
    """Return the largest radius of any entity, u."""
    table = world.table
    return max(
        float(table.columns[f"{component.__name__}.{field}"][table.rows(component)].max(initial=0))
        for component, field in RADII
    )


def some(world: World, rows: Rows, most: int) -> Rows:
    """Return about `most` of the rows at most: always the same entities as long as the number of rows is similar."""
    if len(rows) <= most:
        return rows
    step = -(-len(rows) // most)
    chosen: Rows = rows[world.table.serial[rows] % step == 0]
    return chosen
