"""Keeps places within the edges of the world: they wrap on a torus, and are clamped unless the edges are open."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from components.motion import Position
from components.store.world import World
from systems.engine.settings import Settings
from systems.space.bounds import FARTHEST

f32 = np.float32
PLACE = ("Position.x", "Position.y", "Position.previous.x", "Position.previous.y")
ENDS = ("Wall.ax", "Wall.ay", "Wall.bx", "Wall.by")
_PLACE_AND_ENDS = (PLACE[:2], PLACE[2:], ENDS[:2], ENDS[2:])
Coordinates = NDArray[np.float32]
Columns = dict[str, Coordinates]


def bring_inside(world: World) -> None:
    """Move entities whose Position is outside the world into it; all others stay the same to the last bit."""
    settings, table = world.resource(Settings), world.table
    rows = table.rows(Position)
    columns = [table.columns[key][rows] for key in PLACE]
    x, y, before_x, before_y = (inside(settings, n % 2, column) for n, column in enumerate(columns))
    moved = (x != columns[0]) | (y != columns[1])
    for key, now in zip(PLACE, (x, y, np.where(moved, x, before_x), np.where(moved, y, before_y)), strict=True):
        table.write(key, rows, now)


def inside(settings: Settings, axis: int, coordinates: Coordinates) -> Coordinates:
    """Wrap or clamp coordinates along x (axis 0) or y into the world, float32 (n,)."""
    size = f32((settings.width, settings.height)[axis])
    if settings.edges == "wrap":
        moved = coordinates - np.floor(coordinates / size) * size
        within = np.where((moved >= 0) & (moved < size), moved, f32(0))
        return np.where((coordinates >= 0) & (coordinates < size), coordinates, within)
    if settings.edges == "open":
        return coordinates
    return np.where(coordinates < 0, f32(0), np.where(coordinates > size, size, coordinates))


def move(settings: Settings, columns: Columns, dx: float, dy: float) -> None:
    """Move entities, walls by ENDS, all others by PLACE: they wrap on a torus, else stop together at the edge."""
    for axis, by in enumerate((dx, dy)):
        place, before, begin, end = (_PLACE_AND_ENDS[n][axis] for n in range(4))
        by = _limited(settings, axis, np.concatenate([columns[key] for key in (place, begin, end)]), by)
        if by:
            columns[place] = inside(settings, axis, (columns[place] + np.float64(by)).astype(f32))
            columns[before] = columns[place].copy()
            a, b = (columns[key] + np.float64(by) for key in (begin, end))
            shift = _image_shifts(settings, axis, (a + b) / 2)
            columns[begin], columns[end] = (a + shift).astype(f32), (b + shift).astype(f32)


def _limited(settings: Settings, axis: int, coordinates: Coordinates, by: float) -> float:
    """Limit a movement along an axis, u, so that all these coordinates stay in the world."""
    if settings.edges == "wrap" or not len(coordinates):
        return by
    low, high = (-FARTHEST, FARTHEST) if settings.edges == "open" else (0.0, (settings.width, settings.height)[axis])
    least, most = min(low - float(coordinates.min()), 0.0), max(high - float(coordinates.max()), 0.0)
    return min(max(by, least), most)


def _image_shifts(settings: Settings, axis: int, middles: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what to add to walls to get the images whose middles lie in the torus, u; 0 in other worlds."""
    if settings.edges != "wrap":
        return np.zeros(len(middles))
    size = (settings.width, settings.height)[axis]
    return -np.floor(middles / size) * size
