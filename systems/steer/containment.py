"""Containment: near the edges of a "turn" world entities are accelerated back inside."""

from __future__ import annotations

import numpy as np

from components.motion import Motion, Position
from components.store.world import World
from systems.engine.app import App
from systems.engine.kernel import inlined
from systems.engine.rows import for_each_row
from systems.engine.settings import Settings
from systems.engine.system import Phase, System
from systems.exact.vector import ONE, ZERO

f32 = np.float32


class Containment(System):
    """Steers entities back that are within the margin of a "turn" edge, or beyond it."""

    phase = Phase.STEER
    reads = ("Position.x", "Position.y", Settings)
    adds = ("Motion.acceleration",)

    def run(self, world: World) -> None:
        settings = world.resource(Settings)
        if settings.edges != "turn":
            return
        table = world.table
        rows = table.rows(Position, Motion)
        across = (f32(settings.width), f32(settings.height), f32(settings.margin), f32(settings.acceleration))
        _turn(rows, table.records(Position), table.records(Motion), *across)


@for_each_row
def _turn(row, position, motion, width, height, margin, acceleration):
    motion[row].acceleration_x += inward(position[row].x, width, margin) * acceleration
    motion[row].acceleration_y += inward(position[row].y, height, margin) * acceleration


@inlined
def inward(place, size, margin):
    """Return the sign of the push along one axis: 1 or -1; 0 far from both edges, and where their margins overlap."""
    margin = min(margin, size)  # else the far edge's margin would reach beyond this edge, and cancel the push there
    return (ONE if place < margin else ZERO) - (ONE if place > size - margin else ZERO)


def install(app: App) -> None:
    app.add_component(Position, Motion)
    app.add_system(Containment)
