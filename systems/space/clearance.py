"""A map of lower bounds for the distance to the nearest capsule: most entities are far from all capsules, and skip the
exact tests.
"""

from __future__ import annotations

from collections import namedtuple
from math import prod
from typing import Any

import numpy as np

from systems.engine.kernel import inlined, parallel_kernel, prange
from systems.exact.on_each_axis import on_each_axis
from systems.exact.vector import length
from systems.space.axis import axes_of, cell_numbered, cell_of, centre_of, flat, half_of, is_on, number_of
from systems.space.capsule_index import ROUNDING, index_axes
from systems.space.sweep import nearest_capsule

f64, f32, i64 = np.float64, np.float32, np.int64
FINER = {2: 3, 3: 2}  # cells of the map per cell of the capsules along each axis, by the number of axes


Clearance = namedtuple("Clearance", "origin_x origin_y per_x per_y cells_x cells_y torus_x torus_y outside least")
DeepClearance = namedtuple(
    "DeepClearance",
    "origin_x origin_y origin_z per_x per_y per_z cells_x cells_y cells_z torus_x torus_y torus_z outside least",
)
"""For each cell, a lower bound for the distance from any place in it to the nearest capsule; for balls in space a
`DeepClearance`.

Attributes:
    origin, per, cells, torus: those of each `Axis`, float64; without cells if there are no capsules.
    outside: float64, u, the bound for all places outside the cells.
    least: float32 (cells,), u; negative where a capsule may be.
"""

CLEARANCES: dict[int, Any] = {2: Clearance, 3: DeepClearance}


def clearance_of(capsules: Any) -> Any:
    """Compute the clearance of a `CapsuleIndex` or `DeepCapsuleIndex`; distances are at most about its margin."""
    axes = index_axes(capsules)
    finer, kind = FINER[len(axes)], CLEARANCES[len(axes)]
    axes = [axis._replace(per_u=finer * axis.per_u, cells=finer * axis.cells) for axis in axes]
    count = prod(axis.cells for axis in axes)
    outside = capsules.margin if count else np.inf
    if count and capsules.torus_x > 0:
        outside = -np.inf  # outside the cells of a torus is the torus again
    clearance = kind(*flat(axes), outside, np.empty(count, f32))
    if count:
        _measure(capsules, clearance)
    return clearance


@parallel_kernel
def _measure(capsules, clearance):
    axes = axes_of(clearance)
    diagonal = length(half_of(axes)) + length(_farthest(axes)) * 4.0 * ROUNDING
    for number in prange(len(clearance.least)):
        _measure_one(capsules, clearance, i64(number), diagonal)


@on_each_axis
def _farthest(axis):
    """Return a coordinate that is no nearer to 0 than any in the cells."""
    return abs(axis.origin) + axis.cells / axis.per_u


@inlined
def _measure_one(capsules, clearance, number, diagonal):
    axes = axes_of(clearance)
    gap = min(nearest_capsule(capsules, centre_of(axes, cell_numbered(axes, number)))[0], capsules.margin)
    clearance.least[number] = f32(gap - diagonal)


@inlined
def clear_by(clearance, here):
    """Return a lower bound for the distance from a place (float64) to the nearest capsule, u; -infinity if unknown."""
    axes = axes_of(clearance)
    cell = cell_of(axes, here)
    return f64(clearance.least[number_of(axes, cell)]) if is_on(axes, cell) else clearance.outside
