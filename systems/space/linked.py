"""Finds groups of points that are linked by short distances, directly or through others."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from systems.engine.kernel import kernel, subroutine
from systems.space.torus import minimum_image

i64 = np.int64
LINK = 25.0  # u: the default distance below which two boids belong to one flock
ALONE = -1
# Half of the cells around a cell as (lines up, columns right): pairs with the other half are found from there.
AHEAD = np.array([(0, 1), (0, 2), *((line, column) for line in (1, 2) for column in range(-2, 3))], i64)

Places = NDArray[np.float64]


def linked_groups(
    x: Places, y: Places, link: float, torus: tuple[float, float] | None
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Find groups of two or more points linked by distances below `link` (u); x and y have the shape (n,), in u.

    The diagonal of a cell is shorter than `link`, so all points in a cell are linked. The algorithm therefore joins
    whole cells, and a dense cell costs little more than a sparse one.

    Returns:
        The group of each point, int64 (n,), or ALONE; and the size of each group.
    """
    if not len(x):
        return np.zeros(0, i64), np.zeros(0, i64)
    width, height = torus or (0.0, 0.0)
    column, columns = _cells(x, link, width)
    line, lines = _cells(y, link, height)
    cell = line * columns + column
    order = np.argsort(cell)
    cell = cell[order]
    start = np.append(np.flatnonzero(np.diff(cell, prepend=-1)), len(x))
    cells, parent = cell[start[:-1]], np.arange(len(start) - 1)
    _join(cells, start, x[order], y[order], (columns, lines), (width, height), link, AHEAD, parent)
    members = np.diff(start)
    sizes = np.bincount(parent, members, len(parent)).astype(i64)
    some = sizes >= 2
    number = np.where(some, np.cumsum(some) - 1, ALONE)
    groups = np.empty(len(x), i64)
    groups[order] = number[parent].repeat(members)
    return groups, sizes[some]


def _cells(place: Places, link: float, size: float) -> tuple[NDArray[np.int64], int]:
    """Return the index of each place's cell along one axis, and the number of cells."""
    side = 0.7071 * link
    if size:
        count = int(size / side) + 1
        return np.floor(place / size * count).astype(i64) % count, count
    column = np.floor((place - place.min()) / side).astype(i64)
    return column, int(column.max()) + 3


@kernel
def _join(cells, start, x, y, shape, torus, link, ahead, parent):
    """Join cells, given in ascending order, if a point of one is linked with a point of the other.

    Afterwards `parent` is the first cell of each cell's set.
    """
    columns, lines = shape
    line_of = cells // columns
    column_of = cells - line_of * columns
    for up, right in ahead:
        at, before = 0, -1
        for one in range(len(cells)):
            line, column = line_of[one] + up, column_of[one] + right
            if torus[0] > 0.0:
                if line >= lines:
                    line %= lines
                if column < 0 or column >= columns:
                    column %= columns
            elif column < 0 or column >= columns:
                continue
            wanted = line * columns + column
            if wanted < before:
                at = np.searchsorted(cells, wanted)
            before = wanted
            while at < len(cells) and cells[at] < wanted:
                at += 1
            if at < len(cells) and cells[at] == wanted:
                a, b = _root(parent, one), _root(parent, at)
                if a != b and _linked(one, at, start, x, y, link, torus):
                    parent[max(a, b)] = min(a, b)
    for n in range(len(parent)):
        parent[n] = _root(parent, n)


@subroutine
def _root(parent, n):
    """Return the root of the set to which cell n belongs (union-find with path halving)."""
    while parent[n] != n:
        parent[n] = parent[parent[n]]
        n = parent[n]
    return n


@subroutine
def _linked(one, other, start, x, y, link, torus):
    for i in range(start[one], start[one + 1]):
        for j in range(start[other], start[other + 1]):
            dx, dy = minimum_image((x[j] - x[i], y[j] - y[i]), torus)
            if dx * dx + dy * dy < link * link:
                return True
    return False
