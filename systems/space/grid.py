"""A grid over the world: entities sorted by cell, so that a search around a place reads a few short ranges.

On a torus the cells divide the world; otherwise they cover the box around the entities. A cell is wider than the radius
for which it was made, by more than the error of float32 positions, so that all entities within that radius are in the
3 x 3 cells around. If a torus is too narrow for three cells, that axis has one.

A box can need far more cells than there are entities: one of them may be a million u away. Then fewer columns and
lines are stored, and cell (i, j) is stored as (i modulo columns, j modulo lines), a hash that keeps adjacent cells
adjacent. A stored cell can therefore contain entities that are far apart; searches test distances anyway. Two empty
columns and an empty line follow the box, so that cells at opposite sides of it are not adjacent.
"""

from __future__ import annotations

from functools import lru_cache
from math import isqrt, prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from systems.engine.kernel import inlined, kernel, parallel_kernel, prange, subroutine
from systems.engine.threads import own_threads
from systems.exact.vector import element
from systems.space.axis import Axis, axes_of, flat, nearest_cell

f32, i32, u64 = np.float32, np.int32, np.uint64
Places = tuple[NDArray[np.float32], ...]
PADDING = 32  # elements after the last one that vector loops may read
FAR_AWAY = 1e9  # u: the position of padding elements
CELLS_PER_ENTITY = 4
MOST_PORTIONS = 8  # sorted in parallel: each counts every cell
SAMPLE = 128  # entities from which the spacing of all is estimated


Division = tuple[Any, ...]
"""The numbers of a CellGrid: its fields before the arrays."""


class CellGrid(NamedTuple):
    """Entities sorted by cell, line by line.

    Attributes:
        origin, per, cells, torus: those of each `Axis`, float32: the cells of the box or the torus.
        columns, lines: the number of stored cells along x and y.
        start: int32 (columns * lines + 1,), where each cell's range begins in the arrays below.
        row: int32 (n + PADDING,), the table row of the k-th entity.
        x, y: float32 (n + PADDING,), its position; padding elements are far away.
    """

    origin_x: np.float32
    origin_y: np.float32
    per_x: np.float32
    per_y: np.float32
    cells_x: int
    cells_y: int
    torus_x: np.float32
    torus_y: np.float32
    columns: int
    lines: int
    start: NDArray[np.int32]
    row: NDArray[np.int32]
    x: NDArray[np.float32]
    y: NDArray[np.float32]


def build_grid(
    rows: NDArray[np.int32],
    places: Places,
    radius: float,
    torus: tuple[float, ...] | None,
) -> CellGrid:
    """Sort the entities of these rows into cells at least `radius` wide.

    Args:
        rows: int32 (n,), table rows.
        places: for each axis, a column of positions.
        torus: the size of a torus along each axis; None: the grid covers the box around the entities.
    """
    grid = unsorted_grid(rows, places, radius, torus)
    if len(rows):
        sort(rows, places, grid)
    else:  # in many worlds: then the kernel need not be compiled
        for array, number in ((grid.start, 0), (grid.row, 0), (grid.x, FAR_AWAY), (grid.y, FAR_AWAY)):
            array.fill(number)
    return grid


def unsorted_grid(rows: NDArray[np.int32], places: Places, radius: float, torus: tuple[float, ...] | None) -> CellGrid:
    """Return a grid like `build_grid`, whose arrays `sort` has still to fill."""
    most = CELLS_PER_ENTITY * len(rows) + 64
    numbers = _cells_of_torus(torus, radius, most) if torus else _cells_of_box(rows, places, radius, most)
    count = len(rows) + PADDING
    start, order = np.empty(numbers[-1] * numbers[-2] + 1, i32), np.empty(count, i32)
    arrays: Any = start, order, np.empty(count, f32), np.empty(count, f32)
    return CellGrid(*numbers, *arrays)


@lru_cache(maxsize=64)
def _cells_of_torus(torus: tuple[float, ...], radius: float, most: int) -> Division:
    side = max(radius, 1e-3) + max(torus) * 2.0**-20
    cells = [_cells(size, side) for size in torus]
    while prod(cells) > most:
        side *= max(1.1, (prod(cells) / most) ** (1 / len(torus)))
        cells = [_cells(size, side) for size in torus]
    stored = tuple(count if count >= 3 else 1 for count in cells)
    pairs = zip(stored, torus, strict=True)
    return *flat(Axis(f32(0), f32(count / size), count, f32(size)) for count, size in pairs), *stored


def _cells_of_box(rows: NDArray[np.int32], places: Places, radius: float, most: int) -> Division:
    x, y = places
    left, bottom, right, top = _box(rows, x, y) if len(rows) else (0.0, 0.0, 0.0, 0.0)
    side = max(radius, 1e-3) + max(right - left, top - bottom, abs(left), abs(bottom)) * 2.0**-20
    if ((right - left) / side + 1) * ((top - bottom) / side + 1) > most:
        roomy = _roomy(rows, x, y, most)
        if 2.0 * roomy < side:
            most //= 4  # for separate crowds a quarter of the cells suffices; each stored cell costs time
        side = max(side, roomy)
    across, up = int((right - left) / side) + 1, int((top - bottom) / side) + 1
    per_u = f32(1.0 / side)
    axes = Axis(f32(left), per_u, across, f32(0)), Axis(f32(bottom), per_u, up, f32(0))
    return *flat(axes), *_kept(across, up, most)


def _cells(length: float, side: float) -> int:
    return max(int(min(length / side, 1e6)), 1)


def _kept(across: int, up: int, most: int) -> tuple[int, int]:
    """Return how many columns and lines of a box are stored: at least 3 each, and at most `most` cells."""
    columns, lines = across + 2, max(up + 1, 3)
    if columns * lines > most:
        lines = min(lines, max(isqrt(most), most // columns))
        columns = most // lines
    return columns, lines


@kernel
def _roomy(rows: Any, x: Any, y: Any, most: Any) -> Any:
    """Return a width of cells, u, with which all but the outermost entities of a sample take about `most` cells.

    If the entities form several crowds far from each other, cells are narrower: about 4 entities of a crowd fit in one.
    """
    count = min(len(rows), SAMPLE)
    px, py, nearest = np.empty(count), np.empty(count), np.full(count, np.inf)
    for k in range(count):
        px[k], py[k] = x[rows[k * len(rows) // count]], y[rows[k * len(rows) // count]]
    for i in range(count):
        for j in range(count):
            square = (px[i] - px[j]) ** 2 + (py[i] - py[j]) ** 2
            if square > 0.0:
                nearest[i] = min(nearest[i], square)
    px.sort()
    py.sort()
    cut = count // 16
    width, height = px[count - 1 - cut] - px[cut], py[count - 1 - cut] - py[cut]
    bulk = max(np.sqrt(width * height / most), max(width, height) / most)
    together = 2.0 * np.sqrt(np.median(nearest) * count / len(rows))  # side of a square with one entity
    return min(1.1 * bulk * count / (count - 2 * cut), 2.0 * together)


@kernel
def _box(rows: Any, x: Any, y: Any) -> Any:
    left, bottom, right, top = f32(np.inf), f32(np.inf), f32(-np.inf), f32(-np.inf)
    for row in rows:
        left, right = min(left, x[row]), max(right, x[row])
        bottom, top = min(bottom, y[row]), max(top, y[row])
    return np.float64(left), np.float64(bottom), np.float64(right), np.float64(top)


@parallel_kernel
def sort(rows, places, grid):
    """Sort the entities of these rows into the cells of a grid.

    This is a counting sort: each portion of the rows is counted and placed by one thread. The resulting order does not
    depend on the number of portions.
    """
    cell, counts = begin_sorting(rows, grid, own_threads())
    for portion in prange(len(counts)):
        count_portion(Sorting(rows, places, grid, cell, counts), portion)
    add_up(grid.start, counts)
    for portion in prange(len(counts)):
        _place_portion(Sorting(rows, places, grid, cell, counts), portion)


@inlined
def _place_portion(sorting, portion):
    first, last = stretch_of(sorting, portion)
    for k in range(first, last):
        place(sorting, portion, k)


class Sorting(NamedTuple):
    """The state of sorting rows into a grid, in portions.

    Attributes:
        rows, places: see `build_grid`.
        cell: int32 (n,), the cell of each row.
        counts: int32 (portions, cells), the number of rows of a portion in a cell; after `add_up`, the index where the
            next one is placed.
    """

    rows: NDArray[np.int32]
    places: tuple[NDArray[np.float32], ...]
    grid: CellGrid
    cell: NDArray[np.int32]
    counts: NDArray[np.int32]


@subroutine
def begin_sorting(rows, grid, threads):
    """Write the padding after the last row; return `cell`, not filled yet, and `counts`, all 0, of a `Sorting`."""
    for k in range(len(rows), len(rows) + PADDING):
        grid.row[k] = 0
        _set_place(grid, k, (FAR_AWAY, FAR_AWAY))
    return np.empty(len(rows), i32), np.zeros((min(threads, MOST_PORTIONS), len(grid.start) - 1), i32)


@inlined
def stretch_of(sorting, portion):
    """Return the range of rows (first, last) that belongs to a portion."""
    count, portions = len(sorting.rows), len(sorting.counts)
    return u64(count * portion // portions), u64(count * (portion + 1) // portions)


@inlined
def place_at(grid, k):
    """Return the position of the k-th entity of a grid, float32."""
    return grid.x[k], grid.y[k]


@inlined
def _set_place(grid, k, here):
    grid.x[k], grid.y[k] = here


@inlined
def stored_cell(grid, here):
    """Return the index of the stored cell of a place, int32; see the file's docstring."""
    x_axis, y_axis = axes_of(grid)
    columns, lines = i32(grid.columns), i32(grid.lines)
    column, line = nearest_cell(x_axis, here[0]), nearest_cell(y_axis, here[1])
    return _kept_along(line, lines) * columns + _kept_along(column, columns)


@inlined
def _kept_along(cell, stored):
    return cell if cell < stored else cell % stored


@inlined
def count_portion(sorting, portion):
    """Do the first step: compute the cell of each row of a portion, and count the rows in each cell."""
    grid, counts = sorting.grid, sorting.counts
    first, last = stretch_of(sorting, portion)
    for k in range(first, last):
        cell = stored_cell(grid, element(sorting.places, u64(sorting.rows[k])))
        sorting.cell[k] = cell
        counts[u64(portion), u64(cell)] += i32(1)


@inlined
def add_up(start, counts):
    """Do the second step: compute where each cell begins, and where each portion begins in it (prefix sums)."""
    total = i32(0)
    for c in range(u64(counts.shape[1])):
        start[c] = total
        for portion in range(u64(len(counts))):
            total, counts[portion, c] = i32(total + counts[portion, c]), total
    start[counts.shape[1]] = total


@inlined
def place(sorting, portion, k):
    """Do the third step for the k-th row, which belongs to this portion: store it in the grid, and return its index."""
    grid, counts, cell, row = sorting.grid, sorting.counts, u64(sorting.cell[k]), sorting.rows[k]
    at = u64(counts[u64(portion), cell])
    counts[u64(portion), cell] += i32(1)
    grid.row[at] = row
    _set_place(grid, at, element(sorting.places, u64(row)))
    return at
