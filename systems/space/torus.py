"""The geometry of a torus: wraps places, and computes shortest offsets (minimum image).

A torus is given by its size along each axis, u; sizes of 0: the world is not a torus.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.store.world import World
from systems.engine.kernel import inlined
from systems.engine.settings import Settings
from systems.exact.on_each_axis import on_each_axis
from systems.exact.vector import HALF, ZERO, sub

f32 = np.float32


def torus_of(world: World) -> tuple[np.float32, ...]:
    """Return the size of a torus, float32, u, as `toward` takes it; 0 along each axis if the world is not a torus."""
    return _float32(world.resource(Settings).torus or (0.0,) * len(world.table.axes))


@lru_cache(maxsize=64)
def _float32(size: tuple[float, ...]) -> tuple[np.float32, ...]:
    return tuple(map(f32, size))


@on_each_axis
def wrapped(place, torus):
    """Wrap a place, float32, into a torus: each coordinate into [0, size)."""
    if ZERO <= place < torus:
        return place
    moved = f32(place - np.floor(place / torus) * torus)
    return moved if ZERO <= moved < torus else ZERO


@on_each_axis
def in_world(place, torus):
    """Wrap a place, float64, into a torus; without a torus, return it unchanged."""
    if torus > 0.0 and not 0.0 <= place < torus:
        place -= np.floor(place / torus) * torus
    return place


def places_in_world(world: World, rows: NDArray[np.int32]) -> tuple[NDArray[np.float64], ...]:
    """Return where entities are, within the torus if the world is one: for each axis (n,), u."""
    torus = world.resource(Settings).torus
    places = tuple(column[rows].astype(np.float64) for column in world.table.vectors("Position"))
    return tuple(place % size for place, size in zip(places, torus, strict=True)) if torus else places


@inlined
def image_shift(along, size):
    """Return what to add to an offset along one axis to get its minimum image: -size, 0 or size, in its type.

    All kernels compute minimum images by this function. An offset of exactly half the size is left as it is, so that
    two entities at that distance see each other in opposite directions.

    Args:
        along: the offset along the axis, u, at most 1.5 times the size: both ends lie in the world, or nearly.
        size: u, of the torus along this axis; 0: the world is not a torus.
    """
    half = HALF * size
    if along > half:
        return -size
    return size if along < -half else ZERO * size


@on_each_axis
def minimum_image(offset, torus):
    """Return the shortest offset on a torus, along each axis in [-size / 2, size / 2]; see `image_shift`."""
    return offset + image_shift(offset, torus)


@on_each_axis
def nearest_copy(there, here, torus):
    """Return the copy of the place `there` on a torus that is nearest to `here`; see `image_shift`."""
    return there + image_shift(there - here, torus)


@inlined
def toward(here, there, torus):
    """Return the shortest offset from one place, float32, to another on a torus; sizes of 0: not a torus.

    Both places must lie in the world. The offset is that to the nearest copy of `there`, which is rounded to float32
    like all positions: the same offset as in flocking.
    """
    return sub(nearest_copy(there, here, torus), here)


def minimum_images(offsets: NDArray[Any], torus: tuple[float, ...] | None) -> NDArray[Any]:
    """Return the `minimum_image` of offsets of any length on a torus; without a torus, return them unchanged.

    Args:
        offsets: (n, axes) or (axes,), u, of any float type, which the result has too; in a world with depth also those
            in its picture plane, (n, 2) or (2,).
    """
    if torus is None:
        return offsets
    size = np.array(torus[: offsets.shape[-1]], offsets.dtype)
    found: NDArray[Any] = offsets - size * np.rint(offsets / size)
    return found
