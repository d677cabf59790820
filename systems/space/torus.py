"""A world that repeats: places brought back into it, and the shortest way from one to another."""

# mypy: allow-untyped-defs
# (numba finds out the types of kernels)

from __future__ import annotations

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
def nearest_copy(there, here, torus):
    """Of the copies of `there` on a torus the one nearest to `here`."""
    offset = there - here
    if offset > HALF * torus:
        return there - torus
    return there + torus if offset < -HALF * torus else there


@inlined
def toward(here, there, size):
    """The way from one float32 coordinate to another, u: the shorter one where the world repeats after `size` u.

    Both lie in the world; a size of 0 says that it does not repeat.
    """
    return nearest_copy(there, here, size) - here
