"""Integrates motion by semi-implicit Euler: velocity, then position; within the limits of `Motion`."""

from __future__ import annotations

import numpy as np

from components.motion import Motion, Position, Velocity
from components.store.world import World
from systems.engine.app import App
from systems.engine.data import data_of
from systems.engine.rows import for_each_row
from systems.engine.settings import Settings
from systems.engine.system import Phase, System
from systems.exact.angles import direction
from systems.exact.random import random_unit
from systems.exact.vector import ONE, ZERO, add, length, limited, put, read, read_acceleration, scaled
from systems.space.bounds import FARTHEST, FASTEST, within

f32 = np.float32
STREAM = 1  # of random numbers
FASTEST_32 = f32(FASTEST)  # u/s; rounding may exceed it, and a mod may add accelerations that overflow


class Movement(System):
    """Limits the acceleration, applies it and the drag, clamps the speed, and moves."""

    phase = Phase.MOVE
    reads = (Motion, Settings)
    writes = (Velocity, "Position.x", "Position.y")
    needs = (Position, Velocity, Motion)

    def run(self, world: World) -> None:
        settings, rows = world.resource(Settings), world.table.rows(*self.needs)
        # No limit in a "wrap" or "bounce" world: the systems of these edges bring entities back.
        farthest = np.inf if settings.edges in ("wrap", "bounce") else FARTHEST
        _move(rows, data_of(self, world), world.seed, f32(1.0 / settings.tick_rate), f32(farthest))


@for_each_row
def _move(row, data, seed, dt, farthest):
    motion = data.motion[row]
    acceleration = limited(read_acceleration(motion), motion.max_acceleration)
    velocity = add(read(data.velocity[row]), scaled(acceleration, dt))
    slowed = ONE / (ONE + motion.drag * dt)
    if not motion.drag_after_clamp:
        velocity = scaled(velocity, slowed)
    speed = length(velocity)
    clamped = min(max(speed, motion.min_speed), motion.max_speed)
    if speed > ZERO:
        velocity = scaled(velocity, clamped / speed)  # by exactly 1 within the limits: cheaper than a branch
    elif clamped > ZERO:  # at rest, and too slow: a random direction
        velocity = scaled(direction(random_unit(seed, 0, data.serial[row], STREAM)), clamped)
    if motion.drag_after_clamp:
        velocity = scaled(velocity, slowed)
    velocity = within(velocity, FASTEST_32)
    put(data.velocity[row], velocity)
    put(data.position[row], within(add(read(data.position[row]), scaled(velocity, dt)), farthest))


def install(app: App) -> None:
    app.add_system(Movement)
