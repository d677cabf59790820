"""Wander (Reynolds 1999): entities turn randomly and smoothly to both sides; see docs/equations.md."""

from __future__ import annotations

import numpy as np

from components import guidance
from components.motion import Motion, Position, Velocity
from components.store.world import World
from systems.engine.app import App
from systems.engine.rows import for_each_row
from systems.engine.settings import Settings
from systems.engine.system import Phase, System
from systems.exact.angles import direction
from systems.exact.noise import time_of, wavering
from systems.exact.random import random_unit
from systems.exact.vector import ZERO, accelerate, read, unit

f32, f64 = np.float32, np.float64
WHIM, START = 3, 4  # streams of random numbers


class Wander(System):
    """Turns wandering entities to one side, then to the other; those at rest start in a random direction."""

    phase = Phase.STEER
    reads = (Velocity, guidance.Wander, Settings)
    adds = ("Motion.acceleration",)
    needs = (Position, Velocity, Motion, guidance.Wander)

    def run(self, world: World) -> None:
        table = world.table
        rows = table.rows(*self.needs)
        velocity, motion, wander = (table.records(c) for c in (Velocity, Motion, guidance.Wander))
        _wander(rows, velocity, motion, wander, table.serial, world.seed, time_of(world))


@for_each_row
def _wander(row, velocity, motion, wander, serial, seed, time):
    x, y = unit(read(velocity[row]))
    if x == ZERO and y == ZERO:
        x, y = direction(random_unit(seed, 0, serial[row], START))
    turn = f32(f64(wander[row].strength) * wavering(seed, serial[row], WHIM, time * f64(wander[row].rate)))
    accelerate(motion[row], (-turn * y, turn * x))


def install(app: App) -> None:
    app.add_component(Position, Velocity, Motion, guidance.Wander)
    app.add_system(Wander)
