"""Iterates over the entities within a radius of a place: finds the ranges of a grid's arrays that contain them.

    window = cells_within(grid, here, radius)
    for n in range(window.stretches):
        first, last = stretch(grid, window, n)
        for k in range(first, last):
            ...                              place_at(grid, k), grid.row[k]

The loops visit each entity within the radius once, and others too, which the caller must exclude by their distance.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from systems.engine.kernel import inlined
from systems.exact.vector import ZERO
from systems.space.axis import axes_of, cell_of, nearest_cell

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
def cells_within(grid, here, radius):
    """Return the window of all cells that may contain entities within the radius of a place (float32, u)."""
    x_axis, y_axis = axes_of(grid)
    column, columns = _cells_along(x_axis, here[0], radius, grid.columns)
    line, lines = _cells_along(y_axis, here[1], radius, grid.lines)
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
    return window.columns >= min(grid.cells_x, grid.columns) and window.lines >= min(grid.cells_y, grid.lines)


@inlined
def _cells_along(axis, place, radius, stored):
    """Return the first cell within the radius on an axis, and the number of cells; cell n is stored at n % stored."""
    radius += (abs(place) + radius + axis.torus) * f32(2.0**-20)  # the largest error of float32 positions
    if axis.torus == ZERO:
        low, high = i64(nearest_cell(axis, place - radius)), i64(nearest_cell(axis, place + radius))
    else:
        low, high = cell_of(axis, place - radius), cell_of(axis, place + radius)
    return (i64(0), i64(stored)) if high - low + 1 >= stored else (low, high - low + 1)
