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


@inlined
def cell_of(axis, place):
    """Return the cell of a coordinate, int64; below 0 or above the last one if it lies beyond the ends."""
    return i64(np.floor((place - axis.origin) * axis.per_u))


@inlined
def nearest_cell(axis, place):
    """Return the cell of a coordinate, int32; beyond the ends, the first or last one."""
    return min(max(i32((place - axis.origin) * axis.per_u), i32(0)), i32(axis.cells - 1))


@inlined
def begin_of(axis, cell):
    """Return the coordinate at which a cell begins; between cells for fractions."""
    return axis.origin + cell / axis.per_u


@inlined
def is_on(axis, cell):
    """Return whether a cell lies between the ends."""
    return 0 <= cell < axis.cells


@inlined
def axes_of(divided):
    """Return the axes of a named tuple that has their numbers as `origin_x`, `per_x`, `cells_x`, `torus_x`, ...

    The arguments of parallel kernels can't hold tuples within tuples, so an index keeps its numbers flat.
    """
    return (
        Axis(divided.origin_x, divided.per_x, divided.cells_x, divided.torus_x),
        Axis(divided.origin_y, divided.per_y, divided.cells_y, divided.torus_y),
    )


@inlined
def torus_in(divided):
    """Return the size of the torus along each axis, u, of such a named tuple; 0: not a torus."""
    return divided.torus_x, divided.torus_y


def flat(axes: Iterable[Axis]) -> list[Any]:
    """Return the numbers of axes in the order of such a named tuple: `origin_x`, `origin_y`, `per_x`, ..."""
    return [number for numbers in zip(*axes, strict=True) for number in numbers]
