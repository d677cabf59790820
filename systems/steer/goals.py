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
from systems.engine.kernel import inlined, kernel, parallel_kernel, prange
from systems.engine.pipeline import Phase, System
from systems.engine.settings import Settings
from systems.space.circles import build_circles, distance_of_pull, in_world, places_to_look, zone_at
from systems.space.prefab_mask import includes
from systems.space.torus import minimum_image

f32, f64, i64 = np.float32, np.float64, np.int64
GOAL = np.dtype([*((name, f64) for name in ("x", "y", "radius", "strength")), ("calls", np.uint64)], align=True)


class Goals(System):
    """Steers those who flock to the nearest goal that calls their prefab and within whose radius they are."""

    phase = Phase.STEER
    reads = ("Position.x", "Position.y", Goal, Settings)
    adds = ("Motion.acceleration",)

    def run(self, world: World) -> None:
        table = world.table
        goals = table.rows_by_serial(Position, Goal)
        if not len(goals):
            return
        position, motion = table.records(Position), table.records(Motion)
        noted = np.empty(len(goals), GOAL)
        _note_goals(goals, position, table.records(Goal), noted)
        circles = build_circles(noted["x"], noted["y"], noted["radius"], world.resource(Settings))
        rows = table.rows(Position, Velocity, Motion, Flocker)
        _seek(rows, position, motion, table.prefab, noted, *circles)


@kernel
def _note_goals(rows, position, goal, noted):
    for k in range(len(rows)):
        it, row = noted[k], rows[k]
        it.x, it.y = position[row].x, position[row].y
        it.radius, it.strength, it.calls = goal[row].radius, goal[row].strength, goal[row].calls


@parallel_kernel
def _seek(rows, position, motion, prefab, goals, wide, cells):
    for k in prange(len(rows)):
        _seek_one(rows[k], position, motion, prefab, goals, wide, cells)


@inlined
def _seek_one(row, position, motion, prefab, goals, wide, cells):
    x, y = in_world(f64(position[row].x), cells.torus_x), in_world(f64(position[row].y), cells.torus_y)
    nearest, least, to_x, to_y = i64(-1), np.inf, 0.0, 0.0
    count, first = places_to_look(x, y, wide, cells)
    for k in range(count):
        n = zone_at(k, first, wide, cells)
        if n < 0 or not includes(goals[n].calls, prefab[row], True):
            continue
        dx, dy = minimum_image(goals[n].x - x, cells.torus_x), minimum_image(goals[n].y - y, cells.torus_y)
        square = dx * dx + dy * dy
        nearer = square < least or (square == least and n < nearest)  # they stand by serial
        if nearer and square < goals[n].radius * goals[n].radius:
            nearest, least, to_x, to_y = n, square, dx, dy
    if nearest >= 0:
        pull = goals[nearest].strength / distance_of_pull(np.sqrt(least), goals[nearest].radius)
        motion[row].acceleration_x += f32(pull * to_x)
        motion[row].acceleration_y += f32(pull * to_y)


def install(app: App) -> None:
    app.add_component(Position, Velocity, Motion, Flocker, Goal)
    app.add_system(Goals)
