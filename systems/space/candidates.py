"""Candidates: those who may be near, copied side by side, so that whoever looks reads one stretch of memory."""

# mypy: allow-untyped-defs
# (numba finds out the types of kernels)

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from systems.engine.kernel import aside, inlined, subroutine
from systems.exact.vector import ZERO
from systems.space.grid import PADDING, cell_along
from systems.space.torus import nearest_copy

f32, i32, i64, index = np.float32, np.int32, np.int64, np.uint64
FAR = f32(1e9)


class Candidates(NamedTuple):
    """Flockmates that may be near; each array shape (n + PADDING,).

    Attributes:
        x, y: float32, position, moved to the copy of the torus that is looked at.
        u, v: int32, velocity in fixed point.
        kind: int32, prefab.
        who: int32, place in the grid's order.
    """

    x: NDArray[np.float32]
    y: NDArray[np.float32]
    u: NDArray[np.int32]
    v: NDArray[np.int32]
    kind: NDArray[np.int32]
    who: NDArray[np.int32]


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
def close(found, count):
    """Put far-away sentinels behind the last candidate, for vector loops to read."""
    for k in range(index(count), index(count + PADDING)):
        found.x[k] = found.y[k] = FAR
        found.u[k] = found.v[k] = found.kind[k] = 0


@inlined
def copy_cell(flock, cell, offset_x, offset_y, found, count):
    """Append the members of a cell, moved by the offset; returns the new count."""
    grid = flock.grid
    to = index(count)
    for k in range(index(grid.start[cell]), index(grid.start[cell + 1])):
        found.x[to] = grid.x[k] + offset_x
        found.y[to] = grid.y[k] + offset_y
        found.u[to] = flock.u[k]
        found.v[to] = flock.v[k]
        found.kind[to] = flock.kind[k]
        found.who[to] = k
        to += index(1)
    return i64(to)


@inlined
def beyond_the_border(cell, cells, torus):
    """The cell that is kept at an index from -1 to `cells`, and by how much it must be moved on a torus."""
    if 0 <= cell < cells:
        return cell, ZERO
    return (cell + cells, -torus) if cell < 0 else (cell - cells, torus)


@inlined
def gather_strip(flock, line, first, last, found, column_start):
    """Candidates for the cells [first, last) of a line: three lines high, column by column.

    So the 3 x 3 cells around any of them are one stretch: column_start[c - first] to column_start[c - first + 3].
    """
    grid = flock.grid
    count = 0
    for c in range(first - 1, last + 1):
        column_start[c - first + 1] = count
        column, offset_x = beyond_the_border(c, grid.columns, grid.torus_x)
        for n in range(line - 1, line + 2):
            row, offset_y = beyond_the_border(n, grid.lines, grid.torus_y)
            count = copy_cell(flock, row * grid.columns + column, offset_x, offset_y, found, count)
    column_start[last - first + 2] = count
    close(found, count)


@inlined
def strip_size(flock, line, first, last):
    """How many candidates `gather_strip` will find."""
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


@inlined
def columns_near(grid, x, radius):
    """The first column within the radius of x (both float32), and how many follow: the n-th is kept at n % columns."""
    return _near(x, radius, grid.left, grid.per_x, grid.across, grid.columns, grid.torus_x)


@inlined
def lines_near(grid, y, radius):
    """The first line within the radius of y (both float32), and how many follow: the n-th is kept at n % lines."""
    return _near(y, radius, grid.bottom, grid.per_y, grid.up, grid.lines, grid.torus_y)


@inlined
def _near(place, radius, origin, per_u, cells, kept, torus):
    radius += (abs(place) + radius + torus) * f32(2.0**-20)
    if torus == ZERO:
        low = i64(cell_along(place - radius, origin, per_u, cells))
        high = i64(cell_along(place + radius, origin, per_u, cells))
    else:
        low, high = i64(np.floor((place - radius) * per_u)), i64(np.floor((place + radius) * per_u))
    return (i64(0), i64(kept)) if high - low + 1 >= kept else (low, high - low + 1)


@aside
def gather_around(flock, px, py, radius, found):
    """Candidates for one who sees farther than a cell, each once, at its nearest copy; returns their number."""
    grid = flock.grid
    first_column, columns = columns_near(grid, px, radius)
    first_line, lines = lines_near(grid, py, radius)
    count = 0
    for n in range(first_line, first_line + lines):
        for c in range(first_column, first_column + columns):
            cell = n % grid.lines * grid.columns + c % grid.columns
            count = copy_cell(flock, cell, ZERO, ZERO, found, count)
    for k in range(index(0), index(count)):
        found.x[k] = nearest_copy(found.x[k], px, grid.torus_x)
        found.y[k] = nearest_copy(found.y[k], py, grid.torus_y)
    close(found, count)
    return count
