"""Goals attract those around: each goes to the nearest one that calls it.

With q the goal's place and d = |q - p| < radius:

    a = strength * (q - p) / max(d, near)         near = min(NEAR_SHARE * radius, NEAR)

so the pull dies away where it is reached, and nobody jitters on the spot.
"""

# mypy: allow-untyped-defs
# (numba finds out the types of kernels)

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
from systems.space.circles import build_circles, nearest_offset, places_to_look, zone_at
from systems.space.prefab_mask import NOBODY, names

f32, f64, i64, u64 = np.float32, np.float64, np.int64, np.uint64
NEAR_SHARE, NEAR = 0.05, 15.0  # of the radius; u
GOAL = np.dtype([*((name, f64) for name in ("x", "y", "radius", "strength", "near")), ("calls", np.uint64)], align=True)


class Goals(System):
    """Steers those who flock to the nearest goal that calls their prefab and within whose radius they are."""

    phase = Phase.STEER
    reads = ("Position.x", "Position.y", Goal, Settings)
    adds = ("Motion.acceleration",)

    def run(self, world: World) -> None:
        table = world.table
        goals = table.rows(Position, Goal)
        if not len(goals):
            return
        goals = goals[np.argsort(table.serial[goals])]
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
        it.near = min(NEAR_SHARE * it.radius, NEAR)


@parallel_kernel
def _seek(rows, position, motion, prefab, goals, wide, cells):
    for k in prange(len(rows)):
        _seek_one(rows[k], position, motion, prefab, goals, wide, cells)


@inlined
def _seek_one(row, position, motion, prefab, goals, wide, cells):
    x, y = f64(position[row].x), f64(position[row].y)
    nearest, least, to_x, to_y = i64(-1), np.inf, 0.0, 0.0
    count, first = places_to_look(x, y, wide, cells)
    for k in range(count):
        n = zone_at(k, first, wide, cells)
        if n < 0 or not _is_called(goals[n].calls, prefab[row]):
            continue
        dx, dy = nearest_offset(goals[n].x - x, cells.torus_x), nearest_offset(goals[n].y - y, cells.torus_y)
        square = dx * dx + dy * dy
        nearer = square < least or (square == least and n < nearest)  # they stand by serial
        if nearer and square < goals[n].radius * goals[n].radius:
            nearest, least, to_x, to_y = n, square, dx, dy
    if nearest >= 0:
        pull = goals[nearest].strength / max(np.sqrt(least), goals[nearest].near)
        motion[row].acceleration_x += f32(pull * to_x)
        motion[row].acceleration_y += f32(pull * to_y)


@inlined
def _is_called(calls, prefab):
    """Whether a set of prefabs names this one; the empty set names all."""
    return calls == NOBODY or names(calls, prefab)


def install(app: App) -> None:
    app.add_component(Position, Velocity, Motion, Flocker, Goal)
    app.add_system(Goals)
