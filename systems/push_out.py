"""COMMANDS, after what people asked for: whoever is inside an obstacle or a wall goes to the nearest free place.

Nobody moves into anything, so these are those who were put there, and those onto whom something was put or dragged.
"""

# mypy: allow-untyped-defs
# (numba finds out the types of kernels)

from __future__ import annotations

import numpy as np

from components.life import Food
from components.motion import Position, Velocity
from components.store.world import World
from components.terrain import Obstacle, Wall
from systems.core.install import App
from systems.core.kernel import inlined, parallel_kernel, prange, subroutine
from systems.core.nearest_free import nearest_free
from systems.core.obstacles import Obstacles, obstacles_of
from systems.core.pipeline import Phase, System
from systems.core.settings import Settings
from systems.core.sweep import nearest_shape
from systems.core.torus import wrapped

f32, f64 = np.float32, np.float64
FARTHEST = 1e6  # the bound of Position


class PushOut(System):
    """Puts those who are inside something, and food, to the nearest free place."""

    phase = Phase.COMMANDS
    reads = (Velocity, Food, Obstacle, Wall, Settings)
    writes = ("Position.x", "Position.y", "Position.previous", Obstacles)

    def run(self, world: World) -> None:
        obstacles, table = obstacles_of(world), world.table
        if not obstacles:
            return
        size = [f32(side) for side in obstacles.torus or (0.0, 0.0)]
        for component in (Velocity, Food):
            columns = (table.records(Position), table.serial, table.presence)
            obstacle = np.uint64(table.mask([Obstacle]))
            _push_out(table.rows(Position, component), *columns, obstacle, obstacles.index, obstacles.skin, *size)


@parallel_kernel
def _push_out(rows, position, serial, presence, obstacle, index, skin, width, height):
    for k in prange(len(rows)):
        if presence[rows[k]] & obstacle == 0 and _is_inside(rows[k], position, index):
            _put_outside(rows[k], position, serial, index, skin, width, height)


@inlined
def _is_inside(row, position, index):
    return nearest_shape(index, f64(position[row].x), f64(position[row].y))[0] < 0.0


@subroutine
def _put_outside(row, position, serial, index, skin, width, height):
    x, y = nearest_free(index, f64(position[row].x), f64(position[row].y), skin, serial[row])
    free_x, free_y = f32(min(max(x, -FARTHEST), FARTHEST)), f32(min(max(y, -FARTHEST), FARTHEST))
    if index.torus_x > 0.0:
        free_x, free_y = wrapped(free_x, width), wrapped(free_y, height)
    position[row].x, position[row].y = free_x, free_y
    position[row].previous_x, position[row].previous_y = free_x, free_y


def install(app: App) -> None:
    app.add_component(Position, Velocity, Food, Obstacle, Wall)
    app.add_system(PushOut())
