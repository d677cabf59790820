"""Iterates over the entities within a radius of a place: finds the ranges of a grid's arrays that contain them.

    window = cells_within(grid, x, y, radius)
    for n in range(window.stretches):
        first, last = stretch(grid, window, n)
        for k in range(first, last):
            ...                              grid.x[k], grid.y[k], grid.row[k]

The loops visit each entity within the radius once, and others too, which the caller must exclude by their distance.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from systems.engine.kernel import inlined
from systems.exact.vector import ZERO
from systems.space.grid import cell_along

f32, i64 = np.float32, np.int64


class Window(NamedTuple):
    """A rectangle of stored cells, which on a torus or in a hash may continue at the first column or line.

    Attributes:
        column, line: the first column and line.
        columns, lines: the number of columns and lines.
        wrapped: the number of columns that continue at column 0.
        stretches: the number of ranges in the grid's arrays: one per line, or two if columns wrap.
    """

    column: int
    line: int
    columns: int
    lines: int
    wrapped: int
    stretches: int


@inlined
def cells_within(grid, x, y, radius):
    """Return the window of all cells that may contain entities within the radius of a place (float32, u)."""
    column, columns = _cells_along(x, radius, grid.left, grid.per_x, grid.across, grid.columns, grid.torus_x)
    line, lines = _cells_along(y, radius, grid.bottom, grid.per_y, grid.up, grid.lines, grid.torus_y)
    column, line = column % grid.columns, line % grid.lines
    wrapped = max(column + columns - grid.columns, i64(0))
    return Window(column, line, columns, lines, wrapped, 2 * lines if wrapped > 0 else lines)


@inlined
def stretch(grid, window, n):
    """Return the n-th range (first, last) of a window in the grid's arrays."""
    goes_on = n >= window.lines
    line = window.line + (n - window.lines if goes_on else n)
    base = (line if line < grid.lines else line - grid.lines) * grid.columns
    if goes_on:
        return grid.start[base], grid.start[base + window.wrapped]
    first = base + window.column
    return grid.start[first], grid.start[first + window.columns - window.wrapped]


@inlined
def is_whole(grid, window):
    """Return whether a window covers the whole grid."""
    return window.columns >= min(grid.across, grid.columns) and window.lines >= min(grid.up, grid.lines)


@inlined
def _cells_along(place, radius, origin, per_u, cells, kept, torus):
    """Return the first cell within the radius along one axis, and the number of cells; cell n is stored at n % kept."""
    radius += (abs(place) + radius + torus) * f32(2.0**-20)  # the largest error of float32 positions
    if torus == ZERO:
        low = i64(cell_along(place - radius, origin, per_u, cells))
        high = i64(cell_along(place + radius, origin, per_u, cells))
    else:
        low, high = i64(np.floor((place - radius) * per_u)), i64(np.floor((place + radius) * per_u))
    return (i64(0), i64(kept)) if high - low + 1 >= kept else (low, high - low + 1)
