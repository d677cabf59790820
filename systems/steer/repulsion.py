"""Repulsion from the centres of obstacles, as in Quelea; the equations: docs/equations.md, *Obstacles and walls*."""

from __future__ import annotations

import numpy as np

from components.motion import Motion, Position, Velocity
from components.store.world import World
from components.terrain import Repulsion
from systems.engine.app import App
from systems.engine.rows import for_each_row
from systems.engine.system import Phase, System
from systems.exact.angles import cosine
from systems.exact.fixed_point import fixed_vector
from systems.exact.vector import (
    ZERO,
    accelerate,
    add,
    divided,
    dot,
    is_zero,
    length,
    limited,
    read,
    same,
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
SCALE = float(1 << 40)  # a million weights of at most 1 fit an int64 sum
CLOSEST = 1e-3  # of the radius


class ObstacleRepulsion(System):
    """Steers entities with Repulsion away from the centres of the obstacles around them."""

    phase = Phase.STEER
    reads = ("Position.x", "Position.y", Velocity, "Motion.max_speed", Repulsion, Obstacles)
    adds = ("Motion.acceleration",)

    def run(self, world: World) -> None:
        obstacles = world.resources.get(Obstacles)
        if not obstacles or not len(obstacles.middles.x):
            return
        table = world.table
        rows = table.rows(Position, Velocity, Motion, Repulsion)
        records = (table.records(c) for c in (Position, Velocity, Motion, Repulsion))
        _repel(rows, *records, obstacles.middles)


@for_each_row
def _repel(row, position, velocity, motion, repulsion, middles):
    if repulsion[row].strength == ZERO:
        return
    radius, angle, torus = f64(repulsion[row].radius), cosine(repulsion[row].angle), to_f64(torus_in(middles))
    own = to_f64(read(velocity[row]))
    heading, here = unit(own), to_f64(read(position[row]))
    at_rest = is_zero(heading)
    window = cells_within(middles, read(position[row]), repulsion[row].radius)
    total = same(here, i64(0))
    for n in range(window.stretches):
        first, last = stretch(middles, window, n)
        for k in range(first, last):
            away = minimum_image(sub(here, to_f64(place_at(middles, k))), torus)
            d = length(away)
            if 0.0 < d < radius and (at_rest or dot(heading, away) >= f64(angle) * d):
                weight = CLOSEST * radius / max(d, CLOSEST * radius)
                total = add(total, fixed_vector(divided(scaled(away, weight), d), SCALE))
    if is_zero(total):
        return
    strength, desired = f64(repulsion[row].strength), scaled(unit(to_f64(total)), f64(motion[row].max_speed))
    accelerate(motion[row], limited(scaled(sub(desired, own), strength), f64(repulsion[row].limit)))


def install(app: App) -> None:
    app.add_component(Position, Velocity, Motion, Repulsion)
    app.add_system(ObstacleRepulsion)
