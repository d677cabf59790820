"""Copies on a torus: a shape that reaches over an edge is drawn on the other side too."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

MOST_COPIES = 5  # along each axis


def copies(low: Any, high: Any, torus: tuple[float, float]) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
    """Return the visible copies of boxes, (n, 2) each, on a torus: the box of each copy, and its shift (u)."""
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
