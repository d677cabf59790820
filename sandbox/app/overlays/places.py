"""Where things are drawn: in between two ticks."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.look import Look
from components.motion import Position, Velocity
from components.store.world import World
from components.terrain import Obstacle
from components.wind import Wind
from sandbox.app.drawing.canvas import Canvas
from systems.core.settings import Settings

f32 = np.float32
FEW = 4  # serials
LEAST = 4.0  # u: no ring is smaller
REACHES = ((Look, "size"), (Obstacle, "radius"), (Wind, "radius"))
Rows = NDArray[np.integer[Any]]
Places = NDArray[Any]


def places(world: World, rows: Rows, alpha: float) -> Places:
    """Where those in these rows, all of which have a Position, are drawn: float32 (n, 2), u."""
    position = world.table.records(Position)[rows]
    here: Places = np.stack([position["x"], position["y"]], axis=1)
    if alpha >= 1:
        return here
    before: Places = np.stack([position["previous_x"], position["previous_y"]], axis=1)
    torus = world.resource(Settings).torus
    if torus is None:
        return before + (here - before) * f32(alpha)
    size = np.array(torus, f32)
    off = here - before
    off -= size * np.rint(off / size)
    return np.mod(before + off * f32(alpha), size).astype(f32)


def on_screen(canvas: Canvas, world: World, rows: Rows, reach: float = 0.0) -> Rows:
    """Those of these rows, all of which have a Position, who may be seen, or reach so far (u) that they may."""
    columns = world.table.columns
    here = np.stack([columns["Position.x"][rows], columns["Position.y"][rows]], axis=1)
    seen: Rows = rows[canvas.on_screen(here, reach)]
    return seen


def headings(world: World, rows: Rows) -> Places:
    """The directions of those in these rows, all of which have a Velocity: float32 (n, 2); (0, 0) at rest."""
    velocity = world.table.records(Velocity)[rows]
    along = np.stack([velocity["x"], velocity["y"]], axis=1)
    speed = np.hypot(along[:, 0], along[:, 1])[:, None]
    return along / np.where(speed > 0, speed, 1)


def radii(world: World, rows: Rows) -> NDArray[np.float32]:
    """How far each of these things reaches from its place, float32 (n,), u."""
    found = np.full(len(rows), LEAST, np.float32)
    for component, field in REACHES:
        own = has(world, rows, component)
        found[own] = np.maximum(found[own], world.table.records(component)[rows[own]][field])
    return found


def has(world: World, rows: Rows, *components: Any) -> NDArray[np.bool_]:
    """Which of these rows have all these components."""
    bits = np.uint64(world.table.mask(components))
    having: NDArray[np.bool_] = world.table.presence[rows] & bits == bits
    return having


def rows_of(world: World, serials: tuple[int, ...]) -> NDArray[np.int64]:
    """The rows of those of these serials who live."""
    table = world.table
    if len(serials) <= FEW:  # every frame asks: the usual one or two need no sorting
        found = [np.flatnonzero(table.serial[: table.size] == serial) for serial in serials]
        return np.concatenate([np.zeros(0, np.int64), *found])
    rows = table.rows_of(np.array(serials, np.int64))
    return rows[rows >= 0]


def some(world: World, rows: Rows, most: int) -> Rows:
    """At most about `most` of these rows: always the same entities, while as many are asked about."""
    if len(rows) <= most:
        return rows
    step = -(-len(rows) // most)
    chosen: Rows = rows[world.table.serial[rows] % step == 0]
    return chosen
