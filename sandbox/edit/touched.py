"""Finds the entities that a circle touches."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.motion import Position
from components.store.table import EntityTable
from components.store.world import World
from components.terrain import Wall
from systems.engine.settings import Settings
from systems.space.torus import minimum_images

Rows = NDArray[np.int32]
Values = NDArray[np.float64]


def touched(world: World, place: tuple[float, ...], radius: float) -> Rows:
    """Return the rows of entities whose position, or part of whose wall, is within a radius (u) of a place.

    Of two numbers, in a world with depth, the place goes through all of it.
    """
    torus = world.resource(Settings).torus
    placed, walls = world.table.rows(Position), world.table.rows(Wall)
    offsets = world.table.stacked("Position", placed)[:, : len(place)].astype(np.float64) - place
    near = np.sum(minimum_images(offsets, torus) ** 2, axis=1) <= radius * radius
    along = square_to_walls(world.table, walls, place[0], place[1], torus) <= radius * radius
    return np.union1d(placed[near], walls[along])


def square_to_walls(
    table: EntityTable, rows: NDArray[np.integer[Any]], x: float, y: float, torus: tuple[float, ...] | None
) -> Values:
    """Return the squared distances from a place to the middle lines of walls.

    On a torus, the image nearest to a wall's middle and the eight around it are tried: enough for walls
    twice as long as the torus is wide.
    """
    ax, ay, bx, by = (_column(table, rows, f"Wall.{end}") for end in ("ax", "ay", "bx", "by"))
    if not torus:
        return _square_to_line(ax - x, ay - y, bx - x, by - y)
    width, height = torus[:2]
    middles = np.stack([(ax + bx) / 2 - x, (ay + by) / 2 - y], axis=1)
    shift_x, shift_y = (minimum_images(middles, torus) - middles).T
    ax, bx, ay, by = ax - x + shift_x, bx - x + shift_x, ay - y + shift_y, by - y + shift_y
    nearest = np.full(len(rows), np.inf)
    for right, up in product((-width, 0.0, width), (-height, 0.0, height)):
        nearest = np.minimum(nearest, _square_to_line(ax + right, ay + up, bx + right, by + up))
    return nearest


def _square_to_line(ax: Values, ay: Values, bx: Values, by: Values) -> Values:
    """Return the squared distances from the origin to the segments from a to b."""
    dx, dy = bx - ax, by - ay
    share = np.clip(-(ax * dx + ay * dy) / np.maximum(dx * dx + dy * dy, 1e-12), 0, 1)
    px, py = ax + share * dx, ay + share * dy
    squares: Values = px * px + py * py
    return squares


def _column(table: EntityTable, rows: NDArray[np.integer[Any]], key: str) -> Values:
    values: Values = table.columns[key][rows].astype(np.float64)
    return values
