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
from systems.exact.fixed_point import fixed
from systems.exact.vector import ZERO, limited, unit
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
    radius, angle = f64(repulsion[row].radius), cosine(repulsion[row].angle)
    vx, vy = velocity[row].x, velocity[row].y
    hx, hy = unit((f64(vx), f64(vy)))
    at_rest = hx == 0.0 and hy == 0.0
    x, y = f64(position[row].x), f64(position[row].y)
    window = cells_within(middles, position[row].x, position[row].y, repulsion[row].radius)
    sum_x, sum_y = i64(0), i64(0)
    for n in range(window.stretches):
        first, last = stretch(middles, window, n)
        for k in range(first, last):
            offset = x - f64(middles.x[k]), y - f64(middles.y[k])
            dx, dy = minimum_image(offset, (f64(middles.torus_x), f64(middles.torus_y)))
            d = np.sqrt(dx * dx + dy * dy)
            if 0.0 < d < radius and (at_rest or hx * dx + hy * dy >= f64(angle) * d):
                weight = CLOSEST * radius / max(d, CLOSEST * radius)
                sum_x += fixed(weight * dx / d, SCALE)
                sum_y += fixed(weight * dy / d, SCALE)
    if sum_x == 0 and sum_y == 0:
        return
    ux, uy = unit((f64(sum_x), f64(sum_y)))
    fast, strength = f64(motion[row].max_speed), f64(repulsion[row].strength)
    limit = f64(repulsion[row].limit)
    ax, ay = limited((strength * (fast * ux - f64(vx)), strength * (fast * uy - f64(vy))), limit)
    motion[row].acceleration_x += f32(ax)
    motion[row].acceleration_y += f32(ay)


def install(app: App) -> None:
    app.add_component(Position, Velocity, Motion, Repulsion)
    app.add_system(ObstacleRepulsion)
