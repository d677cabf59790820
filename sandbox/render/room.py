"""Buffers that are used again for every frame, because allocating memory costs more than writing to it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

SPARE, IDLE = 2, 32  # times what is needed: how large a buffer is made, and from which size on it is made anew
FEW = 1 << 12  # elements of an array, or bytes of a buffer: one so small is kept


def fits(size: int, needed: int) -> bool:
    """Return whether a buffer of this size will do: it is large enough, and most of it is not idle."""
    return needed <= size <= max(IDLE * needed, FEW)


class Room:
    """Where the animals in a view are collected."""

    def __init__(self) -> None:
        self._rows, self._words = np.zeros(0, np.int32), np.zeros((0, 4), np.uint32)

    def rows(self, count: int) -> NDArray[np.int32]:
        """Return a buffer for the rows of animals in view, int32 (count,)."""
        if not fits(len(self._rows), count):
            self._rows = np.zeros(SPARE * count, np.int32)
        return self._rows[:count]

    def words(self, count: int) -> NDArray[np.uint32]:
        """Return a buffer for this number of records of `INSTANCE`, uint32 (count, 4)."""
        if not fits(len(self._words), count):
            self._words = np.zeros((SPARE * count, 4), np.uint32)
        return self._words[:count]
