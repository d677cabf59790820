"""Finds rows by serial."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Serials = NDArray[np.int64]


def rows_of(wanted: Serials, known: Serials) -> NDArray[np.int64]:
    """Return the row of each serial, int64 (n,); -1 if it is not in `known`.

    Args:
        known: the serial in each row, in any order.
    """
    if not len(wanted):
        return np.zeros(0, np.int64)
    low, high = wanted.min(), wanted.max()
    near = known == low if low == high else (known >= low) & (known <= high)
    rows = np.flatnonzero(near)
    if high - low < 8 * len(rows):  # a lookup table over all serials from low to high is faster than sorting
        row_of: NDArray[np.int64] = np.full(high - low + 1, -1)
        row_of[known[rows] - low] = rows
        found: NDArray[np.int64] = row_of[wanted - low]
        return found
    rows = rows[np.isin(known[rows], wanted)]
    if not len(rows):
        return np.full(len(wanted), -1, np.int64)
    rows = rows[np.argsort(known[rows])]
    living = known[rows]
    place = np.minimum(np.searchsorted(living, wanted), len(rows) - 1)
    return np.where(living[place] == wanted, rows[place], -1)
