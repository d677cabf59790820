"""Reflects entities at the edges of a "bounce" world; without it they stick there."""

from __future__ import annotations

import numpy as np

from components.motion import Position, Velocity
from components.store.world import World
from systems.engine.app import App
from systems.engine.data import data_of
from systems.engine.kernel import inlined
from systems.engine.rows import for_each_row
from systems.engine.settings import Settings
from systems.engine.system import PLACE, Phase, System
from systems.exact.vector import ZERO, put, read

f32 = np.float32


class Bounce(System):
    """Reflects entities at the edges of a “bounce” world; before collision, so that none is reflected behind a wall."""

    phase = Phase.MOVE
    after = ("movement",)
    reads = (Settings,)
    writes = (*PLACE, Velocity)
    needs = (Position, Velocity)

    def applies(self, world: World) -> bool:
        return world.resource(Settings).edges == "bounce"

    def run(self, world: World) -> None:
        settings = world.resource(Settings)
        _bounce(world.table.rows(*self.needs), data_of(self, world), tuple(map(f32, settings.size)))


@for_each_row
def _bounce(row, data, size):
    place, velocity = reflected(read(data.position[row]), read(data.velocity[row]), size)
    put(data.position[row], place)
    put(data.velocity[row], velocity)


@inlined
def reflected(place, velocity, size):
    """Reflect a place into a box that begins at 0, turn its velocity inward, and return both."""
    x, vx = reflected_along(place[0], velocity[0], size[0])
    y, vy = reflected_along(place[1], velocity[1], size[1])
    if len(place) == 2:
        return (x, y), (vx, vy)
    z, vz = reflected_along(place[2], velocity[2], size[2])
    return (x, y, z), (vx, vy, vz)


@inlined
def reflected_along(x, speed, size):
    """Reflect a coordinate into [0, size], and turn its speed inward."""
    if x < ZERO:
        return min(-x, size), abs(speed)
    if x > size:
        return max(size - (x - size), ZERO), -abs(speed)
    return x, speed


def install(app: App) -> None:
    app.add_system(Bounce)
