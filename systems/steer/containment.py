"""Containment: near the edges of a "turn" world entities are accelerated back inside; nothing else holds them.

Who can't brake, because of a minimum speed, and flies straight away from the world would fly on and on: it is also
accelerated to a side, even serials to the left and odd ones to the right. If the push could not brake it in a second,
so is who flies almost straight, because it would be turned late.
"""

from __future__ import annotations

import numpy as np

from components.motion import Motion, Position, Velocity
from components.store.world import World
from systems.engine.app import App
from systems.engine.data import data_of
from systems.engine.kernel import inlined
from systems.engine.rows import for_each_row
from systems.engine.settings import Settings
from systems.engine.system import PLACE, Phase, System
from systems.exact.on_each_axis import on_each_axis
from systems.exact.vector import ONE, ZERO, accelerate, add, dot, in_plane, is_zero, left_of, lifted, read, scaled

f32 = np.float32
STRAIGHT, ALMOST = f32(0.999999), f32(0.99)  # squares of cosines: within 0.06 and 6 degrees


class Containment(System):
    """Steers entities back that are within the margin of a “turn” edge, or beyond it."""

    phase = Phase.STEER
    reads = (*PLACE, Velocity, Settings)
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
    place, motion = read(data.position[row]), data.motion[row]
    push = inward(place, size, margin)
    if motion.min_speed > ZERO and not is_zero(inward(place, size, ZERO)):
        velocity = read(data.velocity[row])
        out = -dot(push, velocity)
        straight = ALMOST if acceleration < motion.min_speed else STRAIGHT
        if out > ZERO and out * out > straight * dot(push, push) * dot(velocity, velocity):
            push = add(push, scaled(_leftward(push), ONE - f32(2 * (data.serial[row] % 2))))
    accelerate(motion, scaled(push, acceleration))


@inlined
def _leftward(push):
    """Return a vector across a push, to the left in the plane; for one along z, along x."""
    left = lifted(left_of(in_plane(push)), push)
    return lifted((ONE, ZERO), push) if is_zero(left) else left


@on_each_axis
def inward(place, size, margin):
    """Return the sign of the push along each axis: 1 or -1; 0 far from both edges, and where their margins overlap."""
    margin = min(margin, size)  # else the far edge's margin would reach beyond this edge, and cancel the push there
    return (ONE if place < margin else ZERO) - (ONE if place > size - margin else ZERO)


def install(app: App) -> None:
    app.add_system(Containment)
