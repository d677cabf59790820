"""Finds groups of points that are linked by short distances, directly or through others."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from systems.engine.kernel import kernel, subroutine
from systems.exact.vector import dot, element, sub
from systems.space.axis import Axis, cell_of, cell_on, is_on
from systems.space.torus import minimum_image

i64 = np.int64
LINK = 25.0  # u: the default distance below which two boids belong to one flock
ALONE = -1
# Half of the cells around a cell as (lines up, columns right): pairs with the other half are found from there.
AHEAD = np.array([(0, 1), (0, 2), *((line, column) for line in (1, 2) for column in range(-2, 3))], i64)

SIDE = 0.7071  # of the link: the diagonal of a cell is shorter than the link, so all points in it are linked


def linked_groups(
    places: tuple[NDArray[np.float64], ...], link: float, torus: tuple[float, float] | None
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Find groups of two or more points linked by distances below `link` (u).

    Whole cells are joined, so a dense cell costs little more than a sparse one.

    Args:
        places: x and y of the points, (n,) each, u.
    Returns:
        The group of each point, int64 (n,), or ALONE; and the size of each group.
    """
    if not len(places[0]):
        return np.zeros(0, i64), np.zeros(0, i64)
    x_axis, y_axis = (_axis(*along, link) for along in zip(places, torus or (0.0, 0.0), strict=True))
    cell = _cells(places, x_axis, y_axis)
    order = np.argsort(cell)
    cell = cell[order]
    start = np.append(np.flatnonzero(np.diff(cell, prepend=-1)), len(cell))
    cells, parent = cell[start[:-1]], np.arange(len(start) - 1)
    _join(cells, start, tuple(along[order] for along in places), (x_axis, y_axis), link, AHEAD, parent)
    members = np.diff(start)
    sizes = np.bincount(parent, members, len(parent)).astype(i64)
    some = sizes >= 2
    number = np.where(some, np.cumsum(some) - 1, ALONE)
    groups = np.empty(len(cell), i64)
    groups[order] = number[parent].repeat(members)
    return groups, sizes[some]


def _axis(place: NDArray[np.float64], torus: float, link: float) -> Axis:
    per_u = 1.0 / (SIDE * link)
    if torus:
        count = int(torus * per_u) + 1
        return Axis(0.0, count / torus, count, torus)
    low, high = float(place.min()), float(place.max())
    return Axis(low, per_u, int((high - low) * per_u) + 1, 0.0)


@kernel
def _cells(places, x_axis, y_axis):
    """Return the cell of each point, int64 (n,), counted line by line."""
    found = np.empty(len(places[0]), i64)
    for k in range(len(found)):
        here = element(places, k)
        line = cell_on(y_axis, cell_of(y_axis, here[1]))
        found[k] = line * x_axis.cells + cell_on(x_axis, cell_of(x_axis, here[0]))
    return found


@kernel
def _join(cells, start, places, axes, link, ahead, parent):
    """Join cells, given in ascending order, if a point of one is linked with a point of the other.

    Afterwards `parent` is the first cell of each cell's set.
    """
    x_axis, y_axis = axes
    torus = x_axis.torus, y_axis.torus
    line_of = cells // x_axis.cells
    column_of = cells - line_of * x_axis.cells
    for up, right in ahead:
        at, before = 0, -1
        for one in range(len(cells)):
            line, column = line_of[one] + up, column_of[one] + right
            if not is_on(x_axis, column) or not is_on(y_axis, line):
                if x_axis.torus == 0.0:
                    continue
                line, column = cell_on(y_axis, line), cell_on(x_axis, column)
            wanted = line * x_axis.cells + column
            if wanted < before:
                at = np.searchsorted(cells, wanted)
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
            away = minimum_image(sub(element(places, j), element(places, i)), torus)
            if dot(away, away) < link * link:
                return True
    return False
