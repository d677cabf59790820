"""The axes of a division of space into cells: which cell a coordinate is in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from systems.engine.kernel import inlined

i32, i64 = np.int32, np.int64


class Axis(NamedTuple):
    """One axis, with float32 or float64 numbers.

    Attributes:
        origin: u, where cell 0 begins.
        per_u: cells per u.
        cells: the number of cells.
        torus: u, the length of the torus, where cell 0 follows the last one; 0: the axis has two ends.
    """

    origin: float | np.floating[Any]
    per_u: float | np.floating[Any]
    cells: int | np.integer[Any]
    torus: float | np.floating[Any]


class Cells(NamedTuple):
    """A division of the plane into cells: the numbers of its axes, flat.

    The arguments of parallel kernels can't hold tuples within tuples. A named tuple with more attributes than these,
    such as an index, is a division too.

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
        """The shape of arrays with an element for each cell: (lines, columns)."""
        return self.cells_y, self.cells_x


@inlined
def from_origin(axis, place):
    """Return how far a coordinate is from the origin, in cells."""
    return (place - axis.origin) * axis.per_u


@inlined
def cell_of(axis, place):
    """Return the cell of a coordinate, int64; below 0 or above the last one if it lies beyond the ends."""
    return i64(np.floor(from_origin(axis, place)))


@inlined
def nearest_cell(axis, place):
    """Return the cell of a coordinate, int32; beyond the ends, the first or last one."""
    return min(max(i32(from_origin(axis, place)), i32(0)), i32(axis.cells - 1))


@inlined
def begin_of(axis, cell):
    """Return the coordinate at which a cell begins; between cells for fractions."""
    return axis.origin + cell / axis.per_u


@inlined
def is_on(axis, cell):
    """Return whether a cell lies between the ends."""
    return 0 <= cell < axis.cells


@inlined
def cell_on(axis, cell):
    """Bring a cell that may lie beyond the ends onto the axis: around the torus, or else to the first or last cell."""
    return cell % axis.cells if axis.torus > 0 else min(max(cell, 0), axis.cells - 1)


@inlined
def axes_of(divided):
    """Return the axes of a division, see `Cells`."""
    return (
        Axis(divided.origin_x, divided.per_x, divided.cells_x, divided.torus_x),
        Axis(divided.origin_y, divided.per_y, divided.cells_y, divided.torus_y),
    )


@inlined
def torus_in(divided):
    """Return the size of the torus along each axis, u, of a division; 0: not a torus."""
    return divided.torus_x, divided.torus_y


def flat(axes: Iterable[Axis]) -> list[Any]:
    """Return the numbers of axes in the order of `Cells`: `origin_x`, `origin_y`, `per_x`, ..."""
    return [number for numbers in zip(*axes, strict=True) for number in numbers]
