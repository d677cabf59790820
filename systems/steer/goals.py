"""Goals attract those around: each goes to the nearest one that calls it.

With q the goal's place and d = |q - p| < radius:

    a = strength * (q - p) / max(d, calm)         calm = min(CALM_SHARE * radius, CALM)

so the pull dies away where it is reached, and nobody jitters on the spot.
"""

from __future__ import annotations

import numpy as np

from components.flock import Flocker
from components.guidance import Goal
from components.motion import Motion, Position, Velocity
from components.store.world import World
from systems.engine.app import App
from systems.engine.kernel import for_each_row, kernel
from systems.engine.settings import Settings
from systems.engine.system import Phase, System
from systems.space.prefab_mask import includes
from systems.space.pull import distance_of_pull
from systems.space.shape_index import build_shape_index, circles, noted_at
from systems.space.torus import in_world, minimum_image

f32, f64, i64 = np.float32, np.float64, np.int64
GOAL = np.dtype([*((name, f64) for name in ("x", "y", "radius", "strength")), ("calls", np.uint64)], align=True)


class Goals(System):
    """Steers those who flock to the nearest goal that calls their prefab and within whose radius they are."""

    phase = Phase.STEER
    reads = ("Position.x", "Position.y", Goal, Settings)
    adds = ("Motion.acceleration",)
    needs = (Position, Goal)

    def run(self, world: World) -> None:
        table = world.table
        goals = table.rows_by_serial(Position, Goal)
        position, motion = table.records(Position), table.records(Motion)
        noted = np.empty(len(goals), GOAL)
        _note_goals(goals, position, table.records(Goal), noted)
        around = circles(noted["x"], noted["y"], noted["radius"], world.resource(Settings).torus)
        rows = table.rows(Position, Velocity, Motion, Flocker)
        _seek(rows, position, motion, table.prefab, noted, build_shape_index(around, 0.0))


@kernel
def _note_goals(rows, position, goal, noted):
    for k in range(len(rows)):
        it, row = noted[k], rows[k]
        it.x, it.y = position[row].x, position[row].y
        it.radius, it.strength, it.calls = goal[row].radius, goal[row].strength, goal[row].calls


@for_each_row
def _seek(row, position, motion, prefab, goals, cells):
    x, y = in_world(f64(position[row].x), cells.torus_x), in_world(f64(position[row].y), cells.torus_y)
    nearest, least, to_x, to_y = i64(-1), np.inf, 0.0, 0.0
    first, last = noted_at(cells, x, y)
    for k in range(first, last):
        n = i64(cells.shape[k])
        if not includes(goals[n].calls, prefab[row], True):
            continue
        dx, dy = minimum_image(goals[n].x - x, cells.torus_x), minimum_image(goals[n].y - y, cells.torus_y)
        square = dx * dx + dy * dy
        if square < least and square < goals[n].radius * goals[n].radius:  # they stand by serial: the first one wins
            nearest, least, to_x, to_y = n, square, dx, dy
    if nearest >= 0:
        pull = goals[nearest].strength / distance_of_pull(np.sqrt(least), goals[nearest].radius)
        motion[row].acceleration_x += f32(pull * to_x)
        motion[row].acceleration_y += f32(pull * to_y)


def install(app: App) -> None:
    app.add_component(Position, Velocity, Motion, Flocker, Goal)
    app.add_system(Goals)
