"""The walk over those within a radius of a place: which stretches of a grid's arrays hold them.

    window = cells_within(grid, x, y, radius)
    for n in range(window.stretches):
        first, last = stretch(grid, window, n)
        for k in range(first, last):
            ...                              grid.x[k], grid.y[k], grid.row[k]

It meets everyone within the radius once, and others who must be sorted out by their distance.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from systems.engine.kernel import inlined
from systems.exact.vector import ZERO
from systems.space.grid import cell_along

f32, i64 = np.float32, np.int64


class Window(NamedTuple):
    """A rectangle of cells as they are kept, which on a torus or in a hash may go on at the first column or line.

    Attributes:
        column, line: the first ones.
        columns, lines: how many.
        wrapped: how many of the columns are those from column 0 on.
        stretches: into how many stretches of the grid's arrays it falls: a line is one, or two where columns wrap.
    """

    column: int
    line: int
    columns: int
    lines: int
    wrapped: int
    stretches: int


@inlined
def cells_within(grid, x, y, radius):
    """The window of all cells that hold someone within the radius of a place (each float32, u)."""
    column, columns = _cells_along(x, radius, grid.left, grid.per_x, grid.across, grid.columns, grid.torus_x)
    line, lines = _cells_along(y, radius, grid.bottom, grid.per_y, grid.up, grid.lines, grid.torus_y)
    column, line = column % grid.columns, line % grid.lines
    wrapped = max(column + columns - grid.columns, i64(0))
    return Window(column, line, columns, lines, wrapped, 2 * lines if wrapped > 0 else lines)


@inlined
def stretch(grid, window, n):
    """Where the n-th stretch of a window begins and ends in the grid's arrays."""
    goes_on = n >= window.lines
    line = window.line + (n - window.lines if goes_on else n)
    base = (line if line < grid.lines else line - grid.lines) * grid.columns
    if goes_on:
        return grid.start[base], grid.start[base + window.wrapped]
    first = base + window.column
    return grid.start[first], grid.start[first + window.columns - window.wrapped]


@inlined
def is_whole(grid, window):
    """Whether a window is all of the grid."""
    return window.columns >= min(grid.across, grid.columns) and window.lines >= min(grid.up, grid.lines)


@inlined
def _cells_along(place, radius, origin, per_u, cells, kept, torus):
    """The first cell within the radius along one axis, and how many follow; the n-th is kept at n % kept."""
    radius += (abs(place) + radius + torus) * f32(2.0**-20)  # what float32 may misplace
    if torus == ZERO:
        low = i64(cell_along(place - radius, origin, per_u, cells))
        high = i64(cell_along(place + radius, origin, per_u, cells))
    else:
        low, high = i64(np.floor((place - radius) * per_u)), i64(np.floor((place + radius) * per_u))
    return (i64(0), i64(kept)) if high - low + 1 >= kept else (low, high - low + 1)
