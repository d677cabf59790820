"""Computes the sums of the flocking rules over neighbours, in fixed point, coarse or fine, and fills a batch.

Sums of int32 terms are fast, and precise enough for all but a few boids: the rules return the rounding error of their
result.
"""

from __future__ import annotations

import numpy as np

from components.flock import CONSTANT, DISTANCE, EVERYONE, INVERSE, SMOOTH, TOPOLOGICAL
from systems.engine.kernel import inlined, outlined
from systems.exact.fixed_point import VELOCITY_SCALE, exact_scale, fixed_vector, scale_for
from systems.exact.random import direction_between
from systems.exact.vector import ZERO, add, dot, filled, is_zero, read, scaled, sub, to_f32, to_i64, unit
from systems.flocking.candidates import Slice
from systems.flocking.flock_grid import CENTRE_SCALE, crowd_without, velocity_at
from systems.flocking.neighbour_sums import (
    FINER,
    Radii,
    Scales,
    Sums,
    Viewer,
    Weights,
    counts_for,
    pick_nearest,
    squared,
    sum_curved,
    sum_finely,
    sum_seen,
)
from systems.flocking.prepared_rules import MIXES, NEARLY_ONE, rule_radius, steepest
from systems.flocking.rules import (
    ALIGNMENT,
    COHESION,
    ROUNDING,
    SCALE,
    SEPARATION,
    VELOCITY,
    put_rules,
    put_sum,
    vector_at,
)
from systems.space.grid import place_at
from systems.space.perception import ALL_ROUND, FieldOfView, field_of_view

f32, f64, i32, i64 = np.float32, np.float64, np.int32, np.int64


@inlined
def sum_simply(flock, me, rules, near, batch, k):
    """Put the sums of a boid whose rules are not GENERAL into a batch, which already contains its rules."""
    mates, here = flock.mates, place_at(flock.grid, me)
    view = FieldOfView(filled(here, ZERO), ALL_ROUND)
    if rules.cone != ALL_ROUND:
        heading = unit(to_f32(vector_at(batch, VELOCITY + k, here)))
        if not is_zero(heading):
            view = FieldOfView(heading, rules.cone)
    mask = i32(0) if rules.flags & MIXES else i32(-1)
    viewer = Viewer(here, view, mates.prefab[me], mask)
    squares = Radii(rules.alignment_square, rules.cohesion_square, rules.separation_square)
    sums = sum_seen(
        near, viewer, squares, Weights(rules.cohesion_scale, rules.per_unit, rules.per_offset), mates.one_prefab
    )
    push = sums.pushes
    if sums.coincident > 1:
        push = add(push, _away_from_coincident(flock, me, near, viewer, f64(rules.per_unit)))
    put_sum(batch, SEPARATION + k, push, sums.separated - 1)
    put_sum(batch, ALIGNMENT + k, sub(sums.velocities, velocity_at(mates, me)), sums.aligned - 1)
    put_sum(batch, COHESION + k, sums.offsets, sums.cohering - 1)


@outlined
def sum_generally(flock, me, near, picked, batch, k, finely):
    """Put the sums and the rules of any boid into a batch.

    The rules that attend to the own prefab are summed in one loop over the candidates, and those that mix in another.

    Args:
        picked: room for the nearest candidates.
        finely: whether to add up in int64, see `neighbour_sums`.
    """
    row, data, mates = flock.grid.which[me], flock.data, flock.mates
    put_rules(batch, k, flock.rules[flock.rule_of[row]], mates.velocity_scale)
    view, here = field_of_view(row, data.velocity, data.perception), place_at(flock.grid, me)
    for rule in (SEPARATION, ALIGNMENT, COHESION):
        put_sum(batch, rule + k, filled(here, 0.0), 0.0)
    for mask in (i32(-1), i32(0)):
        _sum_those_that_mix(flock, me, Viewer(here, view, mates.prefab[me], mask), near, picked, batch, k, finely)


@inlined
def _sum_those_that_mix(flock, me, viewer, near, picked, batch, k, finely):
    """Do this for the rules that mix, if all prefabs count for this viewer, or for those that do not."""
    row, mates, mixes = flock.grid.which[me], flock.mates, viewer.mask == 0
    flocker, perception = flock.data.flocker[row], flock.data.perception[row]
    separates = flocker.separation_mixes == mixes and flocker.separation_strength > ZERO
    aligns = flocker.alignment_mixes == mixes and flocker.alignment_strength > ZERO
    coheres = flocker.cohesion_mixes == mixes and flocker.cohesion_strength > ZERO
    if not (separates or aligns or coheres):
        return
    # With reach "everyone", alignment and cohesion need no loop over candidates.
    everyone = perception.reach == EVERYONE
    r_s = rule_radius(flocker.separation_radius, perception.radius) if separates else ZERO
    r_a = rule_radius(flocker.alignment_radius, perception.radius) if aligns and not everyone else ZERO
    r_c = rule_radius(flocker.cohesion_radius, perception.radius) if coheres and not everyone else ZERO
    if perception.reach == TOPOLOGICAL:
        square = perception.radius * perception.radius
        count = pick_nearest(flock, me, near, viewer, square, perception.neighbours, picked)
        near = Slice(picked, i64(0), i64(count))
    radii, falloff = Radii(r_a, r_c, r_s), flocker.separation_falloff
    if finely:
        sums, scales = _fine_sums(flock, near, viewer, radii, falloff)
    else:
        sums, scales = _coarse_sums(mates, near, viewer, radii, falloff)
    if separates:
        push = sums.pushes
        if sums.coincident > 1:
            weight = 0.0 if falloff == DISTANCE else f64(steepest(falloff, r_s)) if falloff == INVERSE else 1.0
            push = add(push, _away_from_coincident(flock, me, near, viewer, weight * scales.push))
        put_sum(batch, SEPARATION + k, push, sums.separated - 1)
        batch[SEPARATION + SCALE + k], batch[SEPARATION + ROUNDING + k] = scales.push, scales.push_error
    if everyone:
        others, velocities, offsets = crowd_without(flock, me, len(mates.crowds) - 1 if mixes else i64(viewer.prefab))
        aligned, cohering, scales = others, others, Scales(VELOCITY_SCALE, CENTRE_SCALE, 1.0, 1.0)
    else:
        aligned, cohering, offsets = sums.aligned - 1, sums.cohering - 1, sums.offsets
        velocities = sub(sums.velocities, _own_velocity(flock, me, finely))
    if aligns:
        put_sum(batch, ALIGNMENT + k, velocities, aligned)
        batch[ALIGNMENT + SCALE + k] = scales.velocity
    if coheres:
        put_sum(batch, COHESION + k, offsets, cohering)
        batch[COHESION + SCALE + k] = scales.offset


@inlined
def _coarse_sums(mates, near, viewer, radii, falloff):
    """Return the `Sums` over the boids seen, with int32 terms, and their `Scales`."""
    r_s, curved = radii.separation, falloff in (INVERSE, SMOOTH)
    scale_c, scale_s = scale_for(radii.cohesion), scale_for(NEARLY_ONE if curved else steepest(falloff, r_s))
    per_unit = ZERO if falloff == DISTANCE else scale_s
    per_offset = scale_s if falloff == DISTANCE else ZERO if falloff == CONSTANT else -scale_s / r_s
    sums = sum_seen(near, viewer, squared(radii), Weights(scale_c, per_unit, per_offset), mates.one_prefab)
    scales = Scales(mates.velocity_scale, f64(scale_c), f64(scale_s), 1.0)
    if curved and r_s > ZERO and sums.separated > 1:
        scale_s = scale_for(steepest(falloff, r_s))
        push = sum_curved(near, viewer, r_s, scale_s, falloff == INVERSE)
        sums = Sums(
            sums.aligned, sums.cohering, sums.separated, sums.coincident, sums.velocities, sums.offsets, push
        )  # fmt: skip
        # The terms are no more precise than float32.
        push_error = FINER / 64 if falloff == INVERSE else float(FINER)
        scales = Scales(scales.velocity, scales.offset, f64(scale_s) * FINER, push_error)
    return sums, scales


@inlined
def _fine_sums(flock, near, viewer, radii, falloff):
    """Return the `Sums` over the boids seen, with int64 terms, and their `Scales`."""
    push_scale = exact_scale(steepest(falloff, radii.separation))
    scales = Scales(VELOCITY_SCALE, exact_scale(radii.cohesion), push_scale, 0.0)
    return sum_finely(flock, near, viewer, radii, scales, falloff), scales


@inlined
def _own_velocity(flock, me, finely):
    """Return a boid's velocity, int64, as it is in the sums of velocities."""
    if finely:
        return fixed_vector(read(flock.data.velocity[flock.grid.which[me]]), VELOCITY_SCALE)
    return to_i64(velocity_at(flock.mates, me))


@outlined
def _away_from_coincident(flock, me, near, viewer, weight):
    """Return the terms of boids at the same point for separation's sum: directions from serials, times `weight`."""
    candidates, total = near.candidates, filled(viewer.place, i64(0))
    serial, which = flock.data.serial, flock.grid.which
    for k in range(near.first, near.last):
        offset, other = sub(place_at(candidates, k), viewer.place), candidates.who[k]
        if dot(offset, offset) == ZERO and other != me and counts_for(viewer, candidates.prefab[k]):
            away = direction_between(serial[which[me]], serial[which[other]], viewer.place)
            total = sub(total, to_i64(scaled(away, weight)))
    return total
