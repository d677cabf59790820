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
from systems.engine.kernel import outlined
from systems.engine.rows import for_each_row
from systems.engine.system import Phase, System
from systems.space.clearance import clear_by
from systems.space.obstacles import CLEARANCE, Obstacles
from systems.space.sweep import APART, first_hit, nearest_shape, outward

f32, f64 = np.float32, np.float64
HALF_RIGHT = 0.7071067811865476  # cosine and sine of 45 degrees
ALIKE = 0.01  # of L: paths to both sides that differ by less count as equal
HEAD_ON = 0.02  # |dot(n, l)| below this counts as 0: the shape is hit head-on
BRAKE = 0.5  # share of the turn, head-on: reduces pile-ups of crowds that can't turn in time


class ObstacleAvoidance(System):
    """Turns entities with Avoidance to the clear side of obstacles and walls in their way."""

    phase = Phase.STEER
    reads = ("Position.x", "Position.y", Velocity, Avoidance, Obstacles)
    adds = ("Motion.acceleration",)
    needs = (Position, Velocity, Motion, Avoidance)

    def run(self, world: World) -> None:
        obstacles = world.resources.get(Obstacles)
        if not obstacles:
            return
        table = world.table
        rows = table.rows(*self.needs)
        records = (table.records(c) for c in (Position, Velocity, Motion, Avoidance))
        _avoid(rows, *records, table.serial, obstacles.index, obstacles.ahead, obstacles.clearance)


@for_each_row
def _avoid(row, position, velocity, motion, avoidance, serial, index, ahead, clearance):
    x, y = f64(position[row].x), f64(position[row].y)
    vx, vy = f64(velocity[row].x), f64(velocity[row].y)
    far, look_ahead, square = f64(avoidance[row].radius), f64(avoidance[row].look_ahead), vx * vx + vy * vy
    clear = clear_by(clearance, x, y) - CLEARANCE
    if square == 0.0 or (
        clear > 0.0 and clear * clear > (far * far if far > 0.0 else square * look_ahead * look_ahead)
    ):
        return
    speed, strength = np.sqrt(square), f64(avoidance[row].strength)
    hx, hy = vx / speed, vy / speed
    if far == 0.0:
        far = speed * look_ahead
    if ahead.torus_x > 0.0:
        far = min(far, ahead.torus_x + ahead.torus_y)  # on a torus there is nothing new beyond that
    fraction, k, shift_x, shift_y = first_hit(ahead, x, y, hx * far, hy * far, CLEARANCE, 0.0)
    if fraction == APART:
        return
    ax, ay = _pushed_off(index, x, y, hx, hy, strength)
    if fraction <= 1.0:
        ends = ahead.ax[k], ahead.ay[k], ahead.bx[k], ahead.by[k]
        nx, ny, _ = outward(x + fraction * far * hx + shift_x, y + fraction * far * hy + shift_y, hx, hy, *ends)
        turn = strength * (1.0 - fraction)
        left = turn * _side(ahead, x, y, hx, hy, far, nx, ny, serial[row])
        back = turn * BRAKE * max(-(hx * nx + hy * ny), 0.0)
        ax, ay = ax - left * hy - back * hx, ay + left * hx - back * hy
    motion[row].acceleration_x += f32(ax)
    motion[row].acceleration_y += f32(ay)


@outlined
def _pushed_off(index, x, y, hx, hy, strength):
    """Return the acceleration away from the nearest shape; 0 if it is not too near."""
    gap, k, shift_x, shift_y = nearest_shape(index, x, y)
    if gap >= CLEARANCE:
        return 0.0, 0.0
    nx, ny, _ = outward(x + shift_x, y + shift_y, hx, hy, index.ax[k], index.ay[k], index.bx[k], index.by[k])
    push = strength * (1.0 - max(gap, 0.0) / CLEARANCE)
    return push * nx, push * ny


@outlined
def _side(ahead, x, y, hx, hy, far, nx, ny, serial):
    """Return the side to turn to: 1 is left, -1 is right."""
    left, right = 1.0, 1.0
    forward_x, forward_y = far * HALF_RIGHT * hx, far * HALF_RIGHT * hy
    for side in (1.0, -1.0):
        free = first_hit(ahead, x, y, forward_x - side * forward_y, forward_y + side * forward_x, 0.0, 0.0)[0]
        if side > 0.0:
            left = min(free, 1.0)
        else:
            right = min(free, 1.0)
    if abs(left - right) > ALIKE:
        return 1.0 if left > right else -1.0
    leaning = hx * ny - hy * nx
    if left == 1.0 and right == 1.0 and abs(leaning) > HEAD_ON:
        return 1.0 if leaning > 0.0 else -1.0
    return 1.0 if serial % 2 == 0 else -1.0


def install(app: App) -> None:
    app.add_component(Position, Velocity, Motion, Avoidance)
    app.add_system(ObstacleAvoidance)
