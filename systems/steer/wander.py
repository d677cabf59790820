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
from systems.exact.random import direction_like, random_unit
from systems.exact.vector import accelerate, dot, is_zero, left_of, read, scaled, sub, to_f32, unit
from systems.space.noise import time_of, wavering

f32, f64 = np.float32, np.float64
WHIM, START, UPWARD, WHIM_Y, WHIM_Z = 3, 4, 203, 204, 205  # streams of random numbers


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
    wander, serial, heading = data.wander[row], data.serial[row], unit(read(data.velocity[row]))
    if is_zero(heading):
        turn, upward = random_unit(seed, 0, serial, START), random_unit(seed, 0, serial, UPWARD)
        heading = direction_like(heading, turn, upward)
    steps = time * f64(wander.rate)
    accelerate(data.motion[row], _aside(heading, f64(wander.strength), seed, serial, steps))


@inlined
def _aside(heading, strength, seed, serial, steps):
    """Return a vector at a right angle to the heading that changes smoothly: to left and right, or to all sides."""
    whim = wavering(seed, serial, WHIM, steps)
    if len(heading) == 2:
        return scaled(left_of(heading), f32(strength * whim))
    drift = to_f32((whim, wavering(seed, serial, WHIM_Y, steps), wavering(seed, serial, WHIM_Z, steps)))
    return scaled(sub(drift, scaled(heading, dot(drift, heading))), f32(strength))


def install(app: App) -> None:
    app.add_system(Wandering)
