"""The hand attracts the entities around it, or scares them away; see docs/equations.md.

The pull increases smoothly from 0 at the radius, and decreases to 0 at the hand, so that entities don't jitter there.
"""

from __future__ import annotations

import numpy as np

from components.motion import Motion, Position, Velocity
from components.store.world import World
from systems.engine import hand
from systems.engine.app import App
from systems.engine.rows import for_each_row
from systems.engine.settings import Settings
from systems.engine.system import Phase, System
from systems.exact.vector import read, sub, to_f64
from systems.space.pull import distance_of_pull
from systems.space.torus import in_world, minimum_image

f32, f64 = np.float32, np.float64


class Hand(System):
    """Steers moving entities to a person's hand, or away from it."""

    phase = Phase.STEER
    reads = ("Position.x", "Position.y", hand.Hand, Settings)
    adds = ("Motion.acceleration",)

    def run(self, world: World) -> None:
        held = world.resource(hand.Hand)
        if not held.strength:
            return
        table, size = world.table, world.resource(Settings).torus or (0.0, 0.0)
        rows = table.rows(Position, Velocity, Motion)
        place = (held.x, held.y, held.strength, held.radius)
        _pull(rows, table.records(Position), table.records(Motion), *map(f64, (*place, *size)))


@for_each_row
def _pull(row, position, motion, x, y, strength, radius, width, height):
    torus = width, height
    dx, dy = minimum_image(sub(in_world((x, y), torus), to_f64(read(position[row]))), torus)
    square, reach = dx * dx + dy * dy, radius * radius
    if square < reach:
        share = 1.0 - square / reach
        pull = strength * share * share / distance_of_pull(np.sqrt(square), radius)
        motion[row].acceleration_x += f32(pull * dx)
        motion[row].acceleration_y += f32(pull * dy)


def install(app: App) -> None:
    app.add_component(Position, Velocity, Motion)
    app.add_resource(hand.Hand)
    app.add_system(Hand)
