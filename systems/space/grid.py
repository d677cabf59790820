"""A grid over the world: entities sorted by cell, so that a search around a place reads a few short ranges.

On a torus the cells divide the world; otherwise they cover the box around the entities. A cell is wider than the radius
for which it was made, by more than the error of float32 positions, so that all entities within that radius are in the
3 x 3 cells around, with depth 3 x 3 x 3. If a torus is too narrow for three cells, that axis has one.

A box can need far more cells than there are entities: one of them may be a million u away. Then fewer are stored along
each axis, and cell (i, j) is stored as (i modulo stored_x, j modulo stored_y), a hash that keeps adjacent cells
adjacent. A stored cell can therefore contain entities that are far apart; searches test distances anyway. Two empty
cells follow the box along x and one along every other axis, so that cells at opposite sides of it are not adjacent.
"""

from __future__ import annotations

from collections import namedtuple
from functools import lru_cache
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from systems.engine.kernel import inlined, kernel, parallel_kernel, prange, subroutine
from systems.engine.threads import own_threads
from systems.exact.items import items_of
from systems.exact.on_each_axis import on_each_axis
from systems.exact.vector import element, filled, higher, lower, set_element, sub, to_f64, to_i32
from systems.space.axis import Axis, axes_of, flat, nearest_cell, place_in_order, torus_in

f32, i32, u64 = np.float32, np.int32, np.uint64
Places = tuple[NDArray[np.float32], ...]
PADDING = 32  # elements after the last one that SIMD loops may read
FAR_AWAY = 1e9  # u: the position of padding elements
CELLS_PER_ENTITY = 4
MOST_PORTIONS = 8  # sorted in parallel: each counts every stored cell
SAMPLE = 128  # entities from which the spacing of all is estimated


Division = tuple[Any, ...]
"""The numbers of a CellGrid: its fields before the arrays."""


CellGrid = namedtuple(
    "CellGrid",
    "origin_x origin_y per_x per_y cells_x cells_y torus_x torus_y stored_x stored_y start which x y",
)
DeepGrid = namedtuple(
    "DeepGrid",
    "origin_x origin_y origin_z per_x per_y per_z cells_x cells_y cells_z torus_x torus_y torus_z "
    "stored_x stored_y stored_z start which x y z",
)
"""Entities sorted by cell, line by line; in a `DeepGrid`, that of a world with depth, layer by layer.

Attributes:
    origin, per, cells, torus: those of each `Axis`, float32: the cells of the box or the torus.
    stored_x, stored_y, stored_z: the number of stored cells along each axis.
    start: int32 (stored cells + 1,), where the range of each stored cell begins in the arrays below.
    which: int32 (n + PADDING,), the row of the k-th entity, or its index among the places if these are no columns.
    x, y, z: float32 (n + PADDING,), its position; padding elements are far away.
"""


def build_grid(
    rows: NDArray[np.int32],
    places: Places,
    radius: float,
    torus: tuple[float, ...] | None,
) -> Any:
    """Sort the entities of these rows into cells at least `radius` wide.

    Args:
        rows: int32 (n,), or indexes into the places.
        places: for each axis, a column of positions, or another array.
        torus: the size of a torus along each axis; None: the grid covers the box around the entities.
    Returns:
        a `CellGrid`, or with three axes a `DeepGrid`.
    """
    grid = unsorted_grid(rows, places, radius, torus)
    if len(rows):
        sort(rows, places, grid)
    else:  # in many worlds: then the kernel need not be compiled
        grid.start.fill(0)
        grid.which.fill(0)
        for array in grid[-len(places) :]:
            array.fill(FAR_AWAY)
    return grid


def unsorted_grid(rows: NDArray[np.int32], places: Places, radius: float, torus: tuple[float, ...] | None) -> Any:
    """Return a grid like `build_grid`, whose arrays `sort` has still to fill."""
    most = CELLS_PER_ENTITY * len(rows) + 64
    numbers = _cells_of_torus(torus, radius, most) if torus else _cells_of_box(rows, places, radius, most)
    count = len(rows) + PADDING
    start, order = np.empty(prod(numbers[-len(places) :]) + 1, i32), np.empty(count, i32)
    kind: Any = CellGrid if len(places) == 2 else DeepGrid
    return kind(*numbers, start, order, *(np.empty(count, f32) for _ in places))


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
    nothing = (0.0,) * len(places)
    low, size = _box(rows, places) if len(rows) else (nothing, nothing)
    side = max(radius, 1e-3) + max(*size, *map(abs, low)) * 2.0**-20
    if prod(along / side + 1 for along in size) > most:
        roomy = _roomy(rows, places, most)
        if 2.0 * roomy < side:
            most //= 4  # for separate crowds a quarter of the cells suffices; each stored cell costs time
        side = max(side, roomy)
    cells = [int(along / side) + 1 for along in size]
    axes = (Axis(f32(x), f32(1.0 / side), count, f32(0)) for x, count in zip(low, cells, strict=True))
    return *flat(axes), *_stored([cells[0] + 2, *(max(count + 1, 3) for count in cells[1:])], most)


def _cells(length: float, side: float) -> int:
    return max(int(min(length / side, 1e6)), 1)


def _stored(wanted: list[int], most: int) -> list[int]:
    """Return how many cells of a box are stored along each axis: those wanted, or fewer, at most `most` in all."""
    if prod(wanted) <= most:
        return wanted
    if len(wanted) == 1:
        return [most]
    *others, last = wanted
    last = min(last, max(int(most ** (1 / len(wanted))), most // prod(others)))
    return [*(_stored(others, most // last) if len(others) > 1 else [most // last]), last]


@kernel
def _roomy(rows: Any, places: Any, most: Any) -> Any:
    """Return a width of cells, u, with which all but the outermost entities of a sample take about `most` cells.

    If the entities form several crowds far from each other, cells are narrower: about 4 entities of a crowd fit in one.
    """
    count = min(len(rows), SAMPLE)
    sample, nearest = np.empty((len(places), count)), np.full(count, np.inf)
    for axis in range(len(places)):
        for k in range(count):
            sample[axis, k] = places[axis][rows[k * len(rows) // count]]
    for i in range(count):
        for j in range(count):
            square = 0.0
            for axis in range(len(places)):
                square += (sample[axis, i] - sample[axis, j]) ** 2
            if square > 0.0:
                nearest[i] = min(nearest[i], square)
    cut = count // 16
    area, longest = 1.0, 0.0
    for axis in range(len(places)):
        sample[axis].sort()
        size = sample[axis, count - 1 - cut] - sample[axis, cut]
        area, longest = area * size, max(longest, size)
    apart = np.median(nearest)
    if len(places) == 2:  # `together`: the side of a square, or a cube, with one entity
        bulk, together = np.sqrt(area / most), 2.0 * np.sqrt(apart * count / len(rows))
    else:
        bulk, together = np.cbrt(area / most), 2.0 * np.sqrt(apart) * np.cbrt(count / len(rows))
    bulk = max(bulk, longest / most)
    return min(1.1 * bulk * count / (count - 2 * cut), 2.0 * together)


@kernel
def _box(rows: Any, places: Any) -> Any:
    """Return the lowest corner of the box around these rows, and its size."""
    low, high = element(places, rows[0]), element(places, rows[0])
    for row in rows:
        low, high = lower(low, element(places, row)), higher(high, element(places, row))
    return to_f64(low), sub(to_f64(high), to_f64(low))


@parallel_kernel
def sort(rows, places, grid):
    """Sort the entities of these rows into the cells of a grid.

    This is a counting sort: each portion of the rows is counted and stored by one thread. The resulting order does not
    depend on the number of portions.
    """
    cell, counts = begin_sorting(rows, grid, own_threads())
    for portion in prange(len(counts)):
        count_portion(Sorting(rows, places, grid, cell, counts), portion)
    add_up(grid.start, counts)
    for portion in prange(len(counts)):
        _sort_portion(Sorting(rows, places, grid, cell, counts), portion)


@inlined
def _sort_portion(sorting, portion):
    first, last = stretch_of(sorting, portion)
    for k in range(first, last):
        sort_into(sorting, portion, k)


Sorting = namedtuple("Sorting", "rows places grid cell counts")
"""What is known while rows are sorted into a grid, in portions.

Attributes:
    rows, places: see `build_grid`.
    cell: int32 (n,), the stored cell of each row.
    counts: int32 (portions, cells), the number of rows of a portion in a stored cell; after `add_up`, the index
        where the next one is stored.
"""


@subroutine
def begin_sorting(rows, grid, threads):
    """Write the padding after the last row; return `cell`, not filled yet, and `counts`, all 0, of a `Sorting`."""
    for k in range(len(rows), len(rows) + PADDING):
        grid.which[k] = 0
        set_element(places_in(grid), k, filled(torus_in(grid), f32(FAR_AWAY)))
    return np.empty(len(rows), i32), np.zeros((min(threads, MOST_PORTIONS), len(grid.start) - 1), i32)


@inlined
def stretch_of(sorting, portion):
    """Return the range of rows (first, last) that belongs to a portion."""
    count, portions = len(sorting.rows), len(sorting.counts)
    return u64(count * portion // portions), u64(count * (portion + 1) // portions)


places_in, stored_in = items_of(""), items_of("stored_")
"""The positions of a grid's entities, and the number of stored cells along each axis, as vectors."""


@inlined
def place_at(grid, k):
    """Return the position of the k-th entity of a grid, float32."""
    return element(places_in(grid), k)


@inlined
def stored_cell(grid, here):
    """Return the number of the stored cell of a place, int32; see the file's docstring."""
    stored = to_i32(stored_in(grid))
    return place_in_order(_stored_at(nearest_cell(axes_of(grid), here), stored), stored)


@on_each_axis
def _stored_at(n, stored):
    return n if n < stored else n % stored


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
def sort_into(sorting, portion, k):
    """Do the third step for the k-th row, which belongs to this portion: store it in the grid, and return its index."""
    grid, counts, cell, row = sorting.grid, sorting.counts, u64(sorting.cell[k]), sorting.rows[k]
    at = u64(counts[u64(portion), cell])
    counts[u64(portion), cell] += i32(1)
    grid.which[at] = row
    set_element(places_in(grid), at, element(sorting.places, u64(row)))
    return at
