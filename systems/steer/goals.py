"""Goals attract entities: each seeks the nearest goal that calls its prefab; see docs/equations.md.

The pull decreases to 0 at the goal, so that entities don't jitter there.
"""

from __future__ import annotations

import numpy as np

from components.flock import Flocker
from components.guidance import Goal
from components.motion import Motion, Position, Velocity
from components.store.world import World
from systems.engine.app import App
from systems.engine.rows import for_each_row
from systems.engine.settings import Settings
from systems.engine.system import Phase, System
from systems.exact.vector import accelerate, dot, read, same, scaled, sub, to_f64
from systems.space.axis import torus_in
from systems.space.prefab_mask import includes
from systems.space.pull import distance_of_pull
from systems.space.shape_index import circles_around, listed_at
from systems.space.torus import in_world, minimum_image

f32, f64, i64 = np.float32, np.float64, np.int64


class Goals(System):
    """Steers flocking entities to the nearest goal that calls their prefab, if they are within its radius."""

    phase = Phase.STEER
    reads = ("Position.x", "Position.y", Goal, Settings)
    adds = ("Motion.acceleration",)
    needs = (Position, Goal)

    def run(self, world: World) -> None:
        table = world.table
        goals = table.rows_by_serial(*self.needs)
        radius = table.columns["Goal.radius"][goals]
        cells = circles_around(table, goals, radius, 0.0, world.resource(Settings).torus)
        rows = table.rows(Position, Velocity, Motion, Flocker)
        position, motion, goal = (table.records(c) for c in (Position, Motion, Goal))
        _seek(rows, position, motion, table.prefab, goal, goals, cells)


@for_each_row
def _seek(row, position, motion, prefab, goal, goals, cells):
    torus = torus_in(cells)
    here = in_world(to_f64(read(position[row])), torus)
    nearest, least, toward_it = i64(-1), np.inf, same(here, 0.0)
    first, last = listed_at(cells, here)
    for k in range(first, last):
        other = i64(goals[cells.shape[k]])
        if not includes(goal[other].calls, prefab[row], True):
            continue
        offset = minimum_image(sub(to_f64(read(position[other])), here), torus)
        square, radius = dot(offset, offset), f64(goal[other].radius)
        if square < least and square < radius * radius:  # listed by serial, so the lower serial wins ties
            nearest, least, toward_it = other, square, offset
    if nearest >= 0:
        pull = f64(goal[nearest].strength) / distance_of_pull(np.sqrt(least), f64(goal[nearest].radius))
        accelerate(motion[row], scaled(toward_it, pull))


def install(app: App) -> None:
    app.add_component(Position, Velocity, Motion, Flocker, Goal)
    app.add_system(Goals)
