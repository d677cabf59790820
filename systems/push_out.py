"""COMMANDS, after what people asked for: whoever is inside an obstacle or a wall, or outside a "bounce" world, goes to
the nearest free place.

Nobody moves there, so these are those who were put there, and those onto whom something was put or dragged.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from components.life import Food
from components.motion import Position, Velocity
from components.store.world import World
from components.terrain import Obstacle, Wall
from systems.engine.app import App
from systems.engine.kernel import inlined, parallel_kernel, prange, subroutine
from systems.engine.settings import Settings
from systems.engine.system import Phase, System
from systems.space.bounds import box_of
from systems.space.clearance import clear_by
from systems.space.nearest_free import nearest_free
from systems.space.obstacles import Obstacles, obstacles_of
from systems.space.sweep import held, nearest_shape
from systems.space.torus import wrapped

f32, f64 = np.float32, np.float64


Movers = namedtuple("Movers", "position serial presence obstacle")
"""Who may have to move, by table row.

obstacle: uint64, the presence bit of Obstacle: those who have it stay."""


class PushOut(System):
    """Puts those who are inside something or outside the world, and food, to the nearest free place."""

    phase = Phase.COMMANDS
    reads = (Velocity, Food, Obstacle, Wall, Settings)
    writes = ("Position.x", "Position.y", "Position.previous", Obstacles)

    def run(self, world: World) -> None:
        obstacles, settings, table = obstacles_of(world), world.resource(Settings), world.table
        if not obstacles and settings.edges != "bounce":
            return
        shapes = (obstacles.index, obstacles.clearance, obstacles.skin, box_of(settings))
        obstacle = np.uint64(table.mask([Obstacle]))
        movers = Movers(table.records(Position), table.serial, table.presence, obstacle)
        for component in (Velocity, Food):
            _push_out(table.rows(Position, component), movers, *shapes)


@parallel_kernel
def _push_out(rows, movers, index, clearance, skin, box):
    for k in prange(len(rows)):
        row = rows[k]
        if not _is_free(row, movers.position, index, clearance, box) and movers.presence[row] & movers.obstacle == 0:
            _put_outside(row, movers, index, skin, box)


@inlined
def _is_free(row, position, index, clearance, box):
    x, y = f64(position[row].x), f64(position[row].y)
    is_in = box.left <= x <= box.right and box.bottom <= y <= box.top
    return is_in and (clear_by(clearance, x, y) > 0.0 or nearest_shape(index, x, y)[0] >= 0.0)


@subroutine
def _put_outside(row, movers, index, skin, box):
    here = movers.position[row]
    x, y = held(f64(here.x), box.left, box.right), held(f64(here.y), box.bottom, box.top)
    if nearest_shape(index, x, y)[0] < 0.0:
        x, y = nearest_free(index, box, x, y, skin, movers.serial[row])
    free_x, free_y = f32(x), f32(y)
    if index.torus_x > 0.0:
        free_x, free_y = wrapped(free_x, f32(index.torus_x)), wrapped(free_y, f32(index.torus_y))
    here.x, here.y = free_x, free_y
    here.previous_x, here.previous_y = free_x, free_y


def install(app: App) -> None:
    app.add_component(Position, Velocity, Food, Obstacle, Wall)
    app.add_system(PushOut)
