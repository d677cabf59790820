"""Separation, alignment and cohesion: the three rules of flocking (Reynolds 1987).

With neighbours j of boid i at offset q_j - p, distance d, velocity w_j:

    separation   S = sum_j g(d) * unit(p - q_j)        g by falloff; a mean over the neighbours when asked for
    alignment    A = mean_j(w_j) - v
    cohesion     C = mean_j(q_j) - p

A rule steers `direct`: a = limit(strength * X), or to a `desired` velocity at full speed (Reynolds 1999):
a = limit(strength * (max_speed * unit(Y) - v)), where Y = S, mean_j(w_j), C. Without neighbours a rule gives zero.
"""

# mypy: allow-untyped-defs
# (numba finds out the types of kernels)

from __future__ import annotations

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
from systems.engine.kernel import aside, inlined, parallel_kernel, prange, subroutine
from systems.engine.pipeline import Phase, System
from systems.engine.threads import threads
from systems.exact.random import direction_between
from systems.exact.vector import ZERO, length, limited
from systems.space.candidates import gather_around, gather_strip, room_for, strip_size
from systems.space.exact_sums import VELOCITY_SCALE, exact_scale, fixed, sum_exactly
from systems.space.flock_grid import (
    COUNT,
    POSITION_SCALE,
    SUM_U,
    SUM_V,
    SUM_X,
    SUM_Y,
    FlockGrid,
    rule_radius,
    sight,
    view,
)
from systems.space.neighbourhood import pick_nearest, scale_for, sum_curved, sum_seen

f32, f64, i32, i64 = np.float32, np.float64, np.int32, np.int64
SECTION = 96  # most cells of a line whose candidates are gathered together
NEARLY_ONE = f32(0.9999)  # what scale_for is told of unit terms: BLOCK of them leave room for rounding up
FINE = float(1 << 20)  # how much finer than their scale the sums of `sum_curved` are
DOUBT = 5e-4  # of |a| + 1 u/s²: what rounding may misplace before sums are made exactly


class Flocking(System):
    """Keep apart, align, stay together."""

    phase = Phase.STEER
    reads = ("Position.x", "Position.y", Velocity, "Motion.max_speed", Perception, Flocker, FlockGrid)
    adds = ("Motion.acceleration",)

    def run(self, world: World) -> None:
        flock, table = world.resource(FlockGrid), world.table
        velocity, motion, perception, flocker = (table.records(c) for c in (Velocity, Motion, Perception, Flocker))
        done = np.zeros(threads(), np.int64)
        _flock(*flock, done, velocity, motion, perception, flocker, table.serial)


@parallel_kernel
def _flock(
    grid, reach, far_sighted, u, v, velocity_scale, kind, crowds, done, velocity, motion, perception, flocker, serial
):
    for share in prange(len(done)):
        flock = FlockGrid(grid, reach, far_sighted, u, v, velocity_scale, kind, crowds)
        _flock_share(flock, share, done, velocity, motion, perception, flocker, serial)


@subroutine
def _flock_share(flock, own, done, velocity, motion, perception, flocker, serial):
    """Steer the boids of one's own share, then those of the others' shares whom nobody has steered yet.

    A share is sections that lie together, with about as many boids as any other: in most ticks its boids stay in the
    cache of one core. `done` counts the sections of each share that were taken.
    """
    grid = flock.grid
    # Vector loops read on behind a cell's candidates. Off a torus a column must not come twice there, at both ends.
    width = SECTION if grid.torus_x > ZERO else min(SECTION, grid.columns - 2)
    per_line = (grid.columns + width - 1) // width
    for other in range(len(done)):
        share = (own + other) % len(done)
        first, last = (
            _first_section(grid, width, per_line, share, len(done)),
            _first_section(grid, width, per_line, share + 1, len(done)),
        )
        section = first + take(done, share)
        while section < last:
            line, column = section // per_line, section % per_line * width
            end = min(column + width, grid.columns)
            _flock_section(flock, line, column, end, velocity, motion, perception, flocker, serial)
            section = first + take(done, share)


@subroutine
def _first_section(grid, width, per_line, share, shares):
    """The first section of a share: before it stand `share / shares` of all boids, or a few more."""
    boids, sections = grid.start[-1], grid.lines * per_line
    section = 0
    while section < sections:
        if grid.start[section // per_line * grid.columns + section % per_line * width] * shares >= share * boids:
            break
        section += 1
    return section if share < shares else sections


@subroutine
def _flock_section(flock, line, first, last, velocity, motion, perception, flocker, serial):
    """Steer everyone in the cells [first, last) of a line."""
    grid = flock.grid
    base = line * grid.columns
    if grid.start[base + first] == grid.start[base + last]:
        return
    first_boid, last_boid = grid.start[base + first], grid.start[base + last]
    far_sighted = False
    if flock.far_sighted:
        for me in range(first_boid, last_boid):
            far_sighted |= sight(grid.row[me], perception, flocker) > flock.reach
    near = room_for(strip_size(flock, line, first, last))
    far = room_for(len(grid.x) if far_sighted else 0)
    picked = room_for(MOST_NEIGHBOURS + 1)
    column_start = np.zeros(SECTION + 3, i64)
    gather_strip(flock, line, first, last, near, column_start)
    for column in range(first, last):
        start, stop = column_start[column - first], column_start[column - first + 3]
        for me in range(grid.start[base + column], grid.start[base + column + 1]):
            _flock_one(near, start, stop, far, picked, me, flock, velocity, motion, perception, flocker, serial)


@inlined
def _flock_one(near, start, stop, far, picked, me, flock, velocity, motion, perception, flocker, serial):
    """Steer one boid by the candidates [start, stop) of its cell, or by its own if it sees farther."""
    grid, row = flock.grid, flock.grid.row[me]
    found, first, last = near, start, stop
    if flock.far_sighted:
        radius = sight(row, perception, flocker)
        if radius > flock.reach:
            found, first, last = far, 0, gather_around(flock, grid.x[me], grid.y[me], radius, far)
    x, y = _steer(found, first, last, me, flock, picked, velocity, motion, perception, flocker, serial)
    motion[row].acceleration_x += x
    motion[row].acceleration_y += y


@inlined
def _steer(found, first, last, me, flock, picked, velocity, motion, perception, flocker, serial):
    """The sum of the three rules for one boid, whose flockmates are among the candidates [first, last)."""
    x, y, doubt = _rules(found, first, last, me, flock, picked, velocity, motion, perception, flocker, serial, False)
    if doubt > DOUBT * (1.0 + max(abs(x), abs(y))):
        x, y = _steer_exactly(found, first, last, me, flock, picked, velocity, motion, perception, flocker, serial)
    return f32(x), f32(y)


@aside
def _steer_exactly(found, first, last, me, flock, picked, velocity, motion, perception, flocker, serial):
    """The same for the few whose rules add up to so little that the rounding of terms would be seen."""
    x, y, _ = _rules(found, first, last, me, flock, picked, velocity, motion, perception, flocker, serial, True)
    return x, y


@inlined
def _rules(found, first, last, me, flock, picked, velocity, motion, perception, flocker, serial, exactly):
    """The three rules' sum (float64), and by how much the rounding of terms may have misplaced it; 0 if `exactly`."""
    row = flock.grid.row[me]
    px, py, vx, vy = flock.grid.x[me], flock.grid.y[me], velocity[row].x, velocity[row].y
    hx, hy, cone = view(row, velocity, perception)
    radius, max_speed = perception[row].radius, motion[row].max_speed
    everyone = perception[row].reach == EVERYONE
    x, y, doubt = 0.0, 0.0, 0.0
    for mixes in (False, True):
        separates = flocker[row].separation_mixes == mixes and flocker[row].separation_strength > ZERO
        aligns = flocker[row].alignment_mixes == mixes and flocker[row].alignment_strength > ZERO
        gathers = flocker[row].cohesion_mixes == mixes and flocker[row].cohesion_strength > ZERO
        if not (separates or aligns or gathers):
            continue
        own, same = flock.kind[me], i32(0) if mixes else i32(-1)
        r_s = rule_radius(flocker[row].separation_radius, radius) if separates else ZERO
        r_a = rule_radius(flocker[row].alignment_radius, radius) if aligns and not everyone else ZERO
        r_c = rule_radius(flocker[row].cohesion_radius, radius) if gathers and not everyone else ZERO
        pool, begin, end = found, i64(first), i64(last)
        if perception[row].reach == TOPOLOGICAL:
            r2, most = radius * radius, perception[row].neighbours
            end = pick_nearest(found, first, last, px, py, hx, hy, cone, own, same, r2, most, me, flock, serial, picked)
            pool, begin = picked, i64(0)
        falloff = flocker[row].separation_falloff
        steepest = r_s if falloff == DISTANCE else f32(1000) / r_s if falloff == INVERSE else NEARLY_ONE
        if exactly:
            u_scale, offset_scale, part_scale = VELOCITY_SCALE, exact_scale(r_c), exact_scale(steepest)
            coarser, own_u, own_v = 1.0, fixed(vx, VELOCITY_SCALE), fixed(vy, VELOCITY_SCALE)
            n_a, n_c, n_s, n_0, su, sv, gx, gy, sx, sy = sum_exactly(
                pool, begin, end, px, py, hx, hy, cone, own, same, r_a * r_a, r_c * r_c, r_s * r_s,
                offset_scale, falloff, r_s, part_scale, flock, velocity,
            )  # fmt: skip
        else:
            curved = falloff in (INVERSE, SMOOTH)
            scale_c, scale_s = scale_for(r_c), scale_for(NEARLY_ONE if curved else steepest)
            near = ZERO if falloff == DISTANCE else scale_s
            flat = scale_s if falloff == DISTANCE else ZERO if falloff == CONSTANT else -scale_s / r_s
            u_scale, offset_scale, part_scale = flock.velocity_scale, f64(scale_c), f64(scale_s)
            coarser, own_u, own_v = 1.0, i64(flock.u[me]), i64(flock.v[me])
            n_a, n_c, n_s, n_0, su, sv, gx, gy, sx, sy = sum_seen(
                pool, begin, end, px, py, hx, hy, cone, own, same, r_a * r_a, r_c * r_c, r_s * r_s,
                scale_c, near, flat,
            )  # fmt: skip
            if curved and separates and n_s > 1:
                scale_s = scale_for(steepest)
                inverse, most = falloff == INVERSE, f32(1000) / r_s
                sx, sy = sum_curved(
                    pool, begin, end, px, py, hx, hy, cone, own, same, r_s * r_s, scale_s, inverse, most
                )
                part_scale = f64(scale_s) * FINE
                coarser = FINE / 64 if inverse else FINE  # their terms are no finer than float32
        if separates and n_s > 1:
            if n_0 > 1:
                size = 0.0 if falloff == DISTANCE else f64(steepest) if falloff == INVERSE else 1.0
                cx, cy = _leave_point(pool, begin, end, px, py, own, same, me, flock, serial, size * part_scale)
                sx, sy = sx + cx, sy + cy
            per = -1.0 / (part_scale * ((n_s - 1) if flocker[row].separation_mean else 1))
            ax, ay, doubtful = _rule(
                sx * per, sy * per, sx * per, sy * per, vx, vy, max_speed, per * (1.0 + 0.25 * n_s) * coarser,
                flocker[row].separation_strength, flocker[row].separation_limit, flocker[row].separation_steer,
            )  # fmt: skip
            x, y, doubt = x + ax, y + ay, doubt + doubtful
        if everyone:
            n_a, su, sv, gx, gy = _others(flock, len(flock.crowds) - 1 if mixes else own, me, vx, vy)
            n_c, u_scale, offset_scale = n_a, VELOCITY_SCALE, POSITION_SCALE
        else:
            n_a, su, sv, n_c = n_a - 1, su - own_u, sv - own_v, n_c - 1
        if aligns and n_a > 0:
            per = 1.0 / (u_scale * n_a)
            wx, wy = su * per, sv * per
            ax, ay, doubtful = _rule(
                wx - vx, wy - vy, wx, wy, vx, vy, max_speed, per * (1.0 + 0.25 * n_a),
                flocker[row].alignment_strength, flocker[row].alignment_limit, flocker[row].alignment_steer,
            )  # fmt: skip
            x, y, doubt = x + ax, y + ay, doubt + doubtful
        if gathers and n_c > 0:
            per = 1.0 / (offset_scale * n_c)
            ax, ay, doubtful = _rule(
                gx * per, gy * per, gx * per, gy * per, vx, vy, max_speed, per * (1.0 + 0.25 * n_c),
                flocker[row].cohesion_strength, flocker[row].cohesion_limit, flocker[row].cohesion_steer,
            )  # fmt: skip
            x, y, doubt = x + ax, y + ay, doubt + doubtful
    return x, y, 0.0 if exactly else doubt


@inlined
def _rule(direct_x, direct_y, wish_x, wish_y, vx, vy, max_speed, rounding, strength, limit, steer):
    """The acceleration of a rule, by its way to steer; and how much `rounding` of its sum may change it."""
    doubt = abs(rounding)
    if steer == DESIRED:
        size = length(wish_x, wish_y)
        ux, uy = (wish_x / size, wish_y / size) if size > 0.0 else (0.0, 0.0)
        direct_x, direct_y = max_speed * ux - vx, max_speed * uy - vy
        doubt = max_speed * min(doubt / size, 2.0)
    x, y = limited(strength * direct_x, strength * direct_y, limit)
    return x, y, strength * doubt


@aside
def _others(flock, crowd, me, vx, vy):
    """Of a whole crowd but one: how many, the sums of their velocities, and of the offsets to their positions."""
    sums, grid = flock.crowds, flock.grid
    members = sums[crowd, COUNT]
    return (
        members - 1,
        sums[crowd, SUM_U] - fixed(vx, VELOCITY_SCALE),
        sums[crowd, SUM_V] - fixed(vy, VELOCITY_SCALE),
        sums[crowd, SUM_X] - members * fixed(grid.x[me], POSITION_SCALE),
        sums[crowd, SUM_Y] - members * fixed(grid.y[me], POSITION_SCALE),
    )


@aside
def _leave_point(found, first, last, px, py, own, same, me, flock, serial, size):
    """What those at the very same point add to separation's fixed-point sums: directions from serials."""
    x, y = i64(0), i64(0)
    mine = serial[flock.grid.row[me]]
    for k in range(first, last):
        dx, dy = found.x[k] - px, found.y[k] - py
        if dx * dx + dy * dy == ZERO and found.who[k] != me and ((found.kind[k] ^ own) & same) == 0:
            ux, uy = direction_between(mine, serial[flock.grid.row[found.who[k]]])
            x -= i64(ux * size)
            y -= i64(uy * size)
    return x, y


def install(app: App) -> None:
    app.add_component(Position, Velocity, Motion, Perception, Flocker)
    app.add_system(Flocking)
