"""Iterates over the entities within a radius of a place: finds the ranges of a grid's arrays that contain them.

    window = cells_within(grid, here, radius)
    for n in range(window.stretches):
        first, last = stretch(grid, window, n)
        for k in range(first, last):
            ...                              place_at(grid, k), grid.which[k]

The loops visit each entity within the radius once, and others too, which the caller must exclude by their distance.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from systems.engine.kernel import inlined
from systems.exact.on_each_axis import on_each_axis
from systems.exact.vector import ZERO, all_of
from systems.space.axis import axes_of, cell_along, cells_in, nearest_along
from systems.space.grid import stored_in

f32, i64 = np.float32, np.int64


Window = namedtuple("Window", "first cells wrapped stretches")
"""A box of stored cells, which on a torus or in a hash may continue at the beginning of an axis.

Attributes:
    first: the number of the first one along each axis, a vector.
    cells: the number of cells along each axis, a vector.
    wrapped: how many of those along x continue at cell 0.
    stretches: the number of ranges in the grid's arrays: one per line of cells, or two if lines wrap.
"""


@inlined
def cells_within(grid, here, radius):
    """Return the window of all cells that may contain entities within the radius of a place (float32, u)."""
    stored = stored_in(grid)
    found = _cells_along(axes_of(grid), here, radius, stored)
    first, cells = _brought(_first(found), stored), _count(found)
    wrapped, lines = max(first[0] + cells[0] - stored[0], i64(0)), _lines(cells)
    return Window(first, cells, wrapped, 2 * lines if wrapped > 0 else lines)


@inlined
def stretch(grid, window, n):
    """Return the n-th range (first, last) of a window in the grid's arrays."""
    lines, stored = _lines(window.cells), stored_in(grid)
    goes_on = n >= lines
    base = _line(window.first, window.cells, stored, n - lines if goes_on else n) * stored[0]
    if goes_on:
        return grid.start[base], grid.start[base + window.wrapped]
    first = base + window.first[0]
    return grid.start[first], grid.start[first + window.cells[0] - window.wrapped]


@inlined
def is_whole(grid, window):
    """Return whether a window covers the whole grid."""
    return all_of(_covers(window.cells, cells_in(grid), stored_in(grid)))


@on_each_axis
def _covers(count, cells, stored):
    return count >= min(cells, stored)


@inlined
def _lines(cells):
    """Return the number of lines in so many cells along each axis."""
    return cells[1] if len(cells) == 2 else cells[1] * cells[2]


@inlined
def _line(first, cells, stored, n):
    """Return the number of the n-th line of a window."""
    if len(cells) == 2:
        return _on(first[1] + n, stored[1])
    return _on(first[2] + n // cells[1], stored[2]) * stored[1] + _on(first[1] + n % cells[1], stored[1])


@inlined
def _on(n, stored):
    return n if n < stored else n - stored


@on_each_axis
def _brought(n, stored):
    return n % stored


@on_each_axis
def _first(found):
    return found[0]


@on_each_axis
def _count(found):
    return found[1]


@on_each_axis
def _cells_along(axis, x, radius, stored):
    """Return the first cell within the radius on each axis, and the number of cells; cell n is stored at n % stored."""
    radius += (abs(x) + radius + axis.torus) * f32(2.0**-20)  # the largest error of float32 positions
    if axis.torus == ZERO:
        low, high = i64(nearest_along(axis, x - radius)), i64(nearest_along(axis, x + radius))
    else:
        low, high = cell_along(axis, x - radius), cell_along(axis, x + radius)
    return (i64(0), i64(stored)) if high - low + 1 >= stored else (low, high - low + 1)
