"""A division of the world into cells: counts entities by cell, and interpolates between the values of cells."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from systems.engine.kernel import inlined, kernel
from systems.engine.settings import Settings

Places = NDArray[np.float32]


class Cells(NamedTuple):
    """A division of the world into cells; in an "open" world, of the box around its entities.

    Attributes:
        columns, lines: the number of cells along x and y.
        left, bottom: the corner of the first cell, u.
        per_x, per_y: cells per u.
        wraps: whether the cells at opposite borders are adjacent.
    """

    columns: int
    lines: int
    left: float
    bottom: float
    per_x: float
    per_y: float
    wraps: bool


def divide(settings: Settings, places: Places, side: float, most: int) -> Cells:
    """Divide the world into cells about `side` (u) wide, or wider, so that there are at most `most` along an axis.

    Args:
        places: float32 (n, 2), u, the positions in an "open" world; without any, the world's size is divided.
    """
    low, high = [0.0, 0.0], [settings.width, settings.height]
    if settings.edges == "open" and len(places):
        low, high = places.min(axis=0).tolist(), places.max(axis=0).tolist()
    sizes = [max(upper - lower, 1.0) for lower, upper in zip(low, high, strict=True)]
    side = max(side, *(size / most for size in sizes))
    columns, lines = (max(round(size / side), 1) for size in sizes)
    return Cells(columns, lines, low[0], low[1], columns / sizes[0], lines / sizes[1], settings.torus is not None)


@kernel
def count(x, y, cells, counts):
    """Add 1 to `counts`, int32 (lines, columns), for each place; places outside count for the cell at the border."""
    for k in range(len(x)):
        column = min(max(int((x[k] - cells.left) * cells.per_x), 0), cells.columns - 1)
        line = min(max(int((y[k] - cells.bottom) * cells.per_y), 0), cells.lines - 1)
        counts[line, column] += 1


@inlined
def interpolated(x, y, cells, numbers):
    """Return the value at a place, float64, by bilinear interpolation of the values of cells, (lines, columns)."""
    u, v = (x - cells.left) * cells.per_x - 0.5, (y - cells.bottom) * cells.per_y - 0.5
    column, line = int(np.floor(u)), int(np.floor(v))
    right, up = u - column, v - line
    x0, x1 = beside(column, cells.columns, cells.wraps), beside(column + 1, cells.columns, cells.wraps)
    y0, y1 = beside(line, cells.lines, cells.wraps), beside(line + 1, cells.lines, cells.wraps)
    lower = numbers[y0, x0] * (1.0 - right) + numbers[y0, x1] * right
    upper = numbers[y1, x0] * (1.0 - right) + numbers[y1, x1] * right
    return lower * (1.0 - up) + upper * up


@inlined
def beside(cell, cells, wraps):
    """Bring a cell's index along an axis into [0, cells): wrapped if the cells wrap, else clamped."""
    return cell % cells if wraps else min(max(cell, 0), cells - 1)
