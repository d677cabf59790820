"""Repulsion from the centres of obstacles, as in Quelea; the equations: docs/equations.md, *Obstacles and walls*."""

from __future__ import annotations

import numpy as np

from components.motion import Motion, Position, Velocity
from components.store.world import World
from components.terrain import Repulsion
from systems.engine.app import App
from systems.engine.data import data_of
from systems.engine.kernel import inlined
from systems.engine.rows import for_each_row
from systems.engine.system import PLACE, Phase, System
from systems.exact.angles import cosine
from systems.exact.fixed_point import SHARE_SCALE, fixed_vector
from systems.exact.vector import (
    ZERO,
    accelerate,
    add,
    divided,
    dot,
    filled,
    in_plane,
    is_zero,
    length,
    lifted,
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
from systems.space.solids import ball_middles
from systems.space.torus import minimum_image
from systems.space.walk import cells_within, stretch

f32, f64, i64 = np.float32, np.float64, np.int64
CLOSEST = 1e-3  # of the radius


class ObstacleRepulsion(System):
    """Steers entities with Repulsion away from the centres of the obstacles around them."""

    phase = Phase.STEER
    reads = (*PLACE, Velocity, "Motion.max_speed", Repulsion, Obstacles)
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
    own, place = to_f64(read(data.velocity[row])), read(data.position[row])
    pushed = _pushed(middles, place, unit(own), is_zero(own), repulsion.radius, cosine(repulsion.angle))
    if is_zero(pushed):
        return
    desired = scaled(unit(to_f64(pushed)), f64(motion.max_speed))
    steer = limited(scaled(sub(desired, own), f64(repulsion.strength)), f64(repulsion.limit))
    accelerate(motion, steer)


@inlined
def _pushed(middles, place, heading, at_rest, reach, angle):
    """Return the sum of the shares of all middles around a place: in the plane from those of pillars."""
    if len(place) == 2:
        return _pushed_by(middles, place, heading, at_rest, reach, angle)
    pushed = _pushed_by(middles, in_plane(place), in_plane(heading), at_rest, reach, angle)
    return add(lifted(pushed, place), _pushed_by(ball_middles(middles), place, heading, at_rest, reach, angle))


@inlined
def _pushed_by(middles, place, heading, at_rest, reach, angle):
    radius, here, torus = f64(reach), to_f64(place), to_f64(torus_in(middles))
    window = cells_within(middles, place, reach)
    pushed = filled(here, i64(0))
    for n in range(window.stretches):
        first, last = stretch(middles, window, n)
        for k in range(first, last):
            away = minimum_image(sub(here, to_f64(place_at(middles, k))), torus)
            d = length(away)
            if 0.0 < d < radius and (at_rest or dot(heading, away) >= f64(angle) * d):
                weight = CLOSEST * radius / max(d, CLOSEST * radius)
                pushed = add(pushed, fixed_vector(divided(scaled(away, weight), d), SHARE_SCALE))
    return pushed


def install(app: App) -> None:
    app.add_system(ObstacleRepulsion)
