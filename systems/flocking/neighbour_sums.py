"""Exact sums over the candidates that a boid sees, and selection of the nearest ones.

Every sum over neighbours adds integers: each term is rounded to fixed point, with a power of two as the scale, so that
the order of terms, threads and the SIMD width don't matter. At most BLOCK terms are added in int32, which vectorises
and can't overflow; the sums of blocks are added in int64.

For a few boids these terms are too coarse, because large ones cancel: two neighbours that push from both sides; a slow
flock in a world with one very fast boid. `sum_finely` adds their terms in int64.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from components.flock import CONSTANT, DISTANCE, INVERSE, LINEAR
from systems.engine.kernel import Function, inlined, outlined
from systems.exact.fixed_point import BLOCK, fixed_vector
from systems.exact.vector import ONE, ZERO, add, dot, filled, length, read, scaled, sub, to_f32, to_f64, to_i32
from systems.flocking.candidates import LANES, pad, set_candidate
from systems.flocking.flock_grid import velocity_at
from systems.space.grid import place_at
from systems.space.perception import ALL_ROUND, in_view

f32, f64, i32, i64, u64 = np.float32, np.float64, np.int32, np.int64, np.uint64
NONE, ALIGNS, COHERES, SEPARATES, COINCIDES = i32(0), i32(1), i32(1 << 8), i32(1 << 16), i32(1 << 24)
ALL = i32(-1)  # the mask of a term that counts; NONE is that of the others
TINY = f32(2.0**-126)
FINER = 1 << 20  # the sums of `sum_curved` are finer than their scale by this factor


Viewer = namedtuple("Viewer", "place fov prefab mask")
"""The boid whose neighbours are summed.

Attributes:
    place: float32, u.
    fov: its field of view.
    prefab: int32.
    mask: int32; -1: only its own prefab counts; 0: all prefabs count.
"""


Radii = namedtuple("Radii", "alignment cohesion separation")
"""The radius of each rule, float32, u; 0 for a rule that is not needed."""


Weights = namedtuple("Weights", "cohesion per_unit per_offset")
"""The factors of terms in `sum_seen`, float32; each includes its fixed-point scale.

Attributes:
    cohesion: the factor of offsets for cohesion.
    per_unit, per_offset: for separation, those of unit vectors and of offsets.
"""


Sums = namedtuple("Sums", "aligned cohering separated coincident velocities offsets pushes")
"""Counts and fixed-point sums over the boids that a viewer sees, including itself, int64.

Attributes:
    aligned, cohering, separated: the number of boids within the radius of each rule.
    coincident: the number of boids at the viewer's position.
    velocities: the sum of velocities, for alignment.
    offsets: the sum of offsets, for cohesion.
    pushes: the sum of separation, toward the others.
"""


Scales = namedtuple("Scales", "velocity offset push push_error")
"""The units of `Sums`, float64.

Attributes:
    velocity, offset, push: the units in 1 u/s of velocity, in 1 u of offset, in 1 of separation's push.
    push_error: the rounding error of a term of the push, in units; that of the others is one unit.
"""


@inlined
def counts_for(viewer, prefab):
    """Return whether boids of this prefab count."""
    return ((prefab ^ viewer.prefab) & viewer.mask) == 0


@inlined
def is_seen(viewer, prefab, offset, square):
    """Return whether a boid of this prefab, at this offset with the squared length `square`, counts and is in view."""
    return in_view(viewer.fov, offset, square) & counts_for(viewer, prefab)


@inlined
def squared(radii):
    """Return the squares of `Radii`, u², as `Radii`."""
    return Radii(
        radii.alignment * radii.alignment, radii.cohesion * radii.cohesion, radii.separation * radii.separation
    )


@inlined
def sum_seen(near, viewer, squares, weights, one_prefab):
    """Return the `Sums` over the candidates of a slice that the viewer sees.

    Args:
        squares: the squares of the radii.
        one_prefab: whether all candidates have the viewer's prefab.
    """
    one_prefab |= viewer.mask == 0
    one_radius = squares.alignment == squares.cohesion
    if viewer.fov.cone == ALL_ROUND:
        if one_prefab:
            if one_radius:
                return _sum_bare(near, viewer, squares, weights)
            return _sum_all_round_of_one_prefab(near, viewer, squares, weights)
        return _sum_all_round(near, viewer, squares, weights)
    if one_radius:
        return _sum_of_one_radius(near, viewer, squares, weights)
    return _sum_any(near, viewer, squares, weights)


def _summing(all_round: bool, one_prefab: bool, one_radius: bool) -> Function:
    """Make a variant of the loop of `sum_seen`, without the tests that these conditions make unnecessary."""

    @inlined
    def sum_variant(near, viewer, squares, weights):
        candidates, first, last = near
        r2_a, r2_c, r2_s = squares
        n_a, n_c, n_s, n_0 = i64(0), i64(0), i64(0), i64(0)
        nothing = filled(viewer.place, NONE)
        velocity = centre = push = filled(viewer.place, i64(0))
        for begin in range(first, last, BLOCK):
            end = begin + (min(last - begin, BLOCK) + LANES - 1) // LANES * LANES
            counts, block_velocity, block_centre, block_push = NONE, nothing, nothing, nothing
            for k in range(u64(begin), u64(end)):
                offset = sub(place_at(candidates, k), viewer.place)
                d2 = dot(offset, offset)
                seen = True
                if not all_round:
                    seen &= in_view(viewer.fov, offset, d2)
                if not one_prefab:
                    seen &= counts_for(viewer, candidates.prefab[k])
                aligns, separates = seen & (d2 < r2_a), seen & (d2 < r2_s)
                coheres = aligns if one_radius else seen & (d2 < r2_c)
                weight = weights.per_unit / np.sqrt(d2 + TINY) + weights.per_offset
                mask = ALL if aligns else NONE
                block_velocity = _add_masked(block_velocity, velocity_at(candidates, k), mask)
                mask = ALL if coheres else NONE
                block_centre = _add_masked(block_centre, scaled(offset, weights.cohesion), mask)
                mask = ALL if separates else NONE
                block_push = _add_masked(block_push, scaled(offset, weight), mask)
                counts = i32(counts + (ALIGNS if aligns else NONE))
                if not one_radius:
                    counts = i32(counts + (COHERES if coheres else NONE))
                counts = i32(counts + (SEPARATES if separates else NONE))
                counts = i32(counts + (COINCIDES if d2 == ZERO else NONE))
            n_a, n_c = n_a + (counts & 255), n_c + (counts >> 8 & 255)
            n_s, n_0 = n_s + (counts >> 16 & 255), n_0 + (counts >> 24 & 255)
            velocity, centre, push = add(velocity, block_velocity), add(centre, block_centre), add(push, block_push)
        return Sums(n_a, n_a if one_radius else n_c, n_s, n_0, velocity, centre, push)

    return sum_variant


_sum_bare = _summing(True, True, True)
_sum_all_round_of_one_prefab = _summing(True, True, False)
_sum_all_round = _summing(True, False, False)
_sum_of_one_radius = _summing(False, False, True)
_sum_any = _summing(False, False, False)


@inlined
def _add_masked(sums, terms, mask):
    """Add a vector of terms, truncated to int32, where the mask is ALL and not NONE.

    Without the outer i32, numba would add in int64. The mask is no bool, because LLVM inverts those that are arguments,
    which costs the loops an instruction per sum.
    """
    if len(sums) == 2:
        return i32(sums[0] + (i32(terms[0]) & mask)), i32(sums[1] + (i32(terms[1]) & mask))
    return (
        i32(sums[0] + (i32(terms[0]) & mask)),
        i32(sums[1] + (i32(terms[1]) & mask)),
        i32(sums[2] + (i32(terms[2]) & mask)),
    )


@outlined
def sum_curved(near, viewer, radius, scale, inverse):
    """Return separation's sum for the falloffs inverse (1/max(d, r/1000)) and smooth ((1 - (d/r)²)²).

    Inverse weights span three orders of magnitude: a second sum keeps 20 more bits of each term.

    Args:
        radius: r, float32, u.
        scale: the fixed-point scale.
        inverse: whether the falloff is inverse, else smooth.
    Returns:
        The sum, a vector, times scale * FINER, int64.
    """
    candidates, first, last = near
    square, most = radius * radius, f32(1000) / radius
    nothing, push = filled(viewer.place, NONE), filled(viewer.place, i64(0))
    for begin in range(first, last, BLOCK):
        end = begin + (min(last - begin, BLOCK) + LANES - 1) // LANES * LANES
        block, rest_of_block = nothing, nothing
        for k in range(u64(begin), u64(end)):
            offset = sub(place_at(candidates, k), viewer.place)
            d2 = dot(offset, offset)
            separates = is_seen(viewer, candidates.prefab[k], offset, d2) & (d2 < square)
            mask = ALL if separates else NONE
            per_u = ONE / np.sqrt(d2 + TINY)
            rest = ONE - d2 / square
            curve = min(per_u, most) if inverse else rest * rest
            term = scaled(scaled(scaled(offset, per_u), curve), scale)
            whole = to_i32(term)
            block = _add_masked(block, whole, mask)
            rest_of_block = _add_masked(rest_of_block, scaled(sub(term, to_f32(whole)), f32(FINER)), mask)
        push = add(push, add(scaled(block, i64(FINER)), rest_of_block))
    return push


@outlined
def sum_finely(flock, near, viewer, radii, scales, falloff):
    """Compute the `Sums` of `sum_seen` again, term by term, for a result that its fixed point is too coarse for.

    Each term is computed in float64 and rounded to the units of `scales`, which are chosen for int64 sums.
    """
    candidates = near.candidates
    r2_a, r2_c, r2_s = squared(radii)
    n_a, n_c, n_s, n_0 = i64(0), i64(0), i64(0), i64(0)
    velocity = centre = push = filled(viewer.place, i64(0))
    for k in range(near.first, near.last):
        offset = sub(place_at(candidates, k), viewer.place)
        d2 = dot(offset, offset)
        if not is_seen(viewer, candidates.prefab[k], offset, d2):
            continue
        if d2 < r2_a:
            n_a += 1
            its = read(flock.data.velocity[flock.grid.which[candidates.who[k]]])
            velocity = add(velocity, fixed_vector(its, scales.velocity))
        if d2 < r2_c:
            n_c += 1
            centre = add(centre, fixed_vector(offset, scales.offset))
        if d2 < r2_s:
            n_s += 1
            n_0 += d2 == ZERO
            d = length(to_f64(offset))
            weight = falloff_at(d, f64(radii.separation), falloff) / d if d2 > ZERO else 0.0
            push = add(push, fixed_vector(offset, weight * scales.push))
    return Sums(n_a, n_c, n_s, n_0, velocity, centre, push)


@inlined
def falloff_at(d, r, falloff):
    """Return g(d), float64: the factor by which separation falls off with the distance."""
    if falloff == CONSTANT:
        return 1.0
    if falloff == LINEAR:
        return 1.0 - d / r
    if falloff == INVERSE:
        return 1.0 / max(d, r / 1000.0)
    return d if falloff == DISTANCE else (1.0 - d / r * (d / r)) * (1.0 - d / r * (d / r))


@outlined
def pick_nearest(flock, me, near, viewer, square, most, picked):
    """Copy the `most` nearest candidates that the viewer sees, and the viewer, to `picked`; return their number.

    Ties go to the lower serial. `me` is the viewer's index in the grid's order.
    """
    candidates = near.candidates
    count = 0
    nearest, distance = picked.who, picked.x  # during the search: indexes of candidates, and d², ascending
    for k in range(near.first, near.last):
        offset = sub(place_at(candidates, k), viewer.place)
        d2 = dot(offset, offset)
        if not d2 < square or (count == most and d2 > distance[most - 1]):
            continue
        if candidates.who[k] == me or not is_seen(viewer, candidates.prefab[k], offset, d2):
            continue
        at = count
        while at > 0 and (
            d2 < distance[at - 1] or (d2 == distance[at - 1] and _is_lower(flock, candidates, k, nearest[at - 1]))
        ):
            if at < most:
                nearest[at], distance[at] = nearest[at - 1], distance[at - 1]
            at -= 1
        if at < most:
            nearest[at], distance[at] = k, d2
            count = min(count + 1, most)
    for n in range(count):
        k = nearest[n]
        set_candidate(picked, n, place_at(candidates, k), candidates, k, candidates.who[k])
    set_candidate(picked, count, viewer.place, flock.mates, me, me)
    pad(picked, count + 1)
    return count + 1


@inlined
def _is_lower(flock, candidates, one, other):
    """Return whether one candidate's serial is lower than another's."""
    serial, which = flock.data.serial, flock.grid.which
    return serial[which[candidates.who[one]]] < serial[which[candidates.who[other]]]
