"""A map of lower bounds for the distance to the nearest shape: most entities are far from all shapes, and skip the
exact tests.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from systems.engine.kernel import inlined, parallel_kernel, prange
from systems.exact.vector import length
from systems.space.axis import axes_of, cell_of, is_on
from systems.space.shape_index import ROUNDING, ShapeIndex
from systems.space.sweep import nearest_shape

f64, f32 = np.float64, np.float32
FINER = 3  # cells of the map per cell of the index, along each axis


class Clearance(NamedTuple):
    """For each cell, a lower bound for the distance from any place in it to the nearest shape.

    Attributes:
        origin, per, cells, torus: those of each `Axis`, float64; without cells if there are no shapes.
        outside: float64, u, the bound for all places outside the cells.
        least: float32 (columns * lines,), u; negative where a shape may be.
    """

    origin_x: float
    origin_y: float
    per_x: float
    per_y: float
    cells_x: int
    cells_y: int
    torus_x: float
    torus_y: float
    outside: float
    least: NDArray[np.float32]


def clearance_of(index: ShapeIndex) -> Clearance:
    """Compute the clearance of the shapes of an index; distances are at most about the index's margin."""
    columns, lines = FINER * index.cells_x, FINER * index.cells_y
    outside = index.margin if columns else np.inf
    if columns and index.torus_x > 0:
        outside = -np.inf  # outside the cells of a torus is the torus again
    clearance = Clearance(
        index.origin_x, index.origin_y, FINER * index.per_x, FINER * index.per_y, columns, lines,
        index.torus_x, index.torus_y, outside, np.empty(columns * lines, f32),
    )  # fmt: skip
    if columns:
        _measure(index, clearance)
    return clearance


@parallel_kernel
def _measure(index, clearance):
    x_axis, y_axis = axes_of(clearance)
    width, height = 1.0 / x_axis.per_u, 1.0 / y_axis.per_u
    size = abs(x_axis.origin) + abs(y_axis.origin) + x_axis.cells * width + y_axis.cells * height
    diagonal = 0.5 * length((width, height)) + size * 4.0 * ROUNDING
    for line in prange(y_axis.cells):
        _measure_line(index, clearance, line, width, height, diagonal)


@inlined
def _measure_line(index, clearance, line, width, height, diagonal):
    x_axis, y_axis = axes_of(clearance)
    for column in range(x_axis.cells):
        middle = x_axis.origin + (column + 0.5) * width, y_axis.origin + (line + 0.5) * height
        gap = min(nearest_shape(index, middle)[0], index.margin)
        clearance.least[line * x_axis.cells + column] = f32(gap - diagonal)


@inlined
def clear_by(clearance, here):
    """Return a lower bound for the distance from a place (float64) to the nearest shape, u; -infinity if unknown."""
    x_axis, y_axis = axes_of(clearance)
    column, line = cell_of(x_axis, here[0]), cell_of(y_axis, here[1])
    if is_on(x_axis, column) and is_on(y_axis, line):
        return f64(clearance.least[line * x_axis.cells + column])
    return clearance.outside
