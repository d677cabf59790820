"""Candidates: copies of possible neighbours in contiguous arrays, so that each boid reads one range of memory."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from systems.engine.kernel import inlined, outlined, subroutine
from systems.exact.vector import ZERO
from systems.space.grid import PADDING
from systems.space.torus import nearest_copy_along
from systems.space.walk import cells_within, stretch

f32, i32, i64, index = np.float32, np.int32, np.int64, np.uint64
FAR = f32(1e9)
WIDTH = 16  # candidates copied at a time


class Candidates(NamedTuple):
    """Possible neighbours; each array has the shape (n + PADDING,).

    Attributes:
        x, y: float32, position, on a torus that of the copy near the viewer.
        u, v: int32, velocity in fixed point.
        kind: int32, prefab.
        who: int32, index in the grid's order.
    """

    x: NDArray[np.float32]
    y: NDArray[np.float32]
    u: NDArray[np.int32]
    v: NDArray[np.int32]
    kind: NDArray[np.int32]
    who: NDArray[np.int32]


class Pool(NamedTuple):
    """The candidates [first, last) of `found`: all that a viewer may see."""

    found: Candidates
    first: np.int64
    last: np.int64


@subroutine
def room_for(count):
    size = count + PADDING
    return Candidates(
        np.empty(size, f32),
        np.empty(size, f32),
        np.empty(size, i32),
        np.empty(size, i32),
        np.empty(size, i32),
        np.empty(size, i32),
    )


@inlined
def pad(found, count):
    """Put far-away sentinels after the last candidate, which vectorised loops may read."""
    for k in range(index(count), index(count + PADDING)):
        found.x[k] = found.y[k] = FAR
        found.u[k] = found.v[k] = found.kind[k] = 0


@inlined
def copy_stretch(flock, first, last, offset_x, offset_y, found, count):
    """Append a range of the grid's order, moved by the offset; return the new count."""
    grid, mates = flock.grid, flock.mates
    begin = index(first)
    end, to = begin + index((last - first + WIDTH - 1) // WIDTH * WIDTH), index(count) - begin
    # The elements copied after the last one are overwritten by the next range or by `pad`.
    for k in range(begin, end):
        found.x[to + k] = grid.x[k] + offset_x
    for k in range(begin, end):
        found.y[to + k] = grid.y[k] + offset_y
    for k in range(begin, end):
        found.u[to + k] = mates.u[k]
    for k in range(begin, end):
        found.v[to + k] = mates.v[k]
    for k in range(begin, end):
        found.kind[to + k] = mates.kind[k]
    for k in range(begin, end):
        found.who[to + k] = i32(k)
    return count + last - first


@inlined
def beyond_the_border(cell, cells, torus):
    """Wrap a cell index from -1 to `cells`; return it, and the offset to add to the positions of its entities."""
    if 0 <= cell < cells:
        return cell, ZERO
    return (cell + cells, -torus) if cell < 0 else (cell - cells, torus)


@inlined
def gather_strip(flock, line, first, last, found, column_start):
    """Copy the candidates for the cells [first, last) of a line, from three lines, column by column.

    The 3 x 3 cells around a cell c are then one range: column_start[c - first] to column_start[c - first + 3].
    """
    grid = flock.grid
    count = 0
    for c in range(first - 1, last + 1):
        column_start[c - first + 1] = count
        column, offset_x = beyond_the_border(c, grid.columns, grid.torus_x)
        for n in range(line - 1, line + 2):
            row, offset_y = beyond_the_border(n, grid.lines, grid.torus_y)
            cell = row * grid.columns + column
            count = copy_stretch(flock, grid.start[cell], grid.start[cell + 1], offset_x, offset_y, found, count)
    column_start[last - first + 2] = count
    pad(found, count)


@inlined
def strip_size(flock, line, first, last):
    """Return the number of candidates that `gather_strip` will copy."""
    grid = flock.grid
    count = 0
    for n in range(line - 1, line + 2):
        row, _ = beyond_the_border(n, grid.lines, grid.torus_y)
        base = row * grid.columns
        count += grid.start[base + last] - grid.start[base + first]
        for c in (first - 1, last):
            column, _ = beyond_the_border(c, grid.columns, grid.torus_x)
            count += grid.start[base + column + 1] - grid.start[base + column]
    return count


@outlined
def gather_around(flock, me, radius, found):
    """Copy the candidates for a boid that sees beyond a cell, each once, at its nearest copy; return their number."""
    grid = flock.grid
    px, py = grid.x[me], grid.y[me]
    window = cells_within(grid, (px, py), radius)
    count = i64(0)
    for n in range(window.stretches):
        first, last = stretch(grid, window, n)
        count = copy_stretch(flock, first, last, ZERO, ZERO, found, count)
    for k in range(index(0), index(count)):
        found.x[k] = nearest_copy_along(found.x[k], px, grid.torus_x)
        found.y[k] = nearest_copy_along(found.y[k], py, grid.torus_y)
    pad(found, count)
    return count
