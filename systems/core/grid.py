"""A grid over the world: entities sorted by cell, so that whoever looks around reads a few short stretches.

On a torus the cells divide the world; elsewhere they cover the box around the living. A cell is wider than the
radius it was made for by more than float32 can misplace anyone, so whoever is within that radius stands in the
3 x 3 cells around. Where a torus is too narrow for three cells, that axis has one.
"""

# mypy: allow-untyped-defs
# (numba finds out the types of kernels)

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from systems.core.kernel import inlined, kernel, parallel_kernel, prange

f32, i32 = np.float32, np.int32
PADDING = 32  # elements after the last one that vector loops may read
CELLS_PER_ENTITY = 4


class Grid(NamedTuple):
    """Entities in order of their cell (row of cells by row of cells).

    Attributes:
        columns, lines: how many cells along x and y.
        left, bottom: float32, the corner of cell 0.
        per_x, per_y: float32, cells per u.
        torus_x, torus_y: float32, the width and height after which the world repeats; 0: it does not.
        start: int32 (columns * lines + 1,), where each cell's stretch begins in the arrays below.
        row: int32 (n + PADDING,), table row of the k-th entity in order.
        x, y: float32 (n + PADDING,), its position; the padding is far away.
    """

    columns: int
    lines: int
    left: np.float32
    bottom: np.float32
    per_x: np.float32
    per_y: np.float32
    torus_x: np.float32
    torus_y: np.float32
    start: NDArray[np.int32]
    row: NDArray[np.int32]
    x: NDArray[np.float32]
    y: NDArray[np.float32]


def build_grid(
    rows: NDArray[np.int32],
    x: NDArray[np.float32],
    y: NDArray[np.float32],
    radius: float,
    torus: tuple[float, float] | None,
) -> Grid:
    """Sort the entities of these rows into cells at least `radius` wide.

    Args:
        rows: int32 (n,), table rows.
        x, y: position columns.
        torus: width and height of a world that repeats; None: the grid covers the box around the entities.
    """
    if torus:
        left, bottom, (width, height) = 0.0, 0.0, torus
    else:
        left, bottom, right, top = _box(rows, x, y)
        width, height = max(right - left, 1e-3), max(top - bottom, 1e-3)
    reach = max(width, height, abs(left), abs(bottom))
    side = max(radius, 1e-3) + reach * 2.0**-20
    most = CELLS_PER_ENTITY * len(rows) + 64
    columns, lines = _cells(width, side), _cells(height, side)
    while columns * lines > most:
        side *= max(1.1, (columns * lines / most) ** 0.5)
        columns, lines = _cells(width, side), _cells(height, side)
    if torus:
        columns, lines = (cells if cells >= 3 else 1 for cells in (columns, lines))
    per_x, per_y = f32(columns / width), f32(lines / height)
    start, order, cell = (
        np.zeros(columns * lines + 1, i32),
        np.empty(len(rows) + PADDING, i32),
        np.empty(len(rows), i32),
    )
    sorted_x, sorted_y = np.empty(len(order), f32), np.empty(len(order), f32)
    _find_cells(rows, x, y, f32(left), f32(bottom), per_x, per_y, columns, lines, cell)
    _counting_sort(rows, cell, start, order)
    _gather(order, x, y, sorted_x, sorted_y)
    wraps = torus or (0.0, 0.0)
    return Grid(
        columns,
        lines,
        f32(left),
        f32(bottom),
        per_x,
        per_y,
        f32(wraps[0]),
        f32(wraps[1]),
        start,
        order,
        sorted_x,
        sorted_y,
    )


def _cells(length: float, side: float) -> int:
    return max(int(min(length / side, 1e6)), 1)


@kernel
def _box(rows: Any, x: Any, y: Any) -> Any:
    left, bottom, right, top = f32(np.inf), f32(np.inf), f32(-np.inf), f32(-np.inf)
    for row in rows:
        left, right = min(left, x[row]), max(right, x[row])
        bottom, top = min(bottom, y[row]), max(top, y[row])
    if len(rows) == 0:
        return 0.0, 0.0, 0.0, 0.0
    return np.float64(left), np.float64(bottom), np.float64(right), np.float64(top)


@inlined
def cell_along(place, origin, per_u, cells):
    """The cell index along one axis; places outside the grid count to its border cells."""
    return min(max(i32((place - origin) * per_u), i32(0)), i32(cells - 1))


@parallel_kernel
def _find_cells(rows, x, y, left, bottom, per_x, per_y, columns, lines, cell):
    for k in prange(len(rows)):
        column = cell_along(x[rows[k]], left, per_x, columns)
        line = cell_along(y[rows[k]], bottom, per_y, lines)
        cell[k] = line * columns + column


@kernel
def _counting_sort(rows, cell, start, order):
    for k in range(len(cell)):
        start[cell[k]] += 1
    total = i32(0)
    for c in range(len(start)):
        total, start[c] = i32(total + start[c]), total
    for k in range(len(cell)):
        order[start[cell[k]]] = rows[k]
        start[cell[k]] += 1
    for c in range(len(start) - 1, 0, -1):
        start[c] = start[c - 1]
    start[0] = 0
    order[len(cell) :] = 0


@parallel_kernel
def _gather(order, x, y, sorted_x, sorted_y):
    for k in prange(len(order) - PADDING):
        sorted_x[k] = x[order[k]]
        sorted_y[k] = y[order[k]]
    for k in range(len(order) - PADDING, len(order)):
        sorted_x[k] = sorted_y[k] = f32(1e9)
