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
from systems.exact.vector import ZERO, on_each_axis
from systems.space.axis import axes_of, cell_along, nearest_along

f32, i64 = np.float32, np.int64


Window = namedtuple("Window", "x y cells_x cells_y wrapped stretches")
"""A rectangle of stored cells, which on a torus or in a hash may continue at the beginning of an axis.

Attributes:
    x, y: the number of the first one along each axis.
    cells_x, cells_y: the number of cells along each axis.
    wrapped: how many of those along x continue at cell 0.
    stretches: the number of ranges in the grid's arrays: one per line of cells, or two if lines wrap.
"""


@inlined
def cells_within(grid, here, radius):
    """Return the window of all cells that may contain entities within the radius of a place (float32, u)."""
    stored = grid.stored_x, grid.stored_y
    (x, cells_x), (y, cells_y) = _cells_along(axes_of(grid), here, radius, stored)
    x, y = x % grid.stored_x, y % grid.stored_y
    wrapped = max(x + cells_x - grid.stored_x, i64(0))
    return Window(x, y, cells_x, cells_y, wrapped, 2 * cells_y if wrapped > 0 else cells_y)


@inlined
def stretch(grid, window, n):
    """Return the n-th range (first, last) of a window in the grid's arrays."""
    goes_on = n >= window.cells_y
    y = window.y + (n - window.cells_y if goes_on else n)
    base = (y if y < grid.stored_y else y - grid.stored_y) * grid.stored_x
    if goes_on:
        return grid.start[base], grid.start[base + window.wrapped]
    first = base + window.x
    return grid.start[first], grid.start[first + window.cells_x - window.wrapped]


@inlined
def is_whole(grid, window):
    """Return whether a window covers the whole grid."""
    return window.cells_x >= min(grid.cells_x, grid.stored_x) and window.cells_y >= min(grid.cells_y, grid.stored_y)


@on_each_axis
def _cells_along(axis, x, radius, stored):
    """Return the first cell within the radius on each axis, and the number of cells; cell n is stored at n % stored."""
    radius += (abs(x) + radius + axis.torus) * f32(2.0**-20)  # the largest error of float32 positions
    if axis.torus == ZERO:
        low, high = i64(nearest_along(axis, x - radius)), i64(nearest_along(axis, x + radius))
    else:
        low, high = cell_along(axis, x - radius), cell_along(axis, x + radius)
    return (i64(0), i64(stored)) if high - low + 1 >= stored else (low, high - low + 1)
