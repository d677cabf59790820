"""Integrates motion by semi-implicit Euler: velocity, then position; within the limits of `Motion`."""

from __future__ import annotations

import numpy as np

from components.motion import Motion, Position, Velocity
from components.store.world import World
from systems.engine.app import App
from systems.engine.data import data_of
from systems.engine.rows import for_each_row
from systems.engine.settings import Settings
from systems.engine.system import PLACE, Phase, System
from systems.exact.random import direction_like, random_unit
from systems.exact.vector import ONE, ZERO, add, length, limited, put, read, read_acceleration, scaled
from systems.space.bounds import FARTHEST, FASTEST, within

f32 = np.float32
STREAM, UPWARD = 1, 202  # of random numbers
FASTEST_32 = f32(FASTEST)  # u/s; rounding may exceed it, and a mod may add accelerations that overflow


class Movement(System):
    """Limits the acceleration, applies it and the drag, clamps the speed, and moves."""

    phase = Phase.MOVE
    reads = (Motion, Settings)
    writes = (Velocity, *PLACE)
    needs = (Position, Velocity, Motion)

    def run(self, world: World) -> None:
        settings, rows, data = world.resource(Settings), world.table.rows(*self.needs), data_of(self, world)
        # No limit in a "wrap" or "bounce" world: the systems of these edges bring entities back.
        farthest = np.inf if settings.torus or settings.edges == "bounce" else FARTHEST
        tick = f32(1.0 / settings.tick_rate)
        _move(rows, data.position, data.velocity, data.motion, data.serial, world.seed, tick, f32(farthest))


@for_each_row
def _move(row, position, velocity, motion, serial, seed, dt, farthest):
    limits = motion[row]
    acceleration = limited(read_acceleration(limits), limits.max_acceleration)
    now = add(read(velocity[row]), scaled(acceleration, dt))
    slowed = ONE / (ONE + limits.drag * dt)
    if not limits.drag_after_clamp:
        now = scaled(now, slowed)
    speed = length(now)
    clamped = min(max(speed, limits.min_speed), limits.max_speed)
    if speed > ZERO:
        now = scaled(now, clamped / speed)  # by exactly 1 within the limits: cheaper than a branch
    elif clamped > ZERO:  # at rest, and too slow: a random direction
        turn, upward = random_unit(seed, 0, serial[row], STREAM), random_unit(seed, 0, serial[row], UPWARD)
        now = scaled(direction_like(now, turn, upward), clamped)
    if limits.drag_after_clamp:
        now = scaled(now, slowed)
    now = within(now, FASTEST_32)
    put(velocity[row], now)
    put(position[row], within(add(read(position[row]), scaled(now, dt)), farthest))


def install(app: App) -> None:
    app.add_system(Movement)
