"""A world that repeats: places brought back into it, and the shortest way from one to another."""

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
    """Width and height after which a world repeats, float32 (2,), u: the sizes `toward` takes; 0, 0 if it does not."""
    return np.array(world.resource(Settings).torus or (0.0, 0.0), f32)


@inlined
def wrapped(place, size):
    """A float32 coordinate brought to [0, size)."""
    if ZERO <= place < size:
        return place
    moved = f32(place - np.floor(place / size) * size)
    return moved if ZERO <= moved < size else ZERO


@inlined
def in_world(place, size):
    """A float64 coordinate brought into a world that repeats after `size` u; 0: it does not."""
    if size > 0.0 and not 0.0 <= place < size:
        place -= np.floor(place / size) * size
    return place


@inlined
def image_shift(offset, size):
    """What makes an offset the shortest when added to it: -size, 0 or size, of the type of `size`.

    Every shortest way of the program is made of this. At exactly half a world the offset stays as it is, so that two
    who are opposite each other see each other in opposite directions.

    Args:
        offset: u, along one axis, at most one and a half worlds: both ends lie in the world, or nearly.
        size: u, after which the world repeats along this axis; 0: it does not.
    """
    half = HALF * size
    if offset > half:
        return -size
    return size if offset < -half else ZERO * size


@inlined
def minimum_image(offset, size):
    """The shortest offset to any copy on a torus, in [-size / 2, size / 2]; see `image_shift`."""
    return offset + image_shift(offset, size)


@inlined
def nearest_copy(there, here, size):
    """Of the copies of the coordinate `there` on a torus the one nearest to `here`; see `image_shift`."""
    return there + image_shift(there - here, size)


@inlined
def toward(here, there, size):
    """The way from one float32 coordinate to another, u: the shorter one where the world repeats after `size` u.

    Both lie in the world; a size of 0 says that it does not repeat. The difference is that to the nearest copy of
    `there`, rounded to float32 as positions are: the offset that flocking sees.
    """
    return nearest_copy(there, here, size) - here


def minimum_images(offsets: NDArray[Any], torus: tuple[float, float] | None) -> NDArray[Any]:
    """Offsets on a torus as their `minimum_image`, however many worlds long they are; elsewhere as they are.

    Args:
        offsets: (n, 2) or (2,), u, of any float type, which stays.
    """
    if torus is None:
        return offsets
    size = np.array(torus, offsets.dtype)
    found: NDArray[Any] = offsets - size * np.rint(offsets / size)
    return found
