"""Reflects entities at the edges of a "bounce" world."""

from __future__ import annotations

import numpy as np

from components.motion import Position, Velocity
from components.store.world import World
from systems.engine.app import App
from systems.engine.kernel import inlined
from systems.engine.rows import for_each_row
from systems.engine.settings import Settings
from systems.engine.system import Phase, System
from systems.exact.vector import ZERO

f32 = np.float32


class Bounce(System):
    """Reflects entities at the edges of a "bounce" world; before collision, so that none is reflected behind a wall."""

    phase = Phase.MOVE
    after = ("movement",)
    reads = (Settings,)
    writes = ("Position.x", "Position.y", Velocity)

    def run(self, world: World) -> None:
        settings, table = world.resource(Settings), world.table
        if settings.edges == "bounce":
            rows = table.rows(Position, Velocity)
            size = f32(settings.width), f32(settings.height)
            _bounce(rows, table.records(Position), table.records(Velocity), *size)


@for_each_row
def _bounce(row, position, velocity, width, height):
    position[row].x, velocity[row].x = reflected(position[row].x, velocity[row].x, width)
    position[row].y, velocity[row].y = reflected(position[row].y, velocity[row].y, height)


@inlined
def reflected(place, speed, size):
    """Reflect a coordinate into [0, size], and turn its speed inward."""
    if place < ZERO:
        return min(-place, size), abs(speed)
    if place > size:
        return max(size - (place - size), ZERO), -abs(speed)
    return place, speed


def install(app: App) -> None:
    app.add_component(Position, Velocity)
    app.add_system(Bounce)
