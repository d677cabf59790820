"""COMMANDS, after the commands: moves entities that are inside an obstacle or a wall, or outside a "bounce" world, to
the nearest free place, and wraps the positions of those outside a torus.

Entities can't get there by moving: a person or a mod has put them there, or has put or dragged a shape onto them.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from components.life import Food
from components.motion import Position, Velocity
from components.store.world import World
from components.terrain import Obstacle, Wall
from systems.engine.app import App
from systems.engine.kernel import inlined, kernel, parallel_kernel, prange, subroutine
from systems.engine.rows import PARTS, for_each_part, for_each_row, gathered, part_of
from systems.engine.settings import Settings
from systems.engine.system import Phase, System
from systems.exact.vector import read
from systems.space.bounds import box_of
from systems.space.clearance import clear_by
from systems.space.nearest_free import nearest_free
from systems.space.obstacles import Obstacles, obstacles_of
from systems.space.sweep import held, nearest_shape
from systems.space.torus import wrapped

f32, f64, i32, i64 = np.float32, np.float64, np.int32, np.int64


Who = namedtuple("Who", "position presence obstacle")
"""Arrays by table row; obstacle: uint64, the presence bit of Obstacle: entities that have it are not moved."""

Stuck = namedtuple("Stuck", "rows counts")
"""The rows of entities that must be moved, int32: those of each part of all rows begin where that part begins, and
`counts`, int64 (PARTS,), says how many they are.
"""


class PushOut(System):
    """Moves animals and food that are inside an obstacle or outside the world to the nearest free place."""

    phase = Phase.COMMANDS
    reads = (Velocity, Food, Obstacle, Wall, Settings)
    writes = ("Position.x", "Position.y", "Position.previous", Obstacles)

    def run(self, world: World) -> None:
        settings, table = world.resource(Settings), world.table
        if settings.torus:
            _bring_in(table.rows(Position), table.records(Position), *settings.torus)
        obstacles = obstacles_of(world)
        if not obstacles and settings.edges != "bounce":
            return
        position, box = table.records(Position), box_of(settings)
        who = Who(position, table.presence, np.uint64(table.mask([Obstacle])))
        for component in (Velocity, Food):
            rows = table.rows(Position, component)
            stuck = Stuck(np.empty(len(rows), i32), np.empty(PARTS, i64))
            _find_stuck(rows, who, obstacles.index, obstacles.clearance, box, stuck)
            if stuck.counts.any():
                if obstacles.full is None:  # asked only here: a search that fails takes long
                    obstacles.full = bool(_is_full(obstacles.index, obstacles.skin, box))
                shapes = obstacles.index, obstacles.skin, obstacles.full
                _push_out(gathered(*stuck), position, table.serial, *shapes, box)


@for_each_row
def _bring_in(row, position, width, height):
    x, y = wrapped(read(position[row]), (f32(width), f32(height)))
    if x != position[row].x or y != position[row].y:
        position[row].x, position[row].y = x, y
        position[row].previous_x, position[row].previous_y = x, y


@for_each_part
def _find_stuck(part, rows, who, index, clearance, box, stuck):
    """Find the rows of entities that are not free, and are not obstacles."""
    first, last = part_of(part, len(rows))
    found = first
    for k in range(first, last):
        row = rows[k]
        if not _is_free(who.position[row], index, clearance, box) and who.presence[row] & who.obstacle == 0:
            stuck.rows[found] = row
            found += 1
    stuck.counts[part] = found - first


@inlined
def _is_free(position, index, clearance, box):
    x, y = f64(position.x), f64(position.y)
    is_in = box.left <= x <= box.right and box.bottom <= y <= box.top
    return is_in and (clear_by(clearance, x, y) > 0.0 or nearest_shape(index, x, y)[0] >= 0.0)


@kernel
def _is_full(index, skin, box):
    """Return whether nothing in the box is free: a search from its middle, which goes on to its ends, fails."""
    x, y = 0.5 * index.torus_x, 0.5 * index.torus_y
    if index.torus_x == 0.0:
        x, y = 0.5 * (f64(box.left) + f64(box.right)), 0.5 * (f64(box.bottom) + f64(box.top))
    return nearest_shape(index, x, y)[0] < 0.0 and nearest_free(index, box, x, y, skin, i64(0)) == (x, y)


@parallel_kernel
def _push_out(rows, position, serial, index, skin, full, box):
    for k in prange(len(rows)):
        _put_outside(position[rows[k]], serial[rows[k]], index, skin, full, box)


@subroutine
def _put_outside(position, serial, index, skin, full, box):
    x, y = held(f64(position.x), box.left, box.right), held(f64(position.y), box.bottom, box.top)
    if not full and nearest_shape(index, x, y)[0] < 0.0:
        x, y = nearest_free(index, box, x, y, skin, serial)
    free_x, free_y = f32(x), f32(y)
    if index.torus_x > 0.0:
        free_x, free_y = wrapped((free_x, free_y), (f32(index.torus_x), f32(index.torus_y)))
    position.x, position.y = free_x, free_y
    position.previous_x, position.previous_y = free_x, free_y


def install(app: App) -> None:
    app.add_component(Position, Velocity, Food, Obstacle, Wall)
    app.add_system(PushOut)
