"""Keeps places within the edges of the world: they wrap on a torus, and are clamped unless the edges are open."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from components.motion import Position
from components.store.world import World
from systems.engine.settings import Settings
from systems.space.bounds import FARTHEST

f32 = np.float32
ENDS = ("Wall.ax", "Wall.ay", "Wall.bx", "Wall.by")
_ENDS = ENDS[:2], ENDS[2:]
Coordinates = NDArray[np.float32]
Columns = dict[str, Coordinates]


@cache
def place_columns(axes: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the columns of the place in worlds with these axes, and those of the previous place."""
    here, before = ([f"{vector}.{axis}" for axis in axes] for vector in ("Position", "Position.previous"))
    return tuple(here), tuple(before)


def bring_inside(world: World) -> None:
    """Move entities whose Position is outside the world into it; all others stay the same to the last bit."""
    settings, table = world.resource(Settings), world.table
    rows, keys = table.rows(Position), place_columns(table.axes)
    here, before = ([table.columns[key][rows] for key in own] for own in keys)
    inward, before_inward = ([inside(settings, n, column) for n, column in enumerate(own)] for own in (here, before))
    moved = np.logical_or.reduce([now != was for now, was in zip(inward, here, strict=True)])
    for place, previous, now, then in zip(*keys, inward, before_inward, strict=True):
        table.write(place, rows, now)
        table.write(previous, rows, np.where(moved, now, then))


def inside(settings: Settings, axis: int, coordinates: Coordinates) -> Coordinates:
    """Wrap or clamp coordinates along an axis, 0 for x, into the world, float32 (n,)."""
    size = f32(settings.size[axis])
    if settings.edges == "wrap":
        moved = coordinates - np.floor(coordinates / size) * size
        within = np.where((moved >= 0) & (moved < size), moved, f32(0))
        return np.where((coordinates >= 0) & (coordinates < size), coordinates, within)
    if settings.edges == "open":
        return coordinates
    return np.where(coordinates < 0, f32(0), np.where(coordinates > size, size, coordinates))


def move(settings: Settings, columns: Columns, by: Sequence[float]) -> None:
    """Move places, and walls by ENDS, along each axis: they wrap on a torus, else stop together at the edge."""
    for axis, (place, before, along) in enumerate(zip(*place_columns(settings.axes), by, strict=False)):
        ends = [key[axis] for key in _ENDS if axis < 2]
        along = _limited(settings, axis, np.concatenate([columns[key] for key in (place, *ends)]), along)
        if along:
            columns[place] = inside(settings, axis, (columns[place] + np.float64(along)).astype(f32))
            columns[before] = columns[place].copy()
            moved = [columns[key] + np.float64(along) for key in ends]
            for key, end in zip(ends, moved, strict=True):
                columns[key] = (end + _image_shifts(settings, axis, (moved[0] + moved[1]) / 2)).astype(f32)


def _limited(settings: Settings, axis: int, coordinates: Coordinates, by: float) -> float:
    """Limit a movement along an axis, u, so that all these coordinates stay in the world."""
    if settings.edges == "wrap" or not len(coordinates):
        return by
    low, high = (-FARTHEST, FARTHEST) if settings.edges == "open" else (0.0, settings.size[axis])
    least, most = min(low - float(coordinates.min()), 0.0), max(high - float(coordinates.max()), 0.0)
    return min(max(by, least), most)


def _image_shifts(settings: Settings, axis: int, middles: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what to add to walls to get the images whose middles lie in the torus, u; 0 in other worlds."""
    if settings.edges != "wrap":
        return np.zeros(len(middles))
    size = settings.size[axis]
    return -np.floor(middles / size) * size
