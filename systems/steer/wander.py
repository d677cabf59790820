"""Wander (Reynolds 1999): entities turn randomly and smoothly to both sides; see docs/equations.md."""

from __future__ import annotations

import numpy as np

from components.guidance import Wander
from components.motion import Motion, Position, Velocity
from components.store.world import World
from systems.engine.app import App
from systems.engine.data import data_of
from systems.engine.kernel import inlined
from systems.engine.rows import for_each_row
from systems.engine.settings import Settings
from systems.engine.system import Phase, System
from systems.exact.angles import direction
from systems.exact.random import random_unit
from systems.exact.vector import accelerate, is_zero, left_of, read, scaled, to_f32, unit
from systems.space.noise import time_of, wavering

f32, f64 = np.float32, np.float64
WHIM, START, WHIM_Y, WHIM_Z = 3, 4, 204, 205  # streams of random numbers


class Wandering(System):
    """Turns wandering entities to one side, then to another; those at rest start in a random direction."""

    name = "wander"
    phase = Phase.STEER
    reads = (Velocity, Wander, Settings)
    adds = ("Motion.acceleration",)
    needs = (Position, Velocity, Motion, Wander)

    def run(self, world: World) -> None:
        _wander(world.table.rows(*self.needs), data_of(self, world), world.seed, time_of(world))


@for_each_row
def _wander(row, data, seed, time):
    wander = data.wander[row]
    steps = time * f64(wander.rate)
    whim = _whim(read(data.velocity[row]), f64(wander.strength), seed, data.serial[row], steps)
    accelerate(data.motion[row], whim)


@inlined
def _whim(velocity, strength, seed, serial, steps):
    """Return a vector that changes smoothly: to the left or right of the heading; with depth, in any direction."""
    x = wavering(seed, serial, WHIM, steps)
    if len(velocity) == 3:
        drift = to_f32((x, wavering(seed, serial, WHIM_Y, steps), wavering(seed, serial, WHIM_Z, steps)))
        return scaled(drift, f32(strength))
    heading = unit(velocity)
    if is_zero(heading):
        heading = direction(random_unit(seed, 0, serial, START))
    return scaled(left_of(heading), f32(strength * x))


def install(app: App) -> None:
    app.add_system(Wandering)
