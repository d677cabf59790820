"""Containment: near the edges of a "turn" world entities are accelerated back inside; nothing else holds them."""

from __future__ import annotations

import numpy as np

from components.motion import Motion, Position
from components.store.world import World
from systems.engine.app import App
from systems.engine.data import data_of
from systems.engine.rows import for_each_row
from systems.engine.settings import Settings
from systems.engine.system import PLACE, Phase, System
from systems.exact.on_each_axis import on_each_axis
from systems.exact.vector import ONE, ZERO, accelerate, read, scaled

f32 = np.float32


class Containment(System):
    """Steers entities back that are within the margin of a “turn” edge, or beyond it."""

    phase = Phase.STEER
    reads = (*PLACE, Settings)
    adds = ("Motion.acceleration",)
    needs = (Position, Motion)

    def applies(self, world: World) -> bool:
        return world.resource(Settings).edges == "turn"

    def run(self, world: World) -> None:
        settings, rows = world.resource(Settings), world.table.rows(*self.needs)
        size = tuple(map(f32, settings.size))
        _turn(rows, data_of(self, world), size, f32(settings.margin), f32(settings.acceleration))


@for_each_row
def _turn(row, data, size, margin, acceleration):
    accelerate(data.motion[row], scaled(inward(read(data.position[row]), size, margin), acceleration))


@on_each_axis
def inward(place, size, margin):
    """Return the sign of the push along each axis: 1 or -1; 0 far from both edges, and where their margins overlap."""
    margin = min(margin, size)  # else the far edge's margin would reach beyond this edge, and cancel the push there
    return (ONE if place < margin else ZERO) - (ONE if place > size - margin else ZERO)


def install(app: App) -> None:
    app.add_system(Containment)
