"""The axes of a division of space into cells: which numbers the cell of a place has."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from systems.engine.kernel import inlined
from systems.exact.items import items_of
from systems.exact.on_each_axis import on_each_axis
from systems.exact.vector import all_of

i32, i64 = np.int32, np.int64


class Axis(NamedTuple):
    """One axis, with float32 or float64 numbers.

    Attributes:
        origin: u, where the first cell begins.
        per_u: cells per u.
        cells: the number of cells.
        torus: u, the length of the torus, where the first cell follows the last one; 0: the axis has two ends.
    """

    origin: float | np.floating[Any]
    per_u: float | np.floating[Any]
    cells: int | np.integer[Any]
    torus: float | np.floating[Any]


class Cells(NamedTuple):
    """A division of the plane into cells: the numbers of its axes, flat.

    The arguments of parallel kernels can't hold tuples within tuples. A named tuple with more attributes than these,
    such as a spatial index, is a division too; with depth they are `DeepCells`.

    Attributes:
        origin, per, cells, torus: those of each `Axis`.
    """

    origin_x: float
    origin_y: float
    per_x: float
    per_y: float
    cells_x: int
    cells_y: int
    torus_x: float
    torus_y: float

    @property
    def shape(self) -> tuple[int, int]:
        """The shape of arrays with an element for each cell: line by line."""
        return self.cells_y, self.cells_x


DeepCells = namedtuple(
    "DeepCells",
    "origin_x origin_y origin_z per_x per_y per_z cells_x cells_y cells_z torus_x torus_y torus_z",
)


@inlined
def from_origin(axis, x):
    """Return how far a coordinate is from the origin, in cells."""
    return (x - axis.origin) * axis.per_u


@inlined
def cell_along(axis, x):
    """Return the number along the axis of the cell of a coordinate, int64; beyond the ends below 0 or too large."""
    return i64(np.floor(from_origin(axis, x)))


@inlined
def nearest_along(axis, x):
    """Return the number along the axis of the cell of a coordinate, int32; beyond the ends the first or last."""
    return min(max(i32(from_origin(axis, x)), i32(0)), i32(axis.cells - 1))


@inlined
def begin_along(axis, n):
    """Return the coordinate at which the n-th cell along the axis begins; between cells for fractions."""
    return axis.origin + n / axis.per_u


@inlined
def brought_along(axis, n):
    """Bring the number of a cell beyond the ends onto the axis: around the torus, or else to the first or last one."""
    return n % axis.cells if axis.torus > 0 else min(max(n, 0), axis.cells - 1)


cell_of = on_each_axis(cell_along)
"""cell_of(axes, place): the cell of a place, the vector of its numbers along the axes."""

nearest_cell = on_each_axis(nearest_along)
"""nearest_cell(axes, place): the cell of a place, or the one nearest to it."""


@on_each_axis
def centre_of(axes, cell):
    """Return the centre of a cell."""
    return begin_along(axes, cell + 0.5)


@on_each_axis
def half_of(axes):
    """Return half the size of a cell."""
    return 0.5 / axes.per_u


brought_on = on_each_axis(brought_along)
"""brought_on(axes, cell): a cell that may lie beyond the ends, brought onto the axes."""


@inlined
def is_on(axes, cell):
    """Return whether a cell lies between the ends of all axes."""
    return all_of(_is_between(cell, axes))


@on_each_axis
def _is_between(n, axis):
    return 0 <= n < axis.cells


@inlined
def number_of(axes, cell):
    """Return the number of a cell, counted line by line: those of a line follow each other along x."""
    if len(axes) == 2:
        return cell[1] * axes[0].cells + cell[0]
    return (cell[2] * axes[1].cells + cell[1]) * axes[0].cells + cell[0]


@inlined
def place_in_order(cell, counts):
    """Return the number of a cell, counted line by line, if there are so many cells along each axis."""
    if len(cell) == 2:
        return cell[1] * counts[0] + cell[0]
    return (cell[2] * counts[1] + cell[1]) * counts[0] + cell[0]


@inlined
def cell_numbered(axes, number):
    """Return the cell with a number: the inverse of `number_of`."""
    return cell_in_order(number, _count(axes))


@inlined
def cell_in_order(number, counts):
    """Return the cell with a number, if there are so many cells along each axis: the inverse of `place_in_order`."""
    line, x = number // counts[0], number % counts[0]
    return (x, line) if len(counts) == 2 else (x, line % counts[1], line // counts[1])


@on_each_axis
def _count(axis):
    return axis.cells


origins_in, cells_per_u_in, cells_in = items_of("origin_"), items_of("per_"), items_of("cells_")

torus_in = items_of("torus_")
"""torus_in(divided): the size of the torus along each axis, u, of a division; 0: not a torus."""


@on_each_axis
def _axis(origin, per_u, cells, torus):
    return Axis(origin, per_u, cells, torus)


@inlined
def axes_of(divided):
    """Return the axes of a division, see `Cells`."""
    return _axis(origins_in(divided), cells_per_u_in(divided), cells_in(divided), torus_in(divided))


def flat(axes: Iterable[Axis]) -> list[Any]:
    """Return the numbers of axes in the order of `Cells`: `origin_x`, `origin_y`, `per_x`, ..."""
    return [number for numbers in zip(*axes, strict=True) for number in numbers]
