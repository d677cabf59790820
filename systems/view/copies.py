"""On a torus what reaches over an edge is seen on the other side too."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

MOST_COPIES = 5  # along each axis


def copies(low: Any, high: Any, torus: tuple[float, float]) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
    """The copies of boxes, (n, 2) each, that are seen in a world that repeats: which one each is, and its shift (u)."""
    size = np.array(torus)
    first = np.ceil(-np.asarray(high, float) / size)
    most = np.floor((size - low) / size) - first + 1
    columns, lines = np.clip(most, 0, MOST_COPIES).astype(int).T
    times = columns * lines
    which = np.arange(len(times)).repeat(times)
    number = np.arange(len(which)) - (np.cumsum(times) - times).repeat(times)
    across = columns.repeat(times)
    shift = (first.repeat(times, axis=0) + np.stack([number % across, number // across], axis=1)) * size
    return which, shift.astype(np.float32)
