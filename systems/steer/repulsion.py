"""Repulsion from the centres of obstacles, as in Quelea; the equations: docs/equations.md, *Obstacles and walls*."""

from __future__ import annotations

import numpy as np

from components.motion import Motion, Position, Velocity
from components.store.world import World
from components.terrain import Repulsion
from systems.engine.app import App
from systems.engine.data import data_of
from systems.engine.rows import for_each_row
from systems.engine.system import Phase, System
from systems.exact.angles import cosine
from systems.exact.fixed_point import SHARE_SCALE, fixed_vector
from systems.exact.vector import (
    ZERO,
    accelerate,
    add,
    divided,
    dot,
    filled,
    is_zero,
    length,
    limited,
    read,
    scaled,
    sub,
    to_f64,
    unit,
)
from systems.space.axis import torus_in
from systems.space.grid import place_at
from systems.space.obstacles import Obstacles
from systems.space.torus import minimum_image
from systems.space.walk import cells_within, stretch

f32, f64, i64 = np.float32, np.float64, np.int64
CLOSEST = 1e-3  # of the radius


class ObstacleRepulsion(System):
    """Steers entities with Repulsion away from the centres of the obstacles around them."""

    phase = Phase.STEER
    reads = ("Position.x", "Position.y", Velocity, "Motion.max_speed", Repulsion, Obstacles)
    adds = ("Motion.acceleration",)
    needs = (Position, Velocity, Motion, Repulsion)

    def applies(self, world: World) -> bool:
        return bool(world.resources.get(Obstacles))

    def run(self, world: World) -> None:
        _repel(world.table.rows(*self.needs), data_of(self, world), world.resource(Obstacles).middles)


@for_each_row
def _repel(row, data, middles):
    repulsion, motion = data.repulsion[row], data.motion[row]
    if repulsion.strength == ZERO:
        return
    radius, angle, torus = f64(repulsion.radius), cosine(repulsion.angle), to_f64(torus_in(middles))
    own = to_f64(read(data.velocity[row]))
    heading, here = unit(own), to_f64(read(data.position[row]))
    at_rest = is_zero(heading)
    window = cells_within(middles, read(data.position[row]), repulsion.radius)
    total = filled(here, i64(0))
    for n in range(window.stretches):
        first, last = stretch(middles, window, n)
        for k in range(first, last):
            away = minimum_image(sub(here, to_f64(place_at(middles, k))), torus)
            d = length(away)
            if 0.0 < d < radius and (at_rest or dot(heading, away) >= f64(angle) * d):
                weight = CLOSEST * radius / max(d, CLOSEST * radius)
                total = add(total, fixed_vector(divided(scaled(away, weight), d), SHARE_SCALE))
    if is_zero(total):
        return
    desired = scaled(unit(to_f64(total)), f64(motion.max_speed))
    accelerate(motion, limited(scaled(sub(desired, own), f64(repulsion.strength)), f64(repulsion.limit)))


def install(app: App) -> None:
    app.add_system(ObstacleRepulsion)
