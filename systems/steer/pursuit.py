"""Pursuit of prey (Reynolds 1999).

A predator that can fly and does not rest sees the prey it hunts nearer than Perception's radius and in its field of
view, and

    nearest, weakest   a = strength * (max_speed * unit(h - p) - v)
    centre             a = strength * (mean_j(q_j) - p)

`nearest` takes the nearest, `weakest` the one with the least energy, then the nearest; then the lower serial. h is
where that prey, keeping its velocity w, is met at max_speed: q + w t with the smallest t > 0 for which
|q + w t - p| = max_speed * t. Where that is not within LOOK_AHEAD, t = min(|q - p| / max_speed, LOOK_AHEAD).
"""

# mypy: allow-untyped-defs
# (numba finds out the types of kernels)

from __future__ import annotations

import numpy as np

from components.flock import Perception
from components.life import Energy
from components.motion import Motion, Position, Velocity
from components.predation import CENTRE, WEAKEST, Predator, Prey
from components.store.world import World
from systems.engine.app import App
from systems.engine.kernel import aside, inlined, parallel_kernel, prange
from systems.engine.pipeline import Phase, System
from systems.exact.vector import ZERO
from systems.space.candidates import columns_near, lines_near
from systems.space.exact_sums import exact_scale, fixed
from systems.space.flock_grid import view
from systems.space.hunting import Quarry, hunts, offset
from systems.space.neighbourhood import in_view

f32, f64, i64, u64 = np.float32, np.float64, np.int64, np.uint64
LOOK_AHEAD = 2.0  # s
STRONGEST = np.iinfo(np.int64).max


class Pursuit(System):
    """Steers predators to their prey."""

    phase = Phase.STEER
    reads = (
        "Position.x", "Position.y", Velocity, "Motion.max_speed", "Perception.radius", "Perception.fov",
        Predator, "Energy.level", Quarry,
    )  # fmt: skip
    adds = ("Motion.acceleration",)

    def run(self, world: World) -> None:
        quarry, table = world.resources.get(Quarry), world.table
        if quarry is None:
            return
        rows = table.rows(Position, Velocity, Motion, Perception, Predator)
        records = (table.records(c) for c in (Position, Velocity, Motion, Perception, Predator, Energy))
        flies, lives = u64(table.mask([Velocity])), u64(table.mask([Energy]))
        _pursue(rows, quarry.grid, *records, table.presence, flies, lives, table.prefab, table.serial)


@parallel_kernel
def _pursue(
    rows, grid, position, velocity, motion, perception, predator, energy, presence, flies, lives, prefab, serial
):
    for k in prange(len(rows)):
        row = rows[k]
        if predator[row].rest <= ZERO and motion[row].max_speed > ZERO:
            _pursue_one(
                row, grid, position, velocity, motion, perception, predator, energy, presence, flies, lives, prefab,
                serial,
            )  # fmt: skip


@aside
def _pursue_one(
    row, grid, position, velocity, motion, perception, predator, energy, presence, flies, lives, prefab, serial
):
    px, py, radius = position[row].x, position[row].y, perception[row].radius
    hx, hy, cone = view(row, velocity, perception)
    target, scale = predator[row].target, exact_scale(radius)
    count, x, y = i64(0), i64(0), i64(0)
    best, weakest, nearest, best_x, best_y = i64(-1), i64(STRONGEST), np.inf, 0.0, 0.0
    first_column, columns = columns_near(grid, px, radius)
    first_line, lines = lines_near(grid, py, radius)
    for line in range(first_line, first_line + lines):
        for column in range(first_column, first_column + columns):
            cell = line % grid.lines * grid.columns + column % grid.columns
            for k in range(grid.start[cell], grid.start[cell + 1]):
                dx, dy = offset(grid.x[k], px, grid.torus_x), offset(grid.y[k], py, grid.torus_y)
                d2 = dx * dx + dy * dy
                if not d2 < f64(radius) * f64(radius) or not in_view(dx, dy, d2, hx, hy, cone):
                    continue
                other = grid.row[k]
                if other == row or not hunts(predator[row].hunts, prefab[other]):
                    continue
                if target == CENTRE:
                    count, x, y = count + 1, x + fixed(dx, scale), y + fixed(dy, scale)
                    continue
                level = i64(STRONGEST)
                if target == WEAKEST and presence[other] & lives:
                    level = energy[other].level
                if level > weakest or (level == weakest and d2 > nearest):
                    continue
                if level < weakest or d2 < nearest or serial[other] < serial[best]:
                    best, weakest, nearest, best_x, best_y = i64(other), level, d2, dx, dy
    strength, speed = f64(predator[row].strength), f64(motion[row].max_speed)
    if count > 0:
        motion[row].acceleration_x += f32(strength * (x / (scale * count)))
        motion[row].acceleration_y += f32(strength * (y / (scale * count)))
    if best >= 0:
        if presence[best] & flies:
            wx, wy = f64(velocity[best].x), f64(velocity[best].y)
            t = meeting_time(best_x, best_y, wx, wy, speed)
            best_x, best_y = best_x + wx * t, best_y + wy * t
        d = np.sqrt(best_x * best_x + best_y * best_y)
        share = speed / d if d > 0.0 else 0.0
        motion[row].acceleration_x += f32(strength * (best_x * share - velocity[row].x))
        motion[row].acceleration_y += f32(strength * (best_y * share - velocity[row].y))


@inlined
def meeting_time(x, y, wx, wy, speed):
    """After how long one that flies at `speed` meets what is at offset (x, y) and moves at (wx, wy), s, float64."""
    d2 = x * x + y * y
    receding = x * wx + y * wy
    square = receding * receding + d2 * (speed * speed - (wx * wx + wy * wy))
    if square >= 0.0:
        closing = np.sqrt(square) - receding
        if closing > 0.0 and d2 <= LOOK_AHEAD * closing:
            return d2 / closing
    return min(np.sqrt(d2) / speed, LOOK_AHEAD)


def install(app: App) -> None:
    app.add_component(Position, Velocity, Motion, Perception, Predator, Prey, Energy)
    app.add_system(Pursuit)
