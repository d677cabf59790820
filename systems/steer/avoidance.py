"""Obstacle avoidance: entities look ahead, and turn to the clear side; see docs/equations.md, *Obstacles and walls*.

Where neither side is better, even serials turn left and odd serials right, in every tick, so that entities don't
alternate in a corner.
"""

from __future__ import annotations

import numpy as np

from components.motion import Motion, Position, Velocity
from components.store.world import World
from components.terrain import Avoidance
from systems.engine.app import App
from systems.engine.data import data_of
from systems.engine.kernel import outlined
from systems.engine.rows import for_each_row
from systems.engine.system import Phase, System
from systems.exact.vector import (
    ZERO,
    accelerate,
    add,
    cross,
    divided,
    dot,
    filled,
    left_of,
    read,
    scaled,
    sub,
    to_f64,
)
from systems.space.capsule_index import ends_of
from systems.space.clearance import clear_by
from systems.space.obstacles import CLEARANCE, Obstacles
from systems.space.sweep import APART, first_hit, nearest_capsule, outward

f64 = np.float64
HALF_RIGHT = 0.7071067811865476  # cosine and sine of 45 degrees
ALIKE = 0.01  # of L: paths to both sides that differ by less count as equal
HEAD_ON = 0.02  # |dot(n, l)| below this counts as 0: the capsule is hit head-on
BRAKE = 0.5  # share of the turn, head-on: reduces pile-ups of crowds that can't turn in time


class ObstacleAvoidance(System):
    """Turns entities with Avoidance to the clear side of obstacles and walls in their way."""

    phase = Phase.STEER
    reads = ("Position.x", "Position.y", Velocity, Avoidance, Obstacles)
    adds = ("Motion.acceleration",)
    needs = (Position, Velocity, Motion, Avoidance)

    def applies(self, world: World) -> bool:
        return bool(world.resources.get(Obstacles))

    def run(self, world: World) -> None:
        obstacles = world.resource(Obstacles)
        rows = world.table.rows(*self.needs)
        _avoid(rows, data_of(self, world), obstacles.near, obstacles.ahead, obstacles.clearance)


@for_each_row
def _avoid(row, data, near, ahead, clearance):
    avoidance = data.avoidance[row]
    if avoidance.strength == ZERO:
        return
    here, own = to_f64(read(data.position[row])), to_f64(read(data.velocity[row]))
    far, look_ahead, square = f64(avoidance.radius), f64(avoidance.look_ahead), dot(own, own)
    clear = clear_by(clearance, here) - CLEARANCE
    if square == 0.0 or (
        clear > 0.0 and clear * clear > (far * far if far > 0.0 else square * look_ahead * look_ahead)
    ):
        return
    speed, strength = np.sqrt(square), f64(avoidance.strength)
    heading = divided(own, speed)
    if far == 0.0:
        far = speed * look_ahead
    if ahead.torus_x > 0.0:
        far = min(far, ahead.torus_x + ahead.torus_y)  # on a torus there is nothing new beyond that
    fraction, k, shift = first_hit(ahead, here, scaled(heading, far), CLEARANCE, 0.0)
    if fraction == APART:
        return
    steer = _pushed_off(near, here, heading, strength)
    if fraction <= 1.0:
        a, b = ends_of(ahead, k)
        normal, _ = outward(add(add(here, scaled(heading, fraction * far)), shift), heading, a, b)
        turn = strength * (1.0 - fraction)
        left = turn * _side(ahead, here, heading, far, normal, data.serial[row])
        back = turn * BRAKE * max(-dot(heading, normal), 0.0)
        steer = sub(add(steer, scaled(left_of(heading), left)), scaled(heading, back))
    accelerate(data.motion[row], steer)


@outlined
def _pushed_off(capsules, here, heading, strength):
    """Return the acceleration away from the nearest capsule; 0 if it is not too near."""
    gap, k, shift = nearest_capsule(capsules, here)
    if gap >= CLEARANCE:
        return filled(here, 0.0)
    a, b = ends_of(capsules, k)
    normal, _ = outward(add(here, shift), heading, a, b)
    return scaled(normal, strength * (1.0 - max(gap, 0.0) / CLEARANCE))


@outlined
def _side(ahead, here, heading, far, normal, serial):
    """Return the side to turn to: 1 is left, -1 is right."""
    forward = scaled(heading, far * HALF_RIGHT)
    left = min(first_hit(ahead, here, add(forward, left_of(forward)), 0.0, 0.0)[0], 1.0)
    right = min(first_hit(ahead, here, sub(forward, left_of(forward)), 0.0, 0.0)[0], 1.0)
    if abs(left - right) > ALIKE:
        return 1.0 if left > right else -1.0
    leaning = cross(heading, normal)
    if left == 1.0 and right == 1.0 and abs(leaning) > HEAD_ON:
        return 1.0 if leaning > 0.0 else -1.0
    return 1.0 if serial % 2 == 0 else -1.0


def install(app: App) -> None:
    app.add_system(ObstacleAvoidance)
