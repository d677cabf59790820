"""A world that repeats: places brought back into it."""

# mypy: allow-untyped-defs
# (numba finds out the types of kernels)

from __future__ import annotations

import numpy as np

from systems.core.kernel import inlined
from systems.core.vector import ZERO

f32 = np.float32


@inlined
def wrapped(place, size):
    """A float32 coordinate brought to [0, size)."""
    if ZERO <= place < size:
        return place
    moved = f32(place - np.floor(place / size) * size)
    return moved if ZERO <= moved < size else ZERO
