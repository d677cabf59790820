"""Where things are drawn: in between two ticks."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.motion import Position, Velocity
from components.store.world import World
from systems.core.settings import Settings

f32 = np.float32
FEW = 4  # serials
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


def headings(world: World, rows: Rows) -> Places:
    """The directions of those in these rows, all of which have a Velocity: float32 (n, 2); (0, 0) at rest."""
    velocity = world.table.records(Velocity)[rows]
    along = np.stack([velocity["x"], velocity["y"]], axis=1)
    speed = np.hypot(along[:, 0], along[:, 1])[:, None]
    return along / np.where(speed > 0, speed, 1)


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
