"""From acceleration to velocity to position: semi-implicit Euler with the limits of Motion."""

# mypy: allow-untyped-defs
# (numba finds out the types of kernels)

from __future__ import annotations

import numpy as np

from components.motion import Motion, Position, Velocity
from components.store.world import World
from systems.core.install import App
from systems.core.kernel import inlined, parallel_kernel, prange
from systems.core.pipeline import Phase, System
from systems.core.random import random_unit
from systems.core.settings import Settings
from systems.core.vector import ONE, ZERO, direction, length, limited

f32 = np.float32
STREAM = 1
FARTHEST = f32(1e6)  # in a world without edges they could fly on for ever
FASTEST = f32(1e4)  # strong drag in long ticks turns a velocity round and makes it longer


class Movement(System):
    """Limits the acceleration, applies it and the drag, clamps the speed, and moves."""

    phase = Phase.MOVE
    reads = (Motion, Settings)
    writes = (Velocity, "Position.x", "Position.y")

    def run(self, world: World) -> None:
        table = world.table
        rows = table.rows(Position, Velocity, Motion)
        position, velocity, motion = (table.records(c) for c in (Position, Velocity, Motion))
        dt = f32(1.0 / world.resource(Settings).tick_rate)
        _move(rows, position, velocity, motion, table.serial, world.seed, dt)


@inlined
def within(value, most):
    """A number kept to ±most; 0 for what overflowed and is none: NaN has other bits on other machines."""
    if -most <= value <= most:
        return value
    return most if value > most else -most if value < -most else ZERO


@parallel_kernel
def _move(rows, position, velocity, motion, serial, seed, dt):
    for k in prange(len(rows)):
        _move_one(rows[k], position, velocity, motion, serial, seed, dt)


@inlined
def _move_one(row, position, velocity, motion, serial, seed, dt):
    ax, ay = limited(motion[row].acceleration_x, motion[row].acceleration_y, motion[row].max_acceleration)
    vx, vy = velocity[row].x + ax * dt, velocity[row].y + ay * dt
    drag = ONE - motion[row].drag * dt
    if not motion[row].drag_after_clamp:
        vx, vy = vx * drag, vy * drag
    speed, slowest, fastest = length(vx, vy), motion[row].min_speed, motion[row].max_speed
    clamped = min(max(speed, slowest), fastest)
    if speed > ZERO:
        share = clamped / speed  # exactly 1 within the limits: cheaper than a branch nobody can predict
        vx, vy = vx * share, vy * share
    elif clamped > ZERO:
        ux, uy = direction(random_unit(seed, 0, serial[row], STREAM))
        vx, vy = ux * clamped, uy * clamped
    if motion[row].drag_after_clamp:
        vx, vy = vx * drag, vy * drag
    vx, vy = within(vx, FASTEST), within(vy, FASTEST)
    velocity[row].x, velocity[row].y = vx, vy
    position[row].x = within(position[row].x + vx * dt, FARTHEST)
    position[row].y = within(position[row].y + vy * dt, FARTHEST)


def install(app: App) -> None:
    app.add_component(Position, Velocity, Motion)
    app.add_system(Movement())
