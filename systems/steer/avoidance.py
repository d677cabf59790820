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
from systems.engine.kernel import inlined, outlined
from systems.engine.rows import for_each_row
from systems.engine.system import PLACE, Phase, System
from systems.exact.vector import (
    ZERO,
    accelerate,
    add,
    divided,
    dot,
    filled,
    in_plane,
    is_zero,
    left_of,
    length,
    lifted,
    negated,
    read,
    scaled,
    sub,
    to_f64,
    total,
    unit,
)
from systems.space.obstacles import CLEARANCE, Obstacles
from systems.space.solids import away_from, clear_of_solids, first_solid, is_ball, nearest_solid, torus_of_solids
from systems.space.sweep import APART

f64 = np.float64
HALF_RIGHT = 0.7071067811865476  # cosine and sine of 45 degrees
ALIKE = 0.01  # of L: paths to both sides that differ by less count as equal
HEAD_ON = 0.02  # |dot(n, l)| below this counts as 0: the capsule is hit head-on
BRAKE = 0.5  # share of the turn, head-on: reduces pile-ups of crowds that can't turn in time


class ObstacleAvoidance(System):
    """Turns entities with Avoidance to the clear side of obstacles and walls in their way."""

    phase = Phase.STEER
    reads = (*PLACE, Velocity, Avoidance, Obstacles)
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
    clear = clear_of_solids(clearance, here) - CLEARANCE
    if square == 0.0 or (
        clear > 0.0 and clear * clear > (far * far if far > 0.0 else square * look_ahead * look_ahead)
    ):
        return
    speed, strength = np.sqrt(square), f64(avoidance.strength)
    heading = divided(own, speed)
    if far == 0.0:
        far = speed * look_ahead
    if ahead.torus_x > 0.0:
        far = min(far, total(torus_of_solids(ahead, here)))  # on a torus there is nothing new beyond that
    fraction, k, shift = first_solid(ahead, here, scaled(heading, far), CLEARANCE, 0.0)
    if fraction == APART:
        return
    steer = _pushed_off(near, here, heading, strength)
    if fraction <= 1.0:
        normal, _, _ = away_from(ahead, k, add(add(here, scaled(heading, fraction * far)), shift), heading)
        turn = strength * (1.0 - fraction)
        side = _side(ahead, here, heading, far, normal, is_ball(ahead, k), data.serial[row])
        back = turn * BRAKE * max(-dot(heading, normal), 0.0)
        steer = sub(add(steer, scaled(side, turn)), scaled(heading, back))
    accelerate(data.motion[row], steer)


@outlined
def _pushed_off(solids, here, heading, strength):
    """Return the acceleration away from the nearest solid; 0 if it is not too near."""
    gap, k, shift = nearest_solid(solids, here)
    if gap >= CLEARANCE:
        return filled(here, 0.0)
    normal, _, _ = away_from(solids, k, add(here, shift), heading)
    return scaled(normal, strength * (1.0 - max(gap, 0.0) / CLEARANCE))


@outlined
def _side(ahead, here, heading, far, normal, round, serial):
    """Return the unit vector to the side to turn to; `round`: what is hit is a ball."""
    left = _left(heading)
    side = _across(heading, normal, left) if round else left
    forward, aside = scaled(heading, far * HALF_RIGHT), scaled(side, far * HALF_RIGHT)
    one = min(first_solid(ahead, here, add(forward, aside), 0.0, 0.0)[0], 1.0)
    other = min(first_solid(ahead, here, sub(forward, aside), 0.0, 0.0)[0], 1.0)
    if abs(one - other) > ALIKE:
        return side if one > other else negated(side)
    leaning = dot(side, normal)
    if one == 1.0 and other == 1.0 and abs(leaning) > HEAD_ON:
        return side if leaning > 0.0 else negated(side)
    return left if serial % 2 == 0 else negated(left)


@inlined
def _left(heading):
    """Return the unit vector to the left of a heading in the plane; up, if it leads straight into the depth."""
    if len(heading) == 2:
        return left_of(heading)
    left = lifted(unit(left_of(in_plane(heading))), heading)
    return (0.0, 1.0, 0.0) if is_zero(left) else left


@inlined
def _across(heading, normal, left):
    """Return the unit vector across a heading, to the side of a normal; `left` if it leads against the normal."""
    across = sub(normal, scaled(heading, dot(normal, heading)))
    return unit(across) if length(across) > HEAD_ON else left


def install(app: App) -> None:
    app.add_system(ObstacleAvoidance)
