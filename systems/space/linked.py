"""Finds groups of points that are linked by short distances, directly or through others."""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

from systems.engine.kernel import kernel, subroutine
from systems.exact.vector import add, dot, element, sub
from systems.space.axis import Axis, brought_on, cell_numbered, cell_of, is_on, number_of
from systems.space.torus import minimum_image

i64 = np.int64
LINK = 25.0  # u: the default distance below which two boids belong to one flock
ALONE = -1
SIDE = {2: 0.7071, 3: 0.5773}  # of the link: the diagonal of a cell is shorter than it, so all points in it are linked


def _ahead(axes: int) -> tuple[NDArray[np.int64], ...]:
    """Return the ways from a cell to half of the cells around it: pairs with the other half are found from there."""
    around = [way[::-1] for way in product(range(-2, 3), repeat=axes)]  # line by line
    return tuple(np.array(along, i64) for along in zip(*around[len(around) // 2 + 1 :], strict=True))


AHEAD = {axes: _ahead(axes) for axes in SIDE}


def linked_groups(
    places: tuple[NDArray[np.float64], ...], link: float, torus: tuple[float, ...] | None
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Find groups of two or more points linked by distances below `link` (u).

    Whole cells are joined, so a dense cell costs little more than a sparse one.

    Args:
        places: the coordinates of the points along each axis, (n,), u.
    Returns:
        The group of each point, int64 (n,), or ALONE; and the size of each group.
    """
    if not len(places[0]):
        return np.zeros(0, i64), np.zeros(0, i64)
    size = torus or (0.0,) * len(places)
    axes = tuple(_axis(*along, SIDE[len(places)] * link) for along in zip(places, size, strict=True))
    cell = _cells(places, axes)
    order = np.argsort(cell)
    cell = cell[order]
    start = np.append(np.flatnonzero(np.diff(cell, prepend=-1)), len(cell))
    cells, parent = cell[start[:-1]], np.arange(len(start) - 1)
    _join(cells, start, tuple(x[order] for x in places), axes, link, AHEAD[len(places)], size, parent)
    points = np.diff(start)
    sizes = np.bincount(parent, points, len(parent)).astype(i64)
    some = sizes >= 2
    number = np.where(some, np.cumsum(some) - 1, ALONE)
    groups = np.empty(len(cell), i64)
    groups[order] = number[parent].repeat(points)
    return groups, sizes[some]


def _axis(x: NDArray[np.float64], torus: float, side: float) -> Axis:
    per_u = 1.0 / side
    if torus:
        count = int(torus * per_u) + 1
        return Axis(0.0, count / torus, count, torus)
    low, high = float(x.min()), float(x.max())
    return Axis(low, per_u, int((high - low) * per_u) + 1, 0.0)


@kernel
def _cells(places, axes):
    """Return the number of each point's cell, int64 (n,)."""
    found = np.empty(len(places[0]), i64)
    for k in range(len(found)):
        found[k] = number_of(axes, brought_on(axes, cell_of(axes, element(places, k))))
    return found


@kernel
def _join(cells, start, places, axes, link, ahead, torus, parent):
    """Join cells, by ascending number, if a point of one is linked with a point of the other.

    Afterwards `parent` is the first cell of each cell's set.
    """
    for n in range(len(ahead[0])):
        at, before = 0, -1
        for one in range(len(cells)):
            cell = add(cell_numbered(axes, cells[one]), element(ahead, n))
            if not is_on(axes, cell):
                if torus[0] == 0.0:
                    continue
                cell = brought_on(axes, cell)
            wanted = number_of(axes, cell)
            if wanted < before:
                at = int(np.searchsorted(cells, wanted))
            before = wanted
            while at < len(cells) and cells[at] < wanted:
                at += 1
            if at < len(cells) and cells[at] == wanted:
                a, b = _root(parent, one), _root(parent, at)
                if a != b and _linked(one, at, start, places, link, torus):
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
def _linked(one, other, start, places, link, torus):
    for i in range(start[one], start[one + 1]):
        for j in range(start[other], start[other + 1]):
            offset = minimum_image(sub(element(places, j), element(places, i)), torus)
            if dot(offset, offset) < link * link:
                return True
    return False
