"""An index of shapes, circles and thick lines: each cell of a grid lists the shapes that touch it.

A search at a place reads only one cell, so that thousands of shapes cost no more than the few that are near. A circle
is a line from its centre to its centre. Within each cell, shapes keep the order in which they are given: if that is
the order of serials, nothing depends on rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from components.store.table import EntityTable
from systems.engine.kernel import inlined, kernel, subroutine

i32, i64 = np.int32, np.int64
CELLS_PER_SHAPE = 16
ENTRIES_PER_SHAPE = 64  # at most, on average; otherwise cells are made wider
ROUNDING = 2.0**-20  # of the largest coordinate: the largest error of float32 positions


@dataclass(frozen=True, eq=False)
class Shapes:
    """Circles and thick lines, in the order in which cells list them; equal if all their values are equal.

    Attributes:
        ends: float64 (n, 4), ax, ay, bx, by of each; both ends of a circle are its centre.
        radius: float64 (n,), u; half the thickness of a line.
        torus: width and height of a torus, or None.
    """

    ends: NDArray[np.float64]
    radius: NDArray[np.float64]
    torus: tuple[float, float] | None

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Shapes)
            and self.torus == other.torus
            and np.array_equal(self.radius, other.radius)
            and np.array_equal(self.ends, other.ends)
        )

    __hash__ = None  # type: ignore[assignment]


class ShapeIndex(NamedTuple):
    """Shapes by cell.

    Attributes:
        columns, lines: the number of cells along x and y; 0 if there are no shapes.
        left, bottom: float64, the corner of cell 0.
        per_x, per_y: float64, cells per u.
        margin: float64, u; each cell lists the shapes within this distance.
        torus_x, torus_y: float64, width and height of a torus; 0: not a torus.
        start: int32 (columns * lines + 1,), where each cell's range begins in the arrays below.
        shape: int32 (n,), the index of the shape in the given order.
        ax, ay, bx, by: float64 (n,), its ends, of the copy that touches this cell.
        radius: float64 (n,), u.
    """

    columns: int
    lines: int
    left: float
    bottom: float
    per_x: float
    per_y: float
    margin: float
    torus_x: float
    torus_y: float
    start: NDArray[np.int32]
    shape: NDArray[np.int32]
    ax: NDArray[np.float64]
    ay: NDArray[np.float64]
    bx: NDArray[np.float64]
    by: NDArray[np.float64]
    radius: NDArray[np.float64]


def build_shape_index(shapes: Shapes, margin: float) -> ShapeIndex:
    """List each shape in every cell that is nearer to it than its radius plus `margin`, u.

    The grid covers the torus, or without one the box around the shapes.
    """
    torus = shapes.torus or (0.0, 0.0)
    if not len(shapes.ends):  # in most worlds: then the kernels need not be compiled
        none, nothing = np.empty(0, i32), np.empty(0)
        return ShapeIndex(
            *(0, 0, 0.0, 0.0, 0.0, 0.0, float(margin), *torus),
            *(np.zeros(1, i32), none, nothing, nothing, nothing, nothing, nothing),
        )
    index: ShapeIndex = _noted(shapes.ends, shapes.radius, float(margin), *torus)
    return index


def circles_around(
    table: EntityTable,
    rows: NDArray[np.int32],
    radius: NDArray[np.float32],
    margin: float,
    torus: tuple[float, float] | None,
) -> ShapeIndex:
    """Build the index of circles around the positions of these rows; its shapes are indexes into `rows`.

    Args:
        radius: the radius of each circle, (n,), u.
        margin: see `build_shape_index`.
        torus: width and height of a torus, or None.
    """
    x, y = table.columns["Position.x"], table.columns["Position.y"]
    index: ShapeIndex = _circles_noted(rows, x, y, radius, margin, *(torus or (0.0, 0.0)))
    return index


@kernel
def _circles_noted(rows, x, y, radius, margin, torus_x, torus_y):
    ends, radii = np.empty((len(rows), 4)), np.empty(len(rows))
    for n in range(len(rows)):
        ends[n, 0] = ends[n, 2] = x[rows[n]]
        ends[n, 1] = ends[n, 3] = y[rows[n]]
        radii[n] = radius[n]
    return _noted(ends, radii, margin, torus_x, torus_y)


@kernel
def _noted(ends, radius, margin, torus_x, torus_y):
    columns, lines, left, bottom, per_x, per_y, rounding = _divided(ends, radius, margin, torus_x, torus_y)
    start, none, nothing = np.zeros(columns * lines + 1, i32), np.empty(0, i32), np.empty(0)
    index = ShapeIndex(
        columns, lines, left, bottom, per_x, per_y, margin, torus_x, torus_y, start,
        none, nothing, nothing, nothing, nothing, nothing,
    )  # fmt: skip
    _note(ends, radius, rounding, index)
    total = i32(0)
    for cell in range(len(start)):
        total, start[cell] = i32(total + start[cell]), total
    ax, ay, bx, by = np.empty(total), np.empty(total), np.empty(total), np.empty(total)
    index = ShapeIndex(
        columns, lines, left, bottom, per_x, per_y, margin, torus_x, torus_y, start,
        np.empty(total, i32), ax, ay, bx, by, np.empty(total),
    )  # fmt: skip
    _note(ends, radius, rounding, index)
    for cell in range(len(start) - 1, 0, -1):
        start[cell] = start[cell - 1]
    start[0] = 0
    return index


@subroutine
def _divided(ends, radius, margin, torus_x, torus_y):
    """Return the number of columns and lines, the corner of cell 0, the cells per u along x and y, and the largest
    error of float32 positions.
    """
    if not len(ends):
        return i64(0), i64(0), 0.0, 0.0, 0.0, 0.0, 0.0
    left, bottom, right, top = np.inf, np.inf, -np.inf, -np.inf
    for n in range(len(ends)):
        reach = radius[n] + margin
        left, right = min(left, min(ends[n, 0], ends[n, 2]) - reach), max(right, max(ends[n, 0], ends[n, 2]) + reach)
        bottom, top = min(bottom, min(ends[n, 1], ends[n, 3]) - reach), max(top, max(ends[n, 1], ends[n, 3]) + reach)
    largest = max(max(abs(left), abs(right)), max(abs(bottom), abs(top)))
    width, height = max(right - left, 1e-3), max(top - bottom, 1e-3)
    if torus_x > 0.0:
        left, bottom, width, height = 0.0, 0.0, torus_x, torus_y
    side = np.sqrt(width * height / (CELLS_PER_SHAPE * len(ends) + 64))
    while True:
        columns, lines = max(i64(width / side), i64(1)), max(i64(height / side), i64(1))
        entries = 0.0
        for n in range(len(ends)):
            across, up = abs(ends[n, 2] - ends[n, 0]), abs(ends[n, 3] - ends[n, 1])
            both = 2.0 * (radius[n] + margin)
            entries += ((across + both) * columns / width + 2.0) * ((up + both) * lines / height + 2.0)
        if entries <= ENTRIES_PER_SHAPE * len(ends) or columns * lines == 1:
            break
        side *= 1.5
    rounding = max(largest, max(width, height)) * ROUNDING
    return columns, lines, left, bottom, columns / width, lines / height, rounding


@subroutine
def _note(ends, radius, rounding, index):
    """Count the shapes that touch each cell, or list them if the index has arrays; `start` is advanced for each."""
    half_x, half_y = 0.5 / index.per_x, 0.5 / index.per_y
    diagonal = np.sqrt(half_x * half_x + half_y * half_y)
    for n in range(len(ends)):
        ax, ay, bx, by = ends[n, 0], ends[n, 1], ends[n, 2], ends[n, 3]
        reach = radius[n] + index.margin + rounding
        first_column, last_column, first_line, last_line = _cells_around(index, ax, ay, bx, by, reach)
        for line in range(first_line, last_line + 1):
            for column in range(first_column, last_column + 1):
                x, y = index.left + (column + 0.5) / index.per_x, index.bottom + (line + 0.5) / index.per_y
                if distance_to_line(x, y, ax, ay, bx, by) > reach + diagonal:
                    continue
                cell, shift_x, shift_y = cell_at(index, column, line)
                if len(index.shape):
                    k = index.start[cell]
                    index.shape[k], index.radius[k] = n, radius[n]
                    index.ax[k], index.ay[k] = ax + shift_x, ay + shift_y
                    index.bx[k], index.by[k] = bx + shift_x, by + shift_y
                index.start[cell] += 1


@inlined
def _cells_around(index, ax, ay, bx, by, reach):
    """Return the first and last column and line that may be within `reach` of a line from a to b."""
    # On a torus, a cell farther away has a nearer copy, also for all places within the margin.
    reach_x = min(reach, 0.5 * index.torus_x + index.margin) if index.torus_x > 0 else reach
    reach_y = min(reach, 0.5 * index.torus_y + index.margin) if index.torus_y > 0 else reach
    columns = _cells(
        min(ax, bx) - reach_x, max(ax, bx) + reach_x, index.left, index.per_x, index.columns, index.torus_x
    )
    lines = _cells(min(ay, by) - reach_y, max(ay, by) + reach_y, index.bottom, index.per_y, index.lines, index.torus_y)
    return columns[0], columns[1], lines[0], lines[1]


@inlined
def _cells(low, high, origin, per_u, cells, torus):
    first, last = i64(np.floor((low - origin) * per_u)), i64(np.floor((high - origin) * per_u))
    return (first, last) if torus > 0 else (max(first, i64(0)), min(last, i64(cells - 1)))


@inlined
def cell_at(index, column, line):
    """Return the cell in a column and line, which on a torus may lie beyond the border; -1 if there is none.

    Also return its shift along x and y: shapes listed there are at their stored position minus this shift, relative to
    the given column and line.
    """
    if 0 <= column < index.columns and 0 <= line < index.lines:
        return line * index.columns + column, 0.0, 0.0
    if index.torus_x > 0:
        rounds_x, rounds_y = np.floor(column / index.columns), np.floor(line / index.lines)
        cell = (line - i64(rounds_y) * index.lines) * index.columns + column - i64(rounds_x) * index.columns
        return cell, -rounds_x * index.torus_x, -rounds_y * index.torus_y
    return i64(-1), 0.0, 0.0


@inlined
def noted_at(index, x, y):
    """Return the range (first, last) in the arrays of the shapes listed at a place in the world."""
    if index.columns == 0:
        return i64(0), i64(0)
    column = i64(np.floor((x - index.left) * index.per_x))
    line = i64(np.floor((y - index.bottom) * index.per_y))
    if index.torus_x > 0:
        column, line = min(max(column, i64(0)), i64(index.columns - 1)), min(max(line, i64(0)), i64(index.lines - 1))
    if not (0 <= column < index.columns and 0 <= line < index.lines):
        return i64(0), i64(0)
    cell = line * index.columns + column
    return i64(index.start[cell]), i64(index.start[cell + 1])


@inlined
def cell_around(index, x, y):
    """Return the cell of a place, -1 if there is none, and the shift to add to the place (see `cell_at`)."""
    if index.columns == 0:
        return i64(-1), 0.0, 0.0
    column = i64(np.floor((x - index.left) * index.per_x))
    line = i64(np.floor((y - index.bottom) * index.per_y))
    return cell_at(index, column, line)


@inlined
def nearest_on_line(x, y, ax, ay, bx, by):
    """Return the point of a line from a to b that is nearest to a place."""
    dx, dy = bx - ax, by - ay
    square = dx * dx + dy * dy
    share = ((x - ax) * dx + (y - ay) * dy) / square if square > 0.0 else 0.0
    share = min(max(share, 0.0), 1.0)
    return ax + share * dx, ay + share * dy


@inlined
def distance_to_line(x, y, ax, ay, bx, by):
    """Return the distance from a place to the line from a to b, u."""
    qx, qy = nearest_on_line(x, y, ax, ay, bx, by)
    return np.sqrt((x - qx) * (x - qx) + (y - qy) * (y - qy))
