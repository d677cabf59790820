"""An index of shapes, circles and thick lines: each cell of a grid lists the shapes that touch it.

A search at a place reads only one cell, so that thousands of shapes cost no more than the few that are near. A circle
is a line from its centre to its centre. Within each cell, shapes keep the order in which they are given: if that is
the order of serials, nothing depends on rows.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from components.motion import Position
from components.store.table import EntityTable
from systems.engine.kernel import inlined, kernel, subroutine
from systems.exact.vector import add, dot, element, length, read, scaled, set_element, sub
from systems.space.axis import Axis, axes_of, begin_of, cell_of, flat, is_on

i32, i64 = np.int32, np.int64
CELLS_PER_SHAPE = 16
ENTRIES_PER_SHAPE = 64  # at most, on average; otherwise cells are made wider
ROUNDING = 2.0**-20  # of the largest coordinate: the largest error of float32 positions


class Shapes(NamedTuple):
    """Circles and thick lines, in the order in which cells list them.

    Attributes:
        ends: float64 (n, 4), ax, ay, bx, by of each; both ends of a circle are its centre.
        radius: float64 (n,), u; half the thickness of a line.
        torus: width and height of a torus, or None.
    """

    ends: NDArray[np.float64]
    radius: NDArray[np.float64]
    torus: tuple[float, float] | None


class ShapeIndex(NamedTuple):
    """Shapes by cell.

    Attributes:
        origin, per, cells, torus: those of each `Axis`, float64; without cells if there are no shapes.
        margin: float64, u; each cell lists the shapes within this distance.
        start: int32 (columns * lines + 1,), where each cell's range begins in the arrays below.
        shape: int32 (n,), the index of the shape in the given order.
        ax, ay, bx, by: float64 (n,), its ends, of the copy that touches this cell.
        radius: float64 (n,), u.
    """

    origin_x: float
    origin_y: float
    per_x: float
    per_y: float
    cells_x: int
    cells_y: int
    torus_x: float
    torus_y: float
    margin: float
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
        axes = [Axis(0.0, 0.0, 0, size) for size in torus]
        arrays: Any = np.zeros(1, i32), np.empty(0, i32), *[np.empty(0)] * 5
        values: list[Any] = [*flat(axes), float(margin), *arrays]
        return ShapeIndex(*values)
    index: ShapeIndex = _listed(shapes.ends, shapes.radius, float(margin), torus)
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
    index: ShapeIndex = _circles_listed(rows, table.records(Position), radius, margin, torus or (0.0, 0.0))
    return index


@kernel
def _circles_listed(rows, position, radius, margin, torus):
    ends, radii = np.empty((len(rows), 4)), np.empty(len(rows))
    for n in range(len(rows)):
        here = read(position[rows[n]])
        ends[n, 0] = ends[n, 2] = here[0]
        ends[n, 1] = ends[n, 3] = here[1]
        radii[n] = radius[n]
    return _listed(ends, radii, margin, torus)


@kernel
def _listed(ends, radius, margin, torus):
    axes, rounding = _divided(ends, radius, margin, torus)
    start, none, nothing = np.zeros(axes[0].cells * axes[1].cells + 1, i32), np.empty(0, i32), np.empty(0)
    index = _index_of(axes, margin, start, none, nothing, nothing, nothing, nothing, nothing)
    _list(ends, radius, rounding, index)
    total = i32(0)
    for cell in range(len(start)):
        total, start[cell] = i32(total + start[cell]), total
    ax, ay, bx, by = np.empty(total), np.empty(total), np.empty(total), np.empty(total)
    index = _index_of(axes, margin, start, np.empty(total, i32), ax, ay, bx, by, np.empty(total))
    _list(ends, radius, rounding, index)
    for cell in range(len(start) - 1, 0, -1):
        start[cell] = start[cell - 1]
    start[0] = 0
    return index


@subroutine
def _index_of(axes, margin, start, shape, ax, ay, bx, by, radius):
    x, y = axes
    return ShapeIndex(
        x.origin, y.origin, x.per_u, y.per_u, x.cells, y.cells, x.torus, y.torus,
        margin, start, shape, ax, ay, bx, by, radius,
    )  # fmt: skip


@subroutine
def _divided(ends, radius, margin, torus):
    """Return the axes, and the largest error of float32 positions."""
    if not len(ends):
        return (Axis(0.0, 0.0, i64(0), torus[0]), Axis(0.0, 0.0, i64(0), torus[1])), 0.0
    left, bottom, right, top = np.inf, np.inf, -np.inf, -np.inf
    for n in range(len(ends)):
        distance = radius[n] + margin
        left, right = (
            min(left, min(ends[n, 0], ends[n, 2]) - distance),
            max(right, max(ends[n, 0], ends[n, 2]) + distance),
        )
        bottom, top = (
            min(bottom, min(ends[n, 1], ends[n, 3]) - distance),
            max(top, max(ends[n, 1], ends[n, 3]) + distance),
        )
    largest = max(max(abs(left), abs(right)), max(abs(bottom), abs(top)))
    width, height = max(right - left, 1e-3), max(top - bottom, 1e-3)
    if torus[0] > 0.0:
        left, bottom, width, height = 0.0, 0.0, torus[0], torus[1]
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
    axes = Axis(left, columns / width, columns, torus[0]), Axis(bottom, lines / height, lines, torus[1])
    return axes, rounding


@subroutine
def _list(ends, radius, rounding, index):
    """Count the shapes that touch each cell, or list them if the index has arrays; `start` is advanced for each."""
    x_axis, y_axis = axes_of(index)
    diagonal = length((0.5 / x_axis.per_u, 0.5 / y_axis.per_u))
    for n in range(len(ends)):
        a, b = (ends[n, 0], ends[n, 1]), (ends[n, 2], ends[n, 3])
        distance = radius[n] + index.margin + rounding
        first_column, last_column = _cells_within(x_axis, a[0], b[0], distance, index.margin)
        first_line, last_line = _cells_within(y_axis, a[1], b[1], distance, index.margin)
        for line in range(first_line, last_line + 1):
            for column in range(first_column, last_column + 1):
                middle = begin_of(x_axis, column + 0.5), begin_of(y_axis, line + 0.5)
                if distance_to_line(middle, a, b) > distance + diagonal:
                    continue
                cell, shift = cell_at(index, column, line)
                if len(index.shape):
                    k = index.start[cell]
                    index.shape[k], index.radius[k] = n, radius[n]
                    set_element((index.ax, index.ay), k, add(a, shift))
                    set_element((index.bx, index.by), k, add(b, shift))
                index.start[cell] += 1


@inlined
def _cells_within(axis, a, b, distance, margin):
    """Return the first and last cell along an axis that may be within `distance` of a line from a to b."""
    # On a torus, a cell farther away has a nearer copy, also for all places within the margin.
    distance = min(distance, 0.5 * axis.torus + margin) if axis.torus > 0 else distance
    first, last = cell_of(axis, min(a, b) - distance), cell_of(axis, max(a, b) + distance)
    return (first, last) if axis.torus > 0 else (max(first, i64(0)), min(last, i64(axis.cells - 1)))


@inlined
def cell_at(index, column, line):
    """Return the cell in a column and line, which on a torus may lie beyond the border; -1 if there is none.

    Also return its shift: shapes listed there are at their stored position minus this shift, relative to the given
    column and line.
    """
    x_axis, y_axis = axes_of(index)
    if is_on(x_axis, column) and is_on(y_axis, line):
        return line * x_axis.cells + column, (0.0, 0.0)
    if x_axis.torus > 0:
        rounds_x, rounds_y = np.floor(column / x_axis.cells), np.floor(line / y_axis.cells)
        cell = (line - i64(rounds_y) * y_axis.cells) * x_axis.cells + column - i64(rounds_x) * x_axis.cells
        return cell, (-rounds_x * x_axis.torus, -rounds_y * y_axis.torus)
    return i64(-1), (0.0, 0.0)


@inlined
def listed_at(index, here):
    """Return the range (first, last) in the arrays of the shapes listed at a place in the world."""
    x_axis, y_axis = axes_of(index)
    if x_axis.cells == 0:
        return i64(0), i64(0)
    column, line = cell_of(x_axis, here[0]), cell_of(y_axis, here[1])
    if x_axis.torus > 0:
        column = min(max(column, i64(0)), i64(x_axis.cells - 1))
        line = min(max(line, i64(0)), i64(y_axis.cells - 1))
    if not (is_on(x_axis, column) and is_on(y_axis, line)):
        return i64(0), i64(0)
    cell = line * x_axis.cells + column
    return i64(index.start[cell]), i64(index.start[cell + 1])


@inlined
def cell_around(index, here):
    """Return the cell of a place, -1 if there is none, and the shift to add to the place (see `cell_at`)."""
    x_axis, y_axis = axes_of(index)
    if x_axis.cells == 0:
        return i64(-1), (0.0, 0.0)
    return cell_at(index, cell_of(x_axis, here[0]), cell_of(y_axis, here[1]))


@inlined
def middle_of(index, k):
    """Return the centre of the k-th listed shape, a circle; of a line, where it begins."""
    return element((index.ax, index.ay), k)


@inlined
def ends_of(index, k):
    """Return both ends of the k-th listed shape."""
    return middle_of(index, k), element((index.bx, index.by), k)


@inlined
def nearest_on_line(here, a, b):
    """Return the point of a line from a to b that is nearest to a place."""
    along = sub(b, a)
    square = dot(along, along)
    share = dot(sub(here, a), along) / square if square > 0.0 else 0.0
    return add(a, scaled(along, min(max(share, 0.0), 1.0)))


@inlined
def distance_to_line(here, a, b):
    """Return the distance from a place to the line from a to b, u."""
    return length(sub(here, nearest_on_line(here, a, b)))
