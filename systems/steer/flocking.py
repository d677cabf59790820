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
from numba import prange

from components.flock import (
    CONSTANT,
    DESIRED,
    DISTANCE,
    EVERYONE,
    INVERSE,
    SMOOTH,
    TOPOLOGICAL,
    Flocker,
    Perception,
)
from components.motion import Motion, Position, Velocity
from components.store.world import World
from systems.core.flock_grid import (
    COUNT,
    POSITION_SCALE,
    SUM_U,
    SUM_V,
    SUM_X,
    SUM_Y,
    FlockGrid,
    is_narrow,
    rule_radius,
    sight,
    view,
)
from systems.core.install import App
from systems.core.kernel import inlined, parallel_kernel, subroutine
from systems.core.neighbourhood import (
    gather_around,
    gather_strip,
    pick_nearest,
    room_for,
    scale_for,
    strip_size,
    sum_curved,
    sum_seen,
)
from systems.core.pipeline import Phase, System
from systems.core.random import direction_between
from systems.core.vector import ONE, ZERO, limited, unit

f32, i32, i64 = np.float32, np.int32, np.int64
SECTION = 32  # cells of a line whose candidates are gathered together
MOST_NEIGHBOURS = 64
NEARLY_ONE = f32(0.9999)  # what scale_for is told of unit terms: BLOCK of them leave room for rounding up
FINE = f32(1.0 / (1 << 20))


class Flocking(System):
    """Keep apart, align, stay together."""

    phase = Phase.STEER
    reads = ("Position.x", "Position.y", Velocity, "Motion.max_speed", Perception, Flocker, FlockGrid)
    adds = ("Motion.acceleration",)

    def run(self, world: World) -> None:
        flock, table = world.resource(FlockGrid), world.table
        velocity, motion, perception, flocker = (table.bundle(c) for c in (Velocity, Motion, Perception, Flocker))
        sections = -(-flock.grid.columns // SECTION)
        _flock(*flock, sections, velocity, motion, perception, flocker, table.serial)


@parallel_kernel
def _flock(grid, reach, u, v, per_velocity, kind, crowds, sections, velocity, motion, perception, flocker, serial):
    for n in prange(grid.lines * sections):
        flock = FlockGrid(grid, reach, u, v, per_velocity, kind, crowds)
        _flock_section(flock, n // sections, n % sections, velocity, motion, perception, flocker, serial)


@subroutine
def _flock_section(flock, line, section, velocity, motion, perception, flocker, serial):
    """Steer everyone in SECTION cells of a line."""
    grid = flock.grid
    first, last = section * SECTION, min((section + 1) * SECTION, grid.columns)
    base = line * grid.columns
    if grid.start[base + first] == grid.start[base + last]:
        return
    first_boid, last_boid = grid.start[base + first], grid.start[base + last]
    narrow = is_narrow(grid)
    far_sighted = narrow
    for me in range(first_boid, last_boid):
        far_sighted |= sight(grid.row[me], perception, flocker) > flock.reach
    near = room_for(0 if narrow else strip_size(flock, line, first, last))
    far = room_for(len(grid.x) if far_sighted else 0)
    picked = room_for(MOST_NEIGHBOURS + 1)
    column_start = np.zeros(SECTION + 3, i64)
    if not narrow:
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
    radius = sight(row, perception, flocker)
    if radius > flock.reach or is_narrow(grid):
        found, first, last = far, 0, gather_around(flock, grid.x[me], grid.y[me], radius, far)
    x, y = _steer(found, first, last, me, flock, picked, velocity, motion, perception, flocker, serial)
    motion.acceleration_x[row] += x
    motion.acceleration_y[row] += y


@inlined
def _steer(found, first, last, me, flock, picked, velocity, motion, perception, flocker, serial):
    """The sum of the three rules for one boid, whose flockmates are among the candidates [first, last)."""
    row = flock.grid.row[me]
    px, py, vx, vy = flock.grid.x[me], flock.grid.y[me], velocity.x[row], velocity.y[row]
    hx, hy, cone = view(row, velocity, perception)
    radius = perception.radius[row]
    everyone = perception.reach[row] == EVERYONE
    x, y = ZERO, ZERO
    for mixes in (False, True):
        separates = flocker.separation_mixes[row] == mixes and flocker.separation_strength[row] > ZERO
        aligns = flocker.alignment_mixes[row] == mixes and flocker.alignment_strength[row] > ZERO
        gathers = flocker.cohesion_mixes[row] == mixes and flocker.cohesion_strength[row] > ZERO
        if not (separates or aligns or gathers):
            continue
        own, same = flock.kind[me], i32(0) if mixes else i32(-1)
        r_s = rule_radius(flocker.separation_radius[row], radius) if separates else ZERO
        r_a = rule_radius(flocker.alignment_radius[row], radius) if aligns and not everyone else ZERO
        r_c = rule_radius(flocker.cohesion_radius[row], radius) if gathers and not everyone else ZERO
        pool, begin, end = found, i64(first), i64(last)
        if perception.reach[row] == TOPOLOGICAL:
            r2, most = radius * radius, perception.neighbours[row]
            end = pick_nearest(found, first, last, px, py, hx, hy, cone, own, same, r2, most, me, flock, serial, picked)
            pool, begin = picked, i64(0)
        falloff = flocker.separation_falloff[row]
        curved = falloff in (INVERSE, SMOOTH)
        part_scale = scale_for(r_s if falloff == DISTANCE else NEARLY_ONE)
        near = ZERO if falloff == DISTANCE else part_scale
        flat = part_scale if falloff == DISTANCE else ZERO if falloff == CONSTANT else -part_scale / r_s
        offset_scale = scale_for(radius)
        n_a, n_c, n_s, n_0, su, sv, gx, gy, sx, sy = sum_seen(
            pool,
            begin,
            end,
            px,
            py,
            hx,
            hy,
            cone,
            own,
            same,
            r_a * r_a,
            r_c * r_c,
            r_s * r_s,
            offset_scale,
            near,
            flat,
        )
        if everyone:
            crowd = len(flock.crowds) - 1 if mixes else own
            n_a, su, sv, mean_x, mean_y = _others(flock, crowd, me)
            n_c = n_a
        else:
            n_a, su, sv = n_a - 1, su - flock.u[me], sv - flock.v[me]
            n_c -= 1
            per = ONE / (offset_scale * f32(max(n_c, 1)))
            mean_x, mean_y = f32(gx) * per, f32(gy) * per
        if separates and n_s > 1:
            partial = f32(1) / part_scale
            if curved:
                most = f32(1000) / r_s
                curve_scale = scale_for(most if falloff == INVERSE else NEARLY_ONE)
                inverse = falloff == INVERSE
                sx, sy = sum_curved(
                    pool, begin, end, px, py, hx, hy, cone, own, same, r_s * r_s, curve_scale, inverse, most
                )
                partial = FINE / curve_scale
            if n_0 > 1:
                size = ZERO if falloff == DISTANCE else f32(1000) / r_s if falloff == INVERSE else ONE
                cx, cy = _leave_point(pool, begin, end, px, py, own, same, me, flock, serial, size / partial)
                sx, sy = sx + cx, sy + cy
            if flocker.separation_mean[row]:
                partial /= f32(n_s - 1)
            sep_x, sep_y = -f32(sx) * partial, -f32(sy) * partial
            ax, ay = _rule(
                sep_x, sep_y, sep_x, sep_y, vx, vy, motion.max_speed[row],
                flocker.separation_strength[row], flocker.separation_limit[row], flocker.separation_steer[row],
            )  # fmt: skip
            x, y = x + ax, y + ay
        if aligns and n_a > 0:
            per = flock.per_velocity / f32(n_a)
            wx, wy = f32(su) * per, f32(sv) * per
            ax, ay = _rule(
                wx - vx, wy - vy, wx, wy, vx, vy, motion.max_speed[row],
                flocker.alignment_strength[row], flocker.alignment_limit[row], flocker.alignment_steer[row],
            )  # fmt: skip
            x, y = x + ax, y + ay
        if gathers and n_c > 0:
            ax, ay = _rule(
                mean_x, mean_y, mean_x, mean_y, vx, vy, motion.max_speed[row],
                flocker.cohesion_strength[row], flocker.cohesion_limit[row], flocker.cohesion_steer[row],
            )  # fmt: skip
            x, y = x + ax, y + ay
    return x, y


@inlined
def _rule(direct_x, direct_y, wish_x, wish_y, vx, vy, max_speed, strength, limit, steer):
    """The acceleration of a rule, by its way to steer."""
    if steer == DESIRED:
        ux, uy = unit(wish_x, wish_y)
        direct_x, direct_y = max_speed * ux - vx, max_speed * uy - vy
    return limited(strength * direct_x, strength * direct_y, limit)


@inlined
def _others(flock, crowd, me):
    """Of a whole crowd but one: how many, the sums of u and v, and the offset to its mean position."""
    sums, grid = flock.crowds, flock.grid
    count = sums[crowd, COUNT] - 1
    x, y = i64(np.float64(grid.x[me]) * POSITION_SCALE), i64(np.float64(grid.y[me]) * POSITION_SCALE)
    per = 1.0 / (POSITION_SCALE * max(count, 1))
    offset_x, offset_y = sums[crowd, SUM_X] - (count + 1) * x, sums[crowd, SUM_Y] - (count + 1) * y
    return (
        count,
        sums[crowd, SUM_U] - flock.u[me],
        sums[crowd, SUM_V] - flock.v[me],
        f32(offset_x * per),
        f32(offset_y * per),
    )


@inlined
def _leave_point(found, first, last, px, py, own, same, me, flock, serial, size):
    """What those at the very same point add to separation's fixed-point sums: directions from serials."""
    x, y = i64(0), i64(0)
    mine = serial[flock.grid.row[me]]
    for k in range(first, last):
        if found.x[k] == px and found.y[k] == py and found.who[k] != me and ((found.kind[k] ^ own) & same) == 0:
            ux, uy = direction_between(mine, serial[flock.grid.row[found.who[k]]])
            x -= i64(ux * size)
            y -= i64(uy * size)
    return x, y


def install(app: App) -> None:
    app.add_component(Position, Velocity, Motion, Perception, Flocker)
    app.add_system(Flocking())
