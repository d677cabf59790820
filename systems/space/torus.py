"""The geometry of a torus: wraps coordinates, and computes shortest offsets (minimum image)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.store.world import World
from systems.engine.kernel import inlined
from systems.engine.settings import Settings
from systems.exact.vector import HALF, ZERO

f32 = np.float32


def torus_of(world: World) -> NDArray[np.float32]:
    """Return the size of a torus, float32 (2,), u, as `toward` takes it; 0, 0 if the world is not a torus."""
    return np.array(world.resource(Settings).torus or (0.0, 0.0), f32)


@inlined
def wrapped(place, size):
    """Wrap a float32 coordinate into [0, size)."""
    if ZERO <= place < size:
        return place
    moved = f32(place - np.floor(place / size) * size)
    return moved if ZERO <= moved < size else ZERO


@inlined
def in_world(place, size):
    """Wrap a float64 coordinate into a torus of this size, u; with size 0, return it unchanged."""
    if size > 0.0 and not 0.0 <= place < size:
        place -= np.floor(place / size) * size
    return place


@inlined
def image_shift(offset, size):
    """Return the number to add to an offset to get its minimum image: -size, 0 or size, of the type of `size`.

    All kernels compute minimum images by this function. An offset of exactly half the size is left as it is, so that
    two entities at that distance see each other in opposite directions.

    Args:
        offset: u, along one axis, at most 1.5 times the size: both ends lie in the world, or nearly.
        size: u, of the torus along this axis; 0: the world is not a torus.
    """
    half = HALF * size
    if offset > half:
        return -size
    return size if offset < -half else ZERO * size


@inlined
def minimum_image(offset, size):
    """Return the shortest offset on a torus, in [-size / 2, size / 2]; see `image_shift`."""
    return offset + image_shift(offset, size)


@inlined
def nearest_copy(there, here, size):
    """Return the copy of the coordinate `there` on a torus that is nearest to `here`; see `image_shift`."""
    return there + image_shift(there - here, size)


@inlined
def toward(here, there, size):
    """Return the shortest offset from one float32 coordinate to another on a torus of this size, u; 0: not a torus.

    Both coordinates must lie in the world. The offset is that to the nearest copy of `there`, whose coordinate is
    rounded to float32 like all positions: the same offset as in flocking.
    """
    return nearest_copy(there, here, size) - here


def minimum_images(offsets: NDArray[Any], torus: tuple[float, float] | None) -> NDArray[Any]:
    """Return the `minimum_image` of offsets of any length on a torus; without a torus, return them unchanged.

    Args:
        offsets: (n, 2) or (2,), u, of any float type, which the result has too.
    """
    if torus is None:
        return offsets
    size = np.array(torus, offsets.dtype)
    found: NDArray[Any] = offsets - size * np.rint(offsets / size)
    return found
