"""Lists of neighbours, for systems that loop over them.

Each list is in the order of serials, which does not depend on rows, threads or cells: a sum along it is the same on
every machine, even of floats.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from components.motion import Position
from components.store.row_lists import Rows
from components.store.world import World
from systems.engine.kernel import inlined, kernel, parallel_kernel, prange
from systems.engine.settings import Settings
from systems.exact.vector import dot, element
from systems.space.axis import torus_in
from systems.space.grid import build_grid, place_at
from systems.space.torus import torus_of, toward
from systems.space.walk import cells_within, stretch

f32, i32, i64 = np.float32, np.int32, np.int64
FARTHEST = 1e7  # u: larger than any distance in a world


class NeighbourLists(NamedTuple):
    """Lists of neighbours: those of the k-th entity are `who[start[k] : start[k + 1]]`.

    Attributes:
        start: int64 (n + 1,), the beginning of each list in `who`.
        who: int32, table rows; in each list by ascending serial.
    """

    start: NDArray[np.int64]
    who: NDArray[np.int32]


def neighbour_lists(world: World, rows: Rows, radius: float | NDArray[Any]) -> NeighbourLists:
    """For each of these rows, find the other rows that are nearer than `radius`.

    On a torus the shortest distance counts. Entities at the same point are neighbours too. The test is
    `dx * dx + dy * dy < radius * radius` in float32, with dx and dy from `toward`.

    Args:
        rows: integers (n,), table rows of entities with a Position, each once: as `world.table.rows` returns them.
        radius: u, above 0; or that of each row, float (n,): then 0 is allowed, and means no neighbours. Time and memory
            grow with the number of pairs nearer than that.
    Returns:
        The lists, in the order of `rows`.
    Raises:
        ValueError: the radius is not a number above 0.
    """
    radii, width = _radii(radius, len(rows))
    order = np.argsort(world.table.serial[rows], kind="stable")
    row_of = rows[order].astype(i32)  # by rank: the k-th of all by serial has rank k
    places = tuple(column[row_of] for column in world.table.vectors("Position"))
    grid = build_grid(np.arange(len(rows), dtype=i32), places, width, world.resource(Settings).torus)
    start = np.zeros(len(rows) + 1, i64)
    _count(grid, order, radii, start, np.empty(0, i32))
    np.cumsum(start, out=start)
    who = np.empty(start[-1], i32)
    _fill(grid, order, radii, start, row_of, who)
    return NeighbourLists(start, who)


def _radii(radius: float | NDArray[Any], count: int) -> tuple[NDArray[np.float32], float]:
    """Return the radius of each row, and the width of cells with which they are found fast."""
    if not isinstance(radius, np.ndarray):
        checked = _checked(radius)
        return np.full(count, checked, f32), checked
    if radius.shape != (count,) or not (radius >= 0).all():
        raise ValueError(f"radius = {radius!r:.60}: must be a number above 0, or one for each of the {count} rows")
    radii = np.minimum(radius, FARTHEST).astype(f32)
    seeing = radii[radii > 0]
    return radii, float(np.median(seeing)) if len(seeing) else 1.0


def by_serial(world: World, rows: Rows) -> Rows:
    """Sort these rows by their entities' serials: the order in which floats of several entities may be added."""
    return rows[np.argsort(world.table.serial[rows], kind="stable")]


def neighbours(world: World, row: int, radius: float, among: Rows | None = None) -> Rows:
    """Return the rows of other entities nearer than `radius` to the entity in `row`, by ascending serial, int32.

    This checks each of `among`: to get the neighbours of many entities, use `neighbour_lists`.

    Args:
        row: of an entity with a Position.
        radius: u, above 0; the test is the same as in `neighbour_lists`.
        among: integers (n,), the rows to search; by default those of all entities with a Position.
    Raises:
        ValueError: the radius is not a number above 0.
    """
    table = world.table
    rows = table.rows(Position) if among is None else among
    found: Rows = _near(rows, table.vectors("Position"), row, f32(_checked(radius)), torus_of(world))
    return by_serial(world, found)


def _checked(radius: float) -> float:
    if not 0 < radius < math.inf:
        raise ValueError(f"radius = {radius!r}: must be a number above 0")
    return min(float(radius), FARTHEST)


@kernel
def _near(rows, places, here, radius, torus):
    found, count = np.empty(len(rows), i32), 0
    for row in rows:
        if row != here and _is_near(element(places, here), element(places, row), radius, torus):
            found[count] = row
            count += 1
    return found[:count]


@inlined
def _is_near(here, there, radius, torus):
    offset = toward(here, there, torus)
    return dot(offset, offset) < radius * radius


@parallel_kernel
def _count(grid, order, radii, start, nobody):
    for k in prange(len(order)):
        number = order[grid.which[k]]
        start[number + 1] = _visit(grid, k, radii[number], 0, nobody)


@parallel_kernel
def _fill(grid, order, radii, start, row_of, who):
    for k in prange(len(order)):
        _fill_one(grid, k, order[grid.which[k]], radii, start, row_of, who)


@inlined
def _fill_one(grid, me, number, radii, start, row_of, who):
    first, last = start[number], start[number + 1]
    _visit(grid, me, radii[number], first, who)
    _sort(who, first, last)
    for k in range(first, last):
        who[k] = row_of[who[k]]


@inlined
def _visit(grid, me, radius, first, who):
    """Count the neighbours of the entity at index `me` of the grid; write their ranks to `who` from `first` on, unless
    it is empty.
    """
    here, torus = place_at(grid, me), torus_in(grid)
    window = cells_within(grid, here, radius)
    count, wanted = 0, len(who) > 0
    for n in range(window.stretches):
        begin, end = stretch(grid, window, n)
        for k in range(begin, end):
            if k != me and _is_near(here, place_at(grid, k), radius, torus):
                if wanted:
                    who[first + count] = grid.which[k]
                count += 1
    return count


@inlined
def _sort(values, first, last):
    """Sort values[first:last] in place, ascending (Shell 1959)."""
    gap = (last - first) // 2
    while gap > 0:
        for k in range(first + gap, last):
            value, at = values[k], k
            while at >= first + gap and values[at - gap] > value:
                values[at] = values[at - gap]
                at -= gap
            values[at] = value
        gap = gap // 2 if gap == 2 else gap * 5 // 11
