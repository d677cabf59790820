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

from components.flock import (
    CONSTANT,
    DESIRED,
    DISTANCE,
    EVERYONE,
    INVERSE,
    MOST_NEIGHBOURS,
    SMOOTH,
    TOPOLOGICAL,
    Flocker,
    Perception,
)
from components.motion import Motion, Position, Velocity
from components.store.world import World
from systems.engine.app import App
from systems.engine.dealing import take
from systems.engine.kernel import inlined, outlined, parallel_kernel, prange, subroutine
from systems.engine.pipeline import Phase, System
from systems.engine.threads import threads
from systems.exact.random import direction_between
from systems.exact.vector import ZERO, length, limited
from systems.space.candidates import Pool, gather_around, gather_strip, room_for, strip_size
from systems.space.exact_sums import VELOCITY_SCALE, exact_scale, fixed, sum_exactly
from systems.space.field_of_view import field_of_view
from systems.space.flock_grid import (
    COUNT,
    POSITION_SCALE,
    SUM_U,
    SUM_V,
    SUM_X,
    SUM_Y,
    Boids,
    Flock,
    FlockGrid,
    rule_radius,
    sight,
)
from systems.space.neighbourhood import (
    Radii,
    Scales,
    Sums,
    Viewer,
    Weights,
    pick_nearest,
    scale_for,
    sum_curved,
    sum_seen,
)

f32, f64, i32, i64 = np.float32, np.float64, np.int32, np.int64
SECTION = 96  # most cells of a line whose candidates are gathered together
NEARLY_ONE = f32(0.9999)  # what scale_for is told of unit terms: BLOCK of them leave room for rounding up
FINE = float(1 << 20)  # how much finer than their scale the sums of `sum_curved` are
NOTICEABLE = 5e-4  # of |a| + 1 u/s²: what rounding may misplace before sums are made exactly


Rule = namedtuple("Rule", "strength limit steer")
"""How one of the three rules turns what it wants into an acceleration, as Flocker has it."""

Mover = namedtuple("Mover", "vx vy max_speed")
"""The one who steers: its velocity and top speed, float32, u/s."""


class Steering(NamedTuple):
    """What rules add up to, float64: an acceleration, and by how much the rounding of terms may have misplaced it."""

    x: float
    y: float
    error: float


class Flocking(System):
    """Keep apart, align, stay together."""

    phase = Phase.STEER
    reads = ("Position.x", "Position.y", Velocity, "Motion.max_speed", Perception, Flocker, FlockGrid)
    adds = ("Motion.acceleration",)

    def run(self, world: World) -> None:
        table = world.table
        velocity, motion, perception, flocker = (table.records(c) for c in (Velocity, Motion, Perception, Flocker))
        done = np.zeros(threads(), np.int64)
        _flock(*world.resource(FlockGrid), velocity, motion, perception, flocker, table.serial, done)


@parallel_kernel
def _flock(grid, mates, velocity, motion, perception, flocker, serial, done):
    for portion in prange(len(done)):
        boids = Boids(velocity, motion, perception, flocker, serial)
        _flock_portion(Flock(grid, mates, boids), portion, done)


@subroutine
def _flock_portion(flock, own, done):
    """Steer the boids of one's own portion, then those of the others' portions whom nobody has steered yet.

    A portion is sections that lie together, with about as many boids as any other: in most ticks its boids stay in the
    cache of one core. `done` counts the sections of each portion that were taken.
    """
    grid = flock.grid
    # Vector loops read on behind a cell's candidates. Off a torus a column must not come twice there, at both ends.
    width = SECTION if grid.torus_x > ZERO else min(SECTION, grid.columns - 2)
    per_line = (grid.columns + width - 1) // width
    for other in range(len(done)):
        portion = (own + other) % len(done)
        first, last = (
            _first_section(grid, width, per_line, portion, len(done)),
            _first_section(grid, width, per_line, portion + 1, len(done)),
        )
        section = first + take(done, portion)
        while section < last:
            line, column = section // per_line, section % per_line * width
            _flock_section(flock, line, column, min(column + width, grid.columns))
            section = first + take(done, portion)


@subroutine
def _first_section(grid, width, per_line, portion, portions):
    """The first section of a portion: before it stand `portion / portions` of all boids, or a few more."""
    boids, sections = grid.start[-1], grid.lines * per_line
    section = 0
    while section < sections:
        if grid.start[section // per_line * grid.columns + section % per_line * width] * portions >= portion * boids:
            break
        section += 1
    return section if portion < portions else sections


@subroutine
def _flock_section(flock, line, first, last):
    """Steer everyone in the cells [first, last) of a line."""
    grid, boids = flock.grid, flock.boids
    base = line * grid.columns
    if grid.start[base + first] == grid.start[base + last]:
        return
    far_sighted = False
    if flock.mates.far_sighted:
        for me in range(grid.start[base + first], grid.start[base + last]):
            far_sighted |= sight(grid.row[me], boids.perception, boids.flocker) > flock.mates.reach
    strip = room_for(strip_size(flock, line, first, last))
    far = room_for(len(grid.x) if far_sighted else 0)
    picked = room_for(MOST_NEIGHBOURS + 1)
    column_start = np.zeros(SECTION + 3, i64)
    gather_strip(flock, line, first, last, strip, column_start)
    for column in range(first, last):
        pool = Pool(strip, column_start[column - first], column_start[column - first + 3])
        for me in range(grid.start[base + column], grid.start[base + column + 1]):
            _flock_one(flock, me, pool, far, picked)


@inlined
def _flock_one(flock, me, pool, far, picked):
    """Steer one boid by the candidates of its cell, or by its own, put into `far`, if it sees farther."""
    row, boids = flock.grid.row[me], flock.boids
    if flock.mates.far_sighted:
        radius = sight(row, boids.perception, boids.flocker)
        if radius > flock.mates.reach:
            pool = Pool(far, i64(0), gather_around(flock, me, radius, far))
    x, y, error = _rules(flock, me, pool, picked, False)
    if error > NOTICEABLE * (1.0 + max(abs(x), abs(y))):
        x, y, _ = _rules_exactly(flock, me, pool, picked)
    boids.motion[row].acceleration_x += f32(x)
    boids.motion[row].acceleration_y += f32(y)


@outlined
def _rules_exactly(flock, me, pool, picked):
    """`_rules` for the few whose terms add up to so little that their rounding would be seen."""
    return _rules(flock, me, pool, picked, True)


@inlined
def _rules(flock, me, pool, picked, exactly):
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
        sums, scales = _exact_sums(flock, pool, viewer, radii, falloff)
    else:
        sums, scales = _rounded_sums(mates, pool, viewer, radii, falloff)
    if separates and sums.separated > 1:
        x, y = sums.push_x, sums.push_y
        if sums.coincident > 1:
            weight = 0.0 if falloff == DISTANCE else f64(_steepest(falloff, r_s)) if falloff == INVERSE else 1.0
            away_x, away_y = _away_from_coincident(flock, me, pool, viewer, weight * scales.push)
            x, y = x + away_x, y + away_y
        per = -1.0 / (scales.push * ((sums.separated - 1) if flocker.separation_mean else 1))
        error = per * (1.0 + 0.25 * sums.separated) * scales.push_error
        rule = Rule(flocker.separation_strength, flocker.separation_limit, flocker.separation_steer)
        steering = _with_rule(steering, rule, mover, (x * per, y * per), (x * per, y * per), error)
    if everyone:
        sums = _crowd_but_one(flock, me, len(mates.crowds) - 1 if mixes else i64(mates.kind[me]), mover)
        scales = Scales(VELOCITY_SCALE, POSITION_SCALE, 1.0, 1.0)
    else:
        sums = _all_but_one(flock, me, mover, sums, exactly)
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


@inlined
def _steepest(falloff, radius):
    """The most that separation multiplies a unit vector with, float32; of a unit vector itself a little less than 1."""
    return radius if falloff == DISTANCE else f32(1000) / radius if falloff == INVERSE else NEARLY_ONE


@inlined
def _rounded_sums(mates, pool, viewer, radii, falloff):
    """The `Sums` over those seen, in terms that fit an int32, and their `Scales`."""
    r_s, curved = radii.separation, falloff in (INVERSE, SMOOTH)
    scale_c, scale_s = scale_for(radii.cohesion), scale_for(NEARLY_ONE if curved else _steepest(falloff, r_s))
    per_unit = ZERO if falloff == DISTANCE else scale_s
    per_offset = scale_s if falloff == DISTANCE else ZERO if falloff == CONSTANT else -scale_s / r_s
    sums = sum_seen(pool, viewer, radii, Weights(scale_c, per_unit, per_offset))
    scales = Scales(mates.velocity_scale, f64(scale_c), f64(scale_s), 1.0)
    if curved and r_s > ZERO and sums.separated > 1:
        scale_s = scale_for(_steepest(falloff, r_s))
        x, y = sum_curved(pool, viewer, r_s, scale_s, falloff == INVERSE)
        sums = Sums(
            sums.aligned, sums.cohering, sums.separated, sums.coincident, sums.u, sums.v, sums.x, sums.y, x, y
        )  # fmt: skip
        # Their terms are no finer than float32.
        push_error = FINE / 64 if falloff == INVERSE else FINE
        scales = Scales(scales.velocity, scales.offset, f64(scale_s) * FINE, push_error)
    return sums, scales


@inlined
def _exact_sums(flock, pool, viewer, radii, falloff):
    """The `Sums` over those seen, in terms that take an int64, and their `Scales`."""
    push_scale = exact_scale(_steepest(falloff, radii.separation))
    scales = Scales(VELOCITY_SCALE, exact_scale(radii.cohesion), push_scale, 0.0)
    return sum_exactly(flock, pool, viewer, radii, scales, falloff), scales


@inlined
def _all_but_one(flock, me, mover, sums, exactly):
    """`Sums` without the one who looks."""
    u, v = i64(flock.mates.u[me]), i64(flock.mates.v[me])
    if exactly:
        u, v = fixed(mover.vx, VELOCITY_SCALE), fixed(mover.vy, VELOCITY_SCALE)
    return Sums(
        sums.aligned - 1, sums.cohering - 1, sums.separated - 1, sums.coincident - 1,
        sums.u - u, sums.v - v, sums.x, sums.y, sums.push_x, sums.push_y,
    )  # fmt: skip


@outlined
def _crowd_but_one(flock, me, crowd, mover):
    """The `Sums` of alignment and cohesion over a whole crowd without the one who looks."""
    crowds, grid = flock.mates.crowds, flock.grid
    members = crowds[crowd, COUNT]
    return Sums(
        members - 1, members - 1, i64(0), i64(0),
        crowds[crowd, SUM_U] - fixed(mover.vx, VELOCITY_SCALE),
        crowds[crowd, SUM_V] - fixed(mover.vy, VELOCITY_SCALE),
        crowds[crowd, SUM_X] - members * fixed(grid.x[me], POSITION_SCALE),
        crowds[crowd, SUM_Y] - members * fixed(grid.y[me], POSITION_SCALE),
        i64(0), i64(0),
    )  # fmt: skip


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


def install(app: App) -> None:
    app.add_component(Position, Velocity, Motion, Perception, Flocker)
    app.add_system(Flocking)
