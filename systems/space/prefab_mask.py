"""Sets of prefabs, as kernels ask them: a bit for each of the at most 64 prefabs of a world."""

from __future__ import annotations

import numpy as np

from systems.engine.kernel import inlined

u64 = np.uint64
EMPTY, ONE = u64(0), u64(1)


@inlined
def includes(mask, prefab, when_empty):
    """Whether a set of prefabs (uint64) holds this one; of the empty set `when_empty` says so."""
    return when_empty if mask == EMPTY else (mask >> u64(prefab)) & ONE == ONE
