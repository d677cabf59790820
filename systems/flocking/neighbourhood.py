"""Exact sums over the candidates that a boid sees, and selection of the nearest ones.

Every sum over neighbours adds integers: each term is rounded to fixed point, with a power of two as the scale, so that
the order of terms, threads and the vector width don't matter. At most BLOCK terms are added in int32, which vectorises
and can't overflow; the sums of blocks are added in int64.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from systems.engine.kernel import Function, inlined, outlined
from systems.exact.fixed_point import BLOCK
from systems.exact.vector import ONE, ZERO
from systems.flocking.candidates import pad
from systems.space.perception import ALL_ROUND, FieldOfView, in_view

f32, i32, i64, index = np.float32, np.int32, np.int64, np.uint64
VECTOR = 16  # candidates are read in multiples of this
NONE, ALIGNS, COHERES, SEPARATES, COINCIDES = i32(0), i32(1), i32(1 << 8), i32(1 << 16), i32(1 << 24)
TINY = f32(2.0**-126)
HI_LO = f32(1 << 20)


class Viewer(NamedTuple):
    """The boid whose neighbours are summed.

    Attributes:
        x, y: float32, position, u.
        fov: its field of view.
        kind: int32, its prefab.
        mask: int32; -1: only its own prefab counts; 0: all prefabs count.
    """

    x: np.float32
    y: np.float32
    fov: FieldOfView
    kind: np.int32
    mask: np.int32


class Radii(NamedTuple):
    """The radius of each rule, float32, u; 0 for a rule that is not needed."""

    alignment: np.float32
    cohesion: np.float32
    separation: np.float32


class Weights(NamedTuple):
    """The factors of terms in `sum_seen`, float32; each includes its fixed-point scale.

    Attributes:
        cohesion: the factor of offsets for cohesion.
        unit, offset: the factor of offsets for separation is unit / d + offset.
    """

    cohesion: np.float32
    unit: np.float32
    offset: np.float32


class Sums(NamedTuple):
    """Counts and fixed-point sums over the boids that a viewer sees, including itself, int64.

    Attributes:
        aligned, cohering, separated: the number of boids within the radius of each rule.
        coincident: the number of boids at the viewer's position.
        u, v: sums of velocities; x, y: sums of offsets, for cohesion; push_x, push_y: separation, toward the others.
    """

    aligned: np.int64
    cohering: np.int64
    separated: np.int64
    coincident: np.int64
    u: np.int64
    v: np.int64
    x: np.int64
    y: np.int64
    push_x: np.int64
    push_y: np.int64


class Scales(NamedTuple):
    """The units of `Sums`, float64.

    Attributes:
        velocity, offset, push: the units in 1 u/s of velocity, in 1 u of offset, in 1 of separation's push.
        push_error: the rounding error of a term of the push, in units; that of the others is one unit.
    """

    velocity: float
    offset: float
    push: float
    push_error: float


@inlined
def is_seen(viewer, kind, dx, dy, square):
    """Return whether a boid of this prefab, at this offset with the squared length `square`, counts and is in view."""
    return in_view(viewer.fov, (dx, dy), square) & (((kind ^ viewer.kind) & viewer.mask) == 0)


@inlined
def squared(radii):
    """Return the squares of `Radii`, u², as `Radii`."""
    return Radii(
        radii.alignment * radii.alignment, radii.cohesion * radii.cohesion, radii.separation * radii.separation
    )


@inlined
def sum_seen(pool, viewer, squares, weights, one_prefab):
    """Return the `Sums` over the candidates of a pool that the viewer sees.

    Args:
        squares: the squares of the radii.
        one_prefab: whether all candidates have the viewer's prefab.
    """
    one_prefab |= viewer.mask == 0
    one_radius = squares.alignment == squares.cohesion
    if viewer.fov.cone == ALL_ROUND:
        if one_prefab:
            if one_radius:
                return _sum_bare(pool, viewer, squares, weights)
            return _sum_all_round_of_one_prefab(pool, viewer, squares, weights)
        return _sum_all_round(pool, viewer, squares, weights)
    if one_radius:
        return _sum_of_one_radius(pool, viewer, squares, weights)
    return _sum_any(pool, viewer, squares, weights)


def _summing(all_round: bool, one_prefab: bool, one_radius: bool) -> Function:
    """Make a variant of the loop of `sum_seen`, without the tests that these conditions make unnecessary."""

    @inlined
    def sum_variant(pool, viewer, squares, weights):
        found, first, last = pool.found, pool.first, pool.last
        r2_a, r2_c, r2_s = squares
        n_a, n_c, n_s, n_0 = i64(0), i64(0), i64(0), i64(0)
        u, v, gx, gy, sx, sy = i64(0), i64(0), i64(0), i64(0), i64(0), i64(0)
        for begin in range(first, last, BLOCK):
            end = begin + (min(last - begin, BLOCK) + VECTOR - 1) // VECTOR * VECTOR
            counts, bu, bv, bgx, bgy, bsx, bsy = NONE, NONE, NONE, NONE, NONE, NONE, NONE
            for k in range(index(begin), index(end)):
                dx, dy, uk, vk = found.x[k] - viewer.x, found.y[k] - viewer.y, found.u[k], found.v[k]
                d2 = dx * dx + dy * dy
                seen = True
                if not all_round:
                    seen &= in_view(viewer.fov, (dx, dy), d2)
                if not one_prefab:
                    seen &= ((found.kind[k] ^ viewer.kind) & viewer.mask) == 0
                aligns, separates = seen & (d2 < r2_a), seen & (d2 < r2_s)
                coheres = aligns if one_radius else seen & (d2 < r2_c)
                weight = weights.unit / np.sqrt(d2 + TINY) + weights.offset
                bu = i32(bu + (uk if aligns else NONE))
                bv = i32(bv + (vk if aligns else NONE))
                bgx = i32(bgx + (i32(dx * weights.cohesion) if coheres else NONE))
                bgy = i32(bgy + (i32(dy * weights.cohesion) if coheres else NONE))
                bsx = i32(bsx + (i32(dx * weight) if separates else NONE))
                bsy = i32(bsy + (i32(dy * weight) if separates else NONE))
                counts = i32(counts + (ALIGNS if aligns else NONE))
                if not one_radius:
                    counts = i32(counts + (COHERES if coheres else NONE))
                counts = i32(counts + (SEPARATES if separates else NONE))
                counts = i32(counts + (COINCIDES if d2 == ZERO else NONE))
            n_a, n_c = n_a + (counts & 255), n_c + (counts >> 8 & 255)
            n_s, n_0 = n_s + (counts >> 16 & 255), n_0 + (counts >> 24 & 255)
            u, v, gx, gy, sx, sy = u + bu, v + bv, gx + bgx, gy + bgy, sx + bsx, sy + bsy
        return Sums(n_a, n_a if one_radius else n_c, n_s, n_0, u, v, gx, gy, sx, sy)

    return sum_variant


_sum_bare = _summing(True, True, True)
_sum_all_round_of_one_prefab = _summing(True, True, False)
_sum_all_round = _summing(True, False, False)
_sum_of_one_radius = _summing(False, False, True)
_sum_any = _summing(False, False, False)


@outlined
def sum_curved(pool, viewer, radius, scale, inverse):
    """Return separation's sum for the falloffs inverse (1/max(d, r/1000)) and smooth ((1 - (d/r)²)²).

    Inverse weights span three orders of magnitude: a second sum keeps 20 more bits of each term.

    Args:
        radius: r, float32, u.
        scale: the fixed-point scale.
        inverse: whether the falloff is inverse, else smooth.
    Returns:
        The sums of x and y, times scale * 2**20, int64.
    """
    found, first, last = pool.found, pool.first, pool.last
    square, most = radius * radius, f32(1000) / radius
    sx, sy = i64(0), i64(0)
    for begin in range(first, last, BLOCK):
        end = begin + (min(last - begin, BLOCK) + VECTOR - 1) // VECTOR * VECTOR
        bx, by, fine_x, fine_y = NONE, NONE, NONE, NONE
        for k in range(index(begin), index(end)):
            dx, dy = found.x[k] - viewer.x, found.y[k] - viewer.y
            d2 = dx * dx + dy * dy
            separates = is_seen(viewer, found.kind[k], dx, dy, d2) & (d2 < square)
            per_u = ONE / np.sqrt(d2 + TINY)
            rest = ONE - d2 / square
            curve = min(per_u, most) if inverse else rest * rest
            wx, wy = dx * per_u * curve * scale, dy * per_u * curve * scale
            ix, iy = i32(wx), i32(wy)
            bx = i32(bx + (ix if separates else NONE))
            by = i32(by + (iy if separates else NONE))
            fine_x = i32(fine_x + (i32((wx - f32(ix)) * HI_LO) if separates else NONE))
            fine_y = i32(fine_y + (i32((wy - f32(iy)) * HI_LO) if separates else NONE))
        sx, sy = sx + (i64(bx) << 20) + fine_x, sy + (i64(by) << 20) + fine_y
    return sx, sy


@outlined
def pick_nearest(flock, me, pool, viewer, square, most, picked):
    """Copy the `most` nearest candidates that the viewer sees, and the viewer, to `picked`; return their number.

    Ties go to the lower serial. `me` is the viewer's index in the grid's order.
    """
    found, mates = pool.found, flock.mates
    count = 0
    nearest, distance = picked.who, picked.x  # during the search: indexes of candidates, and d², ascending
    for k in range(pool.first, pool.last):
        dx, dy = found.x[k] - viewer.x, found.y[k] - viewer.y
        d2 = dx * dx + dy * dy
        if not d2 < square or (count == most and d2 > distance[most - 1]):
            continue
        if found.who[k] == me or not is_seen(viewer, found.kind[k], dx, dy, d2):
            continue
        at = count
        while at > 0 and (
            d2 < distance[at - 1] or (d2 == distance[at - 1] and _is_lower(flock, found, k, nearest[at - 1]))
        ):
            if at < most:
                nearest[at], distance[at] = nearest[at - 1], distance[at - 1]
            at -= 1
        if at < most:
            nearest[at], distance[at] = k, d2
            count = min(count + 1, most)
    for n in range(count):
        k = nearest[n]
        picked.x[n], picked.y[n], picked.u[n], picked.v[n] = found.x[k], found.y[k], found.u[k], found.v[k]
        picked.kind[n], picked.who[n] = found.kind[k], found.who[k]
    picked.x[count], picked.y[count], picked.u[count], picked.v[count] = viewer.x, viewer.y, mates.u[me], mates.v[me]
    picked.kind[count], picked.who[count] = mates.kind[me], me
    pad(picked, count + 1)
    return count + 1


@inlined
def _is_lower(flock, found, one, other):
    """Return whether one candidate's serial is lower than another's."""
    serial, row = flock.boids.serial, flock.grid.row
    return serial[row[found.who[one]]] < serial[row[found.who[other]]]
