"""Separation, alignment and cohesion: the three rules of flocking (Reynolds 1987).

With neighbours j of boid i at offset q_j - p, distance d, velocity w_j:

    separation   S = sum_j g(d) * unit(p - q_j)        g by falloff; a mean over the neighbours when asked for
    alignment    A = mean_j(w_j) - v
    cohesion     C = mean_j(q_j) - p

A rule steers `direct`: a = limit(strength * X), or to a `desired` velocity at full speed (Reynolds 1999):
a = limit(strength * (max_speed * unit(Y) - v)), where Y = S, mean_j(w_j), C. Without neighbours a rule gives zero.
"""

from __future__ import annotations

from collections import namedtuple
from typing import NamedTuple

import numpy as np

from components.flock import DESIRED, DISTANCE, EVERYONE, INVERSE, TOPOLOGICAL
from systems.engine.kernel import inlined, outlined
from systems.exact.random import direction_between
from systems.exact.vector import ZERO, length, limited
from systems.space.candidates import Pool
from systems.space.exact_sums import VELOCITY_SCALE
from systems.space.field_of_view import field_of_view
from systems.space.flock_grid import POSITION_SCALE, rule_radius
from systems.space.neighbourhood import Radii, Scales, Viewer, pick_nearest
from systems.steer.rule_sums import all_but_one, crowd_but_one, exact_sums, rounded_sums, steepest

f64, i32, i64 = np.float64, np.int32, np.int64

Rule = namedtuple("Rule", "strength limit steer")
"""How one of the three rules turns what it wants into an acceleration, as Flocker has it."""

Mover = namedtuple("Mover", "vx vy max_speed")
"""The one who steers: its velocity and top speed, float32, u/s."""


class Steering(NamedTuple):
    """What rules add up to, float64: an acceleration, and by how much the rounding of terms may have misplaced it."""

    x: float
    y: float
    error: float


@inlined
def steer_by_rules(flock, me, pool, picked, exactly):
    """The `Steering` of all three rules: those that attend to the own prefab first, then those that mix."""
    view = field_of_view(flock.grid.row[me], flock.boids.velocity, flock.boids.perception)
    steering = Steering(0.0, 0.0, 0.0)
    for mixes in (False, True):
        steering = _rules_that_mix(flock, me, view, pool, picked, exactly, mixes, steering)
    return steering


@inlined
def _rules_that_mix(flock, me, view, pool, picked, exactly, mixes, steering):
    """Add the rules that mix, or those that do not: they attend to the same candidates, so one walk sums for all."""
    row, boids, mates = flock.grid.row[me], flock.boids, flock.mates
    flocker, sees = boids.flocker[row], boids.perception[row]
    separates = flocker.separation_mixes == mixes and flocker.separation_strength > ZERO
    aligns = flocker.alignment_mixes == mixes and flocker.alignment_strength > ZERO
    coheres = flocker.cohesion_mixes == mixes and flocker.cohesion_strength > ZERO
    if not (separates or aligns or coheres):
        return steering
    # Who attends to everyone needs no walk for alignment and cohesion.
    everyone = sees.reach == EVERYONE
    r_s = rule_radius(flocker.separation_radius, sees.radius) if separates else ZERO
    r_a = rule_radius(flocker.alignment_radius, sees.radius) if aligns and not everyone else ZERO
    r_c = rule_radius(flocker.cohesion_radius, sees.radius) if coheres and not everyone else ZERO
    mover = Mover(boids.velocity[row].x, boids.velocity[row].y, boids.motion[row].max_speed)
    viewer = Viewer(flock.grid.x[me], flock.grid.y[me], view, mates.kind[me], i32(0) if mixes else i32(-1))
    if sees.reach == TOPOLOGICAL:
        count = pick_nearest(flock, me, pool, viewer, sees.radius * sees.radius, sees.neighbours, picked)
        pool = Pool(picked, i64(0), i64(count))
    radii, falloff = Radii(r_a, r_c, r_s), flocker.separation_falloff
    if exactly:
        sums, scales = exact_sums(flock, pool, viewer, radii, falloff)
    else:
        sums, scales = rounded_sums(mates, pool, viewer, radii, falloff)
    if separates and sums.separated > 1:
        x, y = sums.push_x, sums.push_y
        if sums.coincident > 1:
            weight = 0.0 if falloff == DISTANCE else f64(steepest(falloff, r_s)) if falloff == INVERSE else 1.0
            away_x, away_y = _away_from_coincident(flock, me, pool, viewer, weight * scales.push)
            x, y = x + away_x, y + away_y
        per = -1.0 / (scales.push * ((sums.separated - 1) if flocker.separation_mean else 1))
        error = per * (1.0 + 0.25 * sums.separated) * scales.push_error
        rule = Rule(flocker.separation_strength, flocker.separation_limit, flocker.separation_steer)
        steering = _with_rule(steering, rule, mover, (x * per, y * per), (x * per, y * per), error)
    if everyone:
        sums = crowd_but_one(flock, me, len(mates.crowds) - 1 if mixes else i64(mates.kind[me]), mover)
        scales = Scales(VELOCITY_SCALE, POSITION_SCALE, 1.0, 1.0)
    else:
        sums = all_but_one(flock, me, mover, sums, exactly)
    if aligns and sums.aligned > 0:
        per = 1.0 / (scales.velocity * sums.aligned)
        wx, wy = sums.u * per, sums.v * per
        error = per * (1.0 + 0.25 * sums.aligned)
        rule = Rule(flocker.alignment_strength, flocker.alignment_limit, flocker.alignment_steer)
        steering = _with_rule(steering, rule, mover, (wx - mover.vx, wy - mover.vy), (wx, wy), error)
    if coheres and sums.cohering > 0:
        per = 1.0 / (scales.offset * sums.cohering)
        error = per * (1.0 + 0.25 * sums.cohering)
        rule = Rule(flocker.cohesion_strength, flocker.cohesion_limit, flocker.cohesion_steer)
        steering = _with_rule(steering, rule, mover, (sums.x * per, sums.y * per), (sums.x * per, sums.y * per), error)
    return steering


@inlined
def _with_rule(steering, rule, mover, direct, wish, rounding):
    """Add the acceleration of one rule.

    Args:
        direct: what the rule steers by when it steers `direct`; wish: the direction of the velocity it desires.
        rounding: by how much either may be wrong.
    """
    x, y = direct
    error = abs(rounding)
    if rule.steer == DESIRED:
        size = length(wish[0], wish[1])
        ux, uy = (wish[0] / size, wish[1] / size) if size > 0.0 else (0.0, 0.0)
        x, y = mover.max_speed * ux - mover.vx, mover.max_speed * uy - mover.vy
        error = mover.max_speed * min(error / size, 2.0)
    x, y = limited(rule.strength * x, rule.strength * y, rule.limit)
    return Steering(steering.x + x, steering.y + y, steering.error + rule.strength * error)


@outlined
def _away_from_coincident(flock, me, pool, viewer, weight):
    """What those at the very same point add to separation's sums: directions made from serials, times `weight`."""
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
