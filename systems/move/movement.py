"""Integrates motion by semi-implicit Euler: velocity, then position; within the limits of `Motion`."""

from __future__ import annotations

import numpy as np

from components.motion import Motion, Position, Velocity
from components.store.world import World
from systems.engine.app import App
from systems.engine.kernel import inlined
from systems.engine.rows import for_each_row
from systems.engine.settings import Settings
from systems.engine.system import Phase, System
from systems.exact.angles import direction
from systems.exact.random import random_unit
from systems.exact.vector import ONE, ZERO, length, limited, read_acceleration
from systems.space.bounds import FARTHEST, FASTEST

f32 = np.float32
STREAM = 1  # of random numbers
FASTEST_32 = f32(FASTEST)  # u/s; rounding may exceed it, and a mod may add accelerations that overflow


class Movement(System):
    """Limits the acceleration, applies it and the drag, clamps the speed, and moves."""

    phase = Phase.MOVE
    reads = (Motion, Settings)
    writes = (Velocity, "Position.x", "Position.y")

    def run(self, world: World) -> None:
        table = world.table
        rows = table.rows(Position, Velocity, Motion)
        position, velocity, motion = (table.records(c) for c in (Position, Velocity, Motion))
        settings = world.resource(Settings)
        # No limit in a "wrap" or "bounce" world: the systems of these edges bring entities back.
        farthest = np.inf if settings.edges in ("wrap", "bounce") else FARTHEST
        _move(rows, position, velocity, motion, table.serial, world.seed, 1.0 / settings.tick_rate, farthest)


@inlined
def within(value, most):
    """Clamp a value to ±most; return 0 for NaN, whose bits differ between machines."""
    if -most <= value <= most:
        return value
    return most if value > most else -most if value < -most else ZERO


@for_each_row
def _move(row, position, velocity, motion, serial, seed, tick, farthest):
    dt = f32(tick)
    ax, ay = limited(read_acceleration(motion[row]), motion[row].max_acceleration)
    vx, vy = velocity[row].x + ax * dt, velocity[row].y + ay * dt
    kept = ONE / (ONE + motion[row].drag * dt)
    if not motion[row].drag_after_clamp:
        vx, vy = vx * kept, vy * kept
    speed, slowest, fastest = length((vx, vy)), motion[row].min_speed, motion[row].max_speed
    clamped = min(max(speed, slowest), fastest)
    if speed > ZERO:
        share = clamped / speed  # exactly 1 within the limits: cheaper than an unpredictable branch
        vx, vy = vx * share, vy * share
    elif clamped > ZERO:  # at rest, and too slow: a random direction
        ux, uy = direction(random_unit(seed, 0, serial[row], STREAM))
        vx, vy = ux * clamped, uy * clamped
    if motion[row].drag_after_clamp:
        vx, vy = vx * kept, vy * kept
    vx, vy = within(vx, FASTEST_32), within(vy, FASTEST_32)
    velocity[row].x, velocity[row].y = vx, vy
    position[row].x = within(position[row].x + vx * dt, f32(farthest))
    position[row].y = within(position[row].y + vy * dt, f32(farthest))


def install(app: App) -> None:
    app.add_component(Position, Velocity, Motion)
    app.add_system(Movement)
