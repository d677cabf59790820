"""A map of lower bounds for the distance to the nearest shape: most entities are far from all shapes, and skip the
exact tests.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from systems.engine.kernel import inlined, parallel_kernel, prange
from systems.space.shape_index import ROUNDING, ShapeIndex
from systems.space.sweep import nearest_shape

f64, i64, f32 = np.float64, np.int64, np.float32
FINER = 3  # cells of the map per cell of the index, along each axis


class Clearance(NamedTuple):
    """For each cell, a lower bound for the distance from any place in it to the nearest shape.

    Attributes:
        columns, lines: the number of cells along x and y; 0 if there are no shapes.
        left, bottom: float64, u, the corner of cell 0.
        per_x, per_y: float64, cells per u.
        outside: float64, u, the bound for all places outside the cells.
        least: float32 (columns * lines,), u; negative where a shape may be.
    """

    columns: int
    lines: int
    left: float
    bottom: float
    per_x: float
    per_y: float
    outside: float
    least: NDArray[np.float32]


def clearance_of(index: ShapeIndex) -> Clearance:
    """Compute the clearance of the shapes of an index; distances are at most about the index's margin."""
    columns, lines = FINER * index.columns, FINER * index.lines
    outside = index.margin if columns else np.inf
    if columns and index.torus_x > 0:
        outside = -np.inf  # outside the cells of a torus is the torus again
    clearance = Clearance(
        columns, lines, index.left, index.bottom, FINER * index.per_x, FINER * index.per_y, outside,
        np.empty(columns * lines, f32),
    )  # fmt: skip
    if columns:
        _measure(index, clearance)
    return clearance


@parallel_kernel
def _measure(index, clearance):
    width, height = 1.0 / clearance.per_x, 1.0 / clearance.per_y
    size = abs(clearance.left) + abs(clearance.bottom) + clearance.columns * width + clearance.lines * height
    diagonal = 0.5 * np.sqrt(width * width + height * height) + size * 4.0 * ROUNDING
    for line in prange(clearance.lines):
        _measure_line(index, clearance, line, width, height, diagonal)


@inlined
def _measure_line(index, clearance, line, width, height, diagonal):
    for column in range(clearance.columns):
        x, y = clearance.left + (column + 0.5) * width, clearance.bottom + (line + 0.5) * height
        gap = min(nearest_shape(index, x, y)[0], index.margin)
        clearance.least[line * clearance.columns + column] = f32(gap - diagonal)


@inlined
def clear_by(clearance, x, y):
    """Return a lower bound for the distance from a place (float64) to the nearest shape, u; -infinity if unknown."""
    column, line = (x - clearance.left) * clearance.per_x, (y - clearance.bottom) * clearance.per_y
    if 0.0 <= column < clearance.columns and 0.0 <= line < clearance.lines:
        return f64(clearance.least[i64(line) * clearance.columns + i64(column)])
    return clearance.outside
