"""Computes the sums of the flocking rules over neighbours, in fixed point, rounded or exact, and fills a batch.

Sums of int32 terms are fast, and precise enough for all but a few boids: the rules return the rounding error of their
result.
"""

from __future__ import annotations

import numpy as np

from components.flock import CONSTANT, DISTANCE, EVERYONE, INVERSE, SMOOTH, TOPOLOGICAL
from systems.engine.kernel import inlined, outlined
from systems.exact.fixed_point import VELOCITY_SCALE, exact_scale, fixed, scale_for
from systems.exact.random import direction_between
from systems.exact.vector import ZERO, is_zero, unit
from systems.flocking.candidates import Pool
from systems.flocking.exact_sums import sum_exactly
from systems.flocking.flock_grid import COUNT, POSITION_SCALE, SUM_U, SUM_V, SUM_X, SUM_Y
from systems.flocking.neighbourhood import (
    Radii,
    Scales,
    Sums,
    Viewer,
    Weights,
    pick_nearest,
    squared,
    sum_curved,
    sum_seen,
)
from systems.flocking.prepared_rules import MIXES, NEARLY_ONE, rule_radius, steepest
from systems.flocking.rules import ALIGNMENT, COHESION, ROUNDING, SCALE, SEPARATION, VX, VY, put_rules, put_sums
from systems.space.perception import ALL_ROUND, FieldOfView, field_of_view

f32, f64, i32, i64 = np.float32, np.float64, np.int32, np.int64
FINE = float(1 << 20)  # the sums of `sum_curved` are finer than their scale by this factor


@inlined
def add_up_plainly(flock, me, rules, pool, batch, k):
    """Put the sums of a boid whose rules are not GENERAL into a batch, which already contains its rules."""
    mates, vx, vy = flock.mates, f32(batch[VX + k]), f32(batch[VY + k])
    view = FieldOfView((ZERO, ZERO), ALL_ROUND)
    if rules.cone != ALL_ROUND:
        heading = unit((vx, vy))
        if not is_zero(heading):
            view = FieldOfView(heading, rules.cone)
    mask = i32(0) if rules.manner & MIXES else i32(-1)
    viewer = Viewer(flock.grid.x[me], flock.grid.y[me], view, mates.kind[me], mask)
    squares = Radii(rules.alignment_square, rules.cohesion_square, rules.separation_square)
    sums = sum_seen(pool, viewer, squares, Weights(rules.cohesion_scale, rules.unit, rules.offset), mates.one_prefab)
    x, y = sums.push_x, sums.push_y
    if sums.coincident > 1:
        away_x, away_y = _away_from_coincident(flock, me, pool, viewer, f64(rules.unit))
        x, y = x + away_x, y + away_y
    put_sums(batch, SEPARATION + k, x, y, sums.separated - 1)
    put_sums(batch, ALIGNMENT + k, sums.u - mates.u[me], sums.v - mates.v[me], sums.aligned - 1)
    put_sums(batch, COHESION + k, sums.x, sums.y, sums.cohering - 1)


@outlined
def add_up(flock, me, pool, picked, batch, k, exactly):
    """Put the sums and the rules of any boid into a batch.

    The rules that attend to the own prefab are summed in one loop over the candidates, and those that mix in another.
    """
    row, boids, mates = flock.grid.row[me], flock.boids, flock.mates
    put_rules(batch, k, boids.rules[boids.rule_of[row]], mates.velocity_scale)
    put_sums(batch, SEPARATION + k, 0.0, 0.0, 0.0)
    put_sums(batch, ALIGNMENT + k, 0.0, 0.0, 0.0)
    put_sums(batch, COHESION + k, 0.0, 0.0, 0.0)
    view = field_of_view(row, boids.velocity, boids.perception)
    for mixes in (False, True):
        _add_up_those_that_mix(flock, me, view, pool, picked, batch, k, exactly, mixes)


@inlined
def _add_up_those_that_mix(flock, me, view, pool, picked, batch, k, exactly, mixes):
    row, boids, mates = flock.grid.row[me], flock.boids, flock.mates
    flocker, sees = boids.flocker[row], boids.perception[row]
    separates = flocker.separation_mixes == mixes and flocker.separation_strength > ZERO
    aligns = flocker.alignment_mixes == mixes and flocker.alignment_strength > ZERO
    coheres = flocker.cohesion_mixes == mixes and flocker.cohesion_strength > ZERO
    if not (separates or aligns or coheres):
        return
    # With reach "everyone", alignment and cohesion need no loop over candidates.
    everyone = sees.reach == EVERYONE
    r_s = rule_radius(flocker.separation_radius, sees.radius) if separates else ZERO
    r_a = rule_radius(flocker.alignment_radius, sees.radius) if aligns and not everyone else ZERO
    r_c = rule_radius(flocker.cohesion_radius, sees.radius) if coheres and not everyone else ZERO
    viewer = Viewer(flock.grid.x[me], flock.grid.y[me], view, mates.kind[me], i32(0) if mixes else i32(-1))
    if sees.reach == TOPOLOGICAL:
        count = pick_nearest(flock, me, pool, viewer, sees.radius * sees.radius, sees.neighbours, picked)
        pool = Pool(picked, i64(0), i64(count))
    radii, falloff = Radii(r_a, r_c, r_s), flocker.separation_falloff
    if exactly:
        sums, scales = _exact_sums(flock, pool, viewer, radii, falloff)
    else:
        sums, scales = _rounded_sums(mates, pool, viewer, radii, falloff)
    if separates:
        x, y = sums.push_x, sums.push_y
        if sums.coincident > 1:
            weight = 0.0 if falloff == DISTANCE else f64(steepest(falloff, r_s)) if falloff == INVERSE else 1.0
            away_x, away_y = _away_from_coincident(flock, me, pool, viewer, weight * scales.push)
            x, y = x + away_x, y + away_y
        put_sums(batch, SEPARATION + k, x, y, sums.separated - 1)
        batch[SEPARATION + SCALE + k], batch[SEPARATION + ROUNDING + k] = scales.push, scales.push_error
    if everyone:
        sums = _crowd_but_one(flock, me, len(mates.crowds) - 1 if mixes else i64(mates.kind[me]))
        scales = Scales(VELOCITY_SCALE, POSITION_SCALE, 1.0, 1.0)
    else:
        sums = _all_but_one(flock, me, sums, exactly)
    if aligns:
        put_sums(batch, ALIGNMENT + k, sums.u, sums.v, sums.aligned)
        batch[ALIGNMENT + SCALE + k] = scales.velocity
    if coheres:
        put_sums(batch, COHESION + k, sums.x, sums.y, sums.cohering)
        batch[COHESION + SCALE + k] = scales.offset


@inlined
def _rounded_sums(mates, pool, viewer, radii, falloff):
    """Return the `Sums` over the boids seen, with int32 terms, and their `Scales`."""
    r_s, curved = radii.separation, falloff in (INVERSE, SMOOTH)
    scale_c, scale_s = scale_for(radii.cohesion), scale_for(NEARLY_ONE if curved else steepest(falloff, r_s))
    per_unit = ZERO if falloff == DISTANCE else scale_s
    per_offset = scale_s if falloff == DISTANCE else ZERO if falloff == CONSTANT else -scale_s / r_s
    sums = sum_seen(pool, viewer, squared(radii), Weights(scale_c, per_unit, per_offset), mates.one_prefab)
    scales = Scales(mates.velocity_scale, f64(scale_c), f64(scale_s), 1.0)
    if curved and r_s > ZERO and sums.separated > 1:
        scale_s = scale_for(steepest(falloff, r_s))
        x, y = sum_curved(pool, viewer, r_s, scale_s, falloff == INVERSE)
        sums = Sums(
            sums.aligned, sums.cohering, sums.separated, sums.coincident, sums.u, sums.v, sums.x, sums.y, x, y
        )  # fmt: skip
        # The terms are no more precise than float32.
        push_error = FINE / 64 if falloff == INVERSE else FINE
        scales = Scales(scales.velocity, scales.offset, f64(scale_s) * FINE, push_error)
    return sums, scales


@inlined
def _exact_sums(flock, pool, viewer, radii, falloff):
    """Return the `Sums` over the boids seen, with int64 terms, and their `Scales`."""
    push_scale = exact_scale(steepest(falloff, radii.separation))
    scales = Scales(VELOCITY_SCALE, exact_scale(radii.cohesion), push_scale, 0.0)
    return sum_exactly(flock, pool, viewer, radii, scales, falloff), scales


@inlined
def _all_but_one(flock, me, sums, exactly):
    """Return `Sums` without the viewer."""
    u, v = i64(flock.mates.u[me]), i64(flock.mates.v[me])
    if exactly:
        velocity = flock.boids.velocity[flock.grid.row[me]]
        u, v = fixed(velocity.x, VELOCITY_SCALE), fixed(velocity.y, VELOCITY_SCALE)
    return Sums(
        sums.aligned - 1, sums.cohering - 1, sums.separated - 1, sums.coincident - 1,
        sums.u - u, sums.v - v, sums.x, sums.y, sums.push_x, sums.push_y,
    )  # fmt: skip


@outlined
def _crowd_but_one(flock, me, crowd):
    """Return the `Sums` of alignment and cohesion over a whole crowd, without the viewer."""
    crowds, grid = flock.mates.crowds, flock.grid
    velocity = flock.boids.velocity[grid.row[me]]
    members = crowds[crowd, COUNT]
    return Sums(
        members - 1, members - 1, i64(0), i64(0),
        crowds[crowd, SUM_U] - fixed(velocity.x, VELOCITY_SCALE),
        crowds[crowd, SUM_V] - fixed(velocity.y, VELOCITY_SCALE),
        crowds[crowd, SUM_X] - members * fixed(grid.x[me], POSITION_SCALE),
        crowds[crowd, SUM_Y] - members * fixed(grid.y[me], POSITION_SCALE),
        i64(0), i64(0),
    )  # fmt: skip


@outlined
def _away_from_coincident(flock, me, pool, viewer, weight):
    """Return the terms of boids at the same point for separation's sums: directions from serials, times `weight`."""
    x, y, found = i64(0), i64(0), pool.found
    serial, row = flock.boids.serial, flock.grid.row
    for k in range(pool.first, pool.last):
        dx, dy = found.x[k] - viewer.x, found.y[k] - viewer.y
        other = found.who[k]
        if dx * dx + dy * dy == ZERO and other != me and ((found.kind[k] ^ viewer.kind) & viewer.mask) == 0:
            ux, uy = direction_between(serial[row[me]], serial[row[other]])
            x -= i64(ux * weight)
            y -= i64(uy * weight)
    return x, y
