"""Sets of prefabs as bit masks, for kernels: a bit for each of the at most 64 prefabs of a world."""

from __future__ import annotations

import numpy as np

from systems.engine.kernel import inlined

u64 = np.uint64
EMPTY, ONE = u64(0), u64(1)


@inlined
def includes(mask, prefab, when_empty):
    """Return whether a set of prefabs (uint64) contains this one; `when_empty` for the empty set."""
    return when_empty if mask == EMPTY else (mask >> u64(prefab)) & ONE == ONE
