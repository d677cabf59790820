"""A spatial index of capsules, circles and thick segments: each cell lists the capsules that touch it.

A search at a place reads only one cell, so that thousands of capsules cost no more than the few that are near. A circle
is a segment from its centre to its centre; with depth it is a ball. Within each cell, capsules have the order in which
they are given: if that is the order of serials, nothing depends on rows.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from components.motion import Position
from components.store.fields import DEEP, FLAT
from components.store.table import EntityTable
from systems.engine.kernel import inlined, kernel, subroutine
from systems.exact.items import items_of
from systems.exact.on_each_axis import on_each_axis
from systems.exact.vector import (
    add,
    dot,
    element,
    filled,
    higher,
    largest,
    length,
    lower,
    product,
    read,
    scaled,
    set_element,
    sub,
    to_i64,
)
from systems.space.axis import (
    Axis,
    axes_of,
    brought_on,
    cell_along,
    cell_in_order,
    cell_of,
    centre_of,
    flat,
    half_of,
    is_on,
    nearest_cell,
    number_of,
    torus_in,
)

i32, i64 = np.int32, np.int64
CELLS_PER_CAPSULE = 16
ENTRIES_PER_CAPSULE = 64  # at most, on average; otherwise cells are made wider
ROUNDING = 2.0**-20  # of the largest coordinate: the largest error of float32 positions


class Capsules(NamedTuple):
    """Circles and thick segments, in the order in which cells list them.

    Attributes:
        ends: float64 (n, 4), ax, ay, bx, by of each, with depth (n, 6); both ends of a circle are its centre.
        radius: float64 (n,), u; half the thickness of a segment.
        torus: the size of a torus along each axis, or None.
    """

    ends: NDArray[np.float64]
    radius: NDArray[np.float64]
    torus: tuple[float, ...] | None


CapsuleIndex = namedtuple(
    "CapsuleIndex",
    "origin_x origin_y per_x per_y cells_x cells_y torus_x torus_y margin start which ax ay bx by radius",
)
DeepCapsuleIndex = namedtuple(
    "DeepCapsuleIndex",
    "origin_x origin_y origin_z per_x per_y per_z cells_x cells_y cells_z torus_x torus_y torus_z "
    "margin start which ax ay az bx by bz radius",
)
"""Capsules by cell; with depth a `DeepCapsuleIndex`.

Attributes:
    origin, per, cells, torus: those of each `Axis`, float64; without cells if there are no capsules.
    margin: float64, u; each cell lists the capsules within this distance.
    start: int32 (cells + 1,), where the range of each cell begins in the arrays below.
    which: int32 (n,), the index of the capsule in the given order.
    ax, ay, az, bx, by, bz: float64 (n,), its ends, of the copy that touches this cell.
    radius: float64 (n,), u.
"""


def build_capsule_index(capsules: Capsules, margin: float) -> Any:
    """List each capsule in every cell that is nearer to it than its radius plus `margin`, u.

    The cells cover the torus, or without one the box around the capsules.
    """
    count = capsules.ends.shape[1] // 2
    torus = capsules.torus or (0.0,) * count
    if not len(capsules.ends):  # in most worlds: then the kernels need not be compiled
        axes = [Axis(0.0, 0.0, 0, size) for size in torus]
        kind: Any = CapsuleIndex if count == 2 else DeepCapsuleIndex
        return kind(*flat(axes), float(margin), np.zeros(1, i32), np.empty(0, i32), *[np.empty(0)] * (2 * count + 1))
    return _listed(capsules.ends, capsules.radius, float(margin), torus)


def index_axes(index: Any) -> list[Axis]:
    """Return the axes of an index of capsules, outside of kernels."""
    names = DEEP if isinstance(index, DeepCapsuleIndex) else FLAT
    return [Axis(*(getattr(index, f"{item}_{axis}") for item in ("origin", "per", "cells", "torus"))) for axis in names]


def circles_around(
    table: EntityTable,
    rows: NDArray[np.int32],
    radius: NDArray[np.float32],
    margin: float,
    torus: tuple[float, ...] | None,
) -> Any:
    """Build the spatial index of circles around the positions of these rows; its capsules are indexes into `rows`.

    Args:
        radius: the radius of each circle, (n,), u.
        margin: see `build_capsule_index`.
        torus: the size of a torus along each axis, or None.
    """
    return _circles_listed(rows, table.records(Position), radius, margin, torus or (0.0,) * len(table.axes))


@kernel
def _circles_listed(rows, position, radius, margin, torus):
    ends, radii = np.empty((len(rows), 2 * len(torus))), np.empty(len(rows))
    for n in range(len(rows)):
        here = read(position[rows[n]])
        for axis in range(len(here)):
            ends[n, axis] = ends[n, len(here) + axis] = here[axis]
        radii[n] = radius[n]
    return _listed(ends, radii, margin, torus)


@kernel
def _listed(ends, radius, margin, torus):
    axes, rounding = _divided(ends, radius, margin, torus)
    start = np.zeros(product(_count(axes)) + 1, i32)
    capsules = _with_room(axes, margin, start, 0)
    _list(ends, radius, rounding, capsules)
    total = i32(0)
    for cell in range(len(start)):
        total, start[cell] = i32(total + start[cell]), total
    capsules = _with_room(axes, margin, start, total)
    _list(ends, radius, rounding, capsules)
    for cell in range(len(start) - 1, 0, -1):
        start[cell] = start[cell - 1]
    start[0] = 0
    return capsules


@subroutine
def _with_room(axes, margin, start, total):
    """Return the index, not filled yet, with room for so many listed capsules."""
    which, radius = np.empty(total, i32), np.empty(total)
    ax, ay, bx, by = np.empty(total), np.empty(total), np.empty(total), np.empty(total)
    x, y = axes[0], axes[1]
    if len(axes) == 2:
        return CapsuleIndex(
            x.origin, y.origin, x.per_u, y.per_u, x.cells, y.cells, x.torus, y.torus,
            margin, start, which, ax, ay, bx, by, radius,
        )  # fmt: skip
    z, az, bz = axes[2], np.empty(total), np.empty(total)
    return DeepCapsuleIndex(
        x.origin, y.origin, z.origin, x.per_u, y.per_u, z.per_u, x.cells, y.cells, z.cells, x.torus, y.torus, z.torus,
        margin, start, which, ax, ay, az, bx, by, bz, radius,
    )  # fmt: skip


@subroutine
def _divided(ends, radius, margin, torus):
    """Return the axes, and the largest error of float32 positions."""
    nothing = filled(torus, 0.0)
    if not len(ends):
        return _axes(nothing, filled(torus, 1.0), to_i64(nothing), torus), 0.0
    low, high = filled(torus, np.inf), filled(torus, -np.inf)
    for n in range(len(ends)):
        a, b = _given(ends, n, torus)
        around = filled(torus, radius[n] + margin)
        low, high = lower(low, sub(lower(a, b), around)), higher(high, add(higher(a, b), around))
    size = higher(sub(high, low), filled(torus, 1e-3))
    farthest = max(largest(low), largest(high))
    if torus[0] > 0.0:
        low, size = nothing, torus
    side = _side(size, product(size) / (CELLS_PER_CAPSULE * len(ends) + 64))
    while True:
        cells = _cells_in(size, side)
        entries = 0.0
        for n in range(len(ends)):
            a, b = _given(ends, n, torus)
            entries += product(_cells_listing(sub(b, a), 2.0 * (radius[n] + margin), cells, size))
        if entries <= ENTRIES_PER_CAPSULE * len(ends) or product(cells) == 1:
            break
        side *= 1.5
    return _axes(low, size, cells, torus), max(farthest, largest(size)) * ROUNDING


@inlined
def _side(like, space):
    """Return the side of a square with this area, or of a cube with this volume."""
    return np.sqrt(space) if len(like) == 2 else np.cbrt(space)


@inlined
def _given(ends, n, like):
    """Return both ends of the n-th of these capsules."""
    if len(like) == 2:
        return (ends[n, 0], ends[n, 1]), (ends[n, 2], ends[n, 3])
    return (ends[n, 0], ends[n, 1], ends[n, 2]), (ends[n, 3], ends[n, 4], ends[n, 5])


@on_each_axis
def _axes(origin, size, cells, torus):
    return Axis(origin, cells / size, cells, torus)


@on_each_axis
def _count(axis):
    return axis.cells


@on_each_axis
def _cells_in(size, side):
    return max(i64(size / side), i64(1))


@on_each_axis
def _cells_listing(along, both, cells, size):
    """Return about how many cells along each axis list a capsule; `both`: thickness, and the margin at both sides."""
    return (abs(along) + both) * cells / size + 2.0


@subroutine
def _list(ends, radius, rounding, capsules):
    """Count the capsules that touch each cell, or list them if there is room for them; `start` is advanced for each."""
    axes, torus = axes_of(capsules), torus_in(capsules)
    diagonal = length(half_of(axes))
    for n in range(len(ends)):
        a, b = _given(ends, n, torus)
        distance = radius[n] + capsules.margin + rounding
        found = _cells_within(axes, a, b, distance, capsules.margin)
        first, counts = _first_of(found), _count_of(found)
        for m in range(product(counts)):
            cell = add(first, cell_in_order(m, counts))
            if distance_to_segment(centre_of(axes, cell), a, b) > distance + diagonal:
                continue
            number, shift = cell_at(capsules, cell)
            if len(capsules.which):
                k = capsules.start[number]
                capsules.which[k], capsules.radius[k] = n, radius[n]
                set_element(_begins_in(capsules), k, add(a, shift))
                set_element(_ends_in(capsules), k, add(b, shift))
            capsules.start[number] += 1


_begins_in, _ends_in = items_of("a"), items_of("b")


@on_each_axis
def _first_of(found):
    return found[0]


@on_each_axis
def _count_of(found):
    return max(found[1] - found[0] + 1, i64(0))


@on_each_axis
def _cells_within(axis, a, b, distance, margin):
    """Return the first and last cell along each axis that may be within `distance` of a segment from a to b."""
    # On a torus, a cell farther away has a nearer copy, also for all places within the margin.
    distance = min(distance, 0.5 * axis.torus + margin) if axis.torus > 0 else distance
    first, last = cell_along(axis, min(a, b) - distance), cell_along(axis, max(a, b) + distance)
    return (first, last) if axis.torus > 0 else (max(first, i64(0)), min(last, i64(axis.cells - 1)))


@inlined
def cell_at(capsules, cell):
    """Return the number of a cell, which on a torus may lie beyond the border; -1 if there is none.

    Also return its shift: capsules listed there are at their stored position minus this shift, relative to this cell.
    """
    axes = axes_of(capsules)
    if is_on(axes, cell):
        return number_of(axes, cell), filled(cell, 0.0)
    if capsules.torus_x > 0:
        return number_of(axes, brought_on(axes, cell)), _way_back(axes, cell)
    return i64(-1), filled(cell, 0.0)


@on_each_axis
def _way_back(axis, cell):
    return -np.floor(cell / axis.cells) * axis.torus


@inlined
def listed_at(capsules, here):
    """Return the range (first, last) in the arrays of the capsules listed at a place in the world."""
    if capsules.cells_x == 0:
        return i64(0), i64(0)
    axes = axes_of(capsules)
    cell = to_i64(nearest_cell(axes, here)) if capsules.torus_x > 0 else cell_of(axes, here)
    if not is_on(axes, cell):
        return i64(0), i64(0)
    number = number_of(axes, cell)
    return i64(capsules.start[number]), i64(capsules.start[number + 1])


@inlined
def cell_around(capsules, here):
    """Return the number of a place's cell, -1 if there is none, and the shift to add to the place (see `cell_at`)."""
    if capsules.cells_x == 0:
        return i64(-1), filled(here, 0.0)
    return cell_at(capsules, cell_of(axes_of(capsules), here))


@inlined
def middle_of(capsules, k):
    """Return the centre of the k-th listed capsule, a circle; of a segment, where it begins."""
    return element(_begins_in(capsules), k)


@inlined
def ends_of(capsules, k):
    """Return both ends of the k-th listed capsule."""
    return middle_of(capsules, k), element(_ends_in(capsules), k)


@inlined
def nearest_on_segment(here, a, b):
    """Return the point of a segment from a to b that is nearest to a place."""
    along = sub(b, a)
    square = dot(along, along)
    share = dot(sub(here, a), along) / square if square > 0.0 else 0.0
    return add(a, scaled(along, min(max(share, 0.0), 1.0)))


@inlined
def distance_to_segment(here, a, b):
    """Return the distance from a place to the segment from a to b, u."""
    return length(sub(here, nearest_on_segment(here, a, b)))
