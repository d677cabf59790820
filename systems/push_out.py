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
from systems.exact.angles import direction
from systems.exact.vector import add, put, put_previous, read, scaled, to_f32, to_f64
from systems.space.axis import torus_in
from systems.space.bounds import box_of, highest_of, lowest_of
from systems.space.clearance import clear_by
from systems.space.obstacles import Obstacles, obstacles_of
from systems.space.shape_index import ends_of
from systems.space.sweep import held_in, is_in, nearest_shape, outward
from systems.space.torus import torus_of, wrapped

i32, i64 = np.int32, np.int64
RAYS, FINENESS = 64, 0.01  # number of rays; smallest step as a share of the distance
ROUNDING = 0.1  # of the skin: places nearer than the skin by less than this count as free
GOLDEN = 0.6180339887498949  # turns: gives consecutive serials very different directions


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
            _bring_in(table.rows(Position), table.records(Position), torus_of(world))
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
def _bring_in(row, position, torus):
    here = wrapped(read(position[row]), torus)
    if here != read(position[row]):
        put(position[row], here)
        put_previous(position[row], here)


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
    here = to_f64(read(position))
    return is_in(here, box, 0.0) and (clear_by(clearance, here) > 0.0 or nearest_shape(index, here)[0] >= 0.0)


@kernel
def _is_full(index, skin, box):
    """Return whether nothing in the box is free: a search from its middle, which goes on to its ends, fails."""
    middle = scaled(torus_in(index), 0.5)
    if index.torus_x == 0.0:
        middle = scaled(add(lowest_of(box), highest_of(box)), 0.5)
    return nearest_shape(index, middle)[0] < 0.0 and nearest_free(index, box, middle, skin, i64(0)) == middle


@parallel_kernel
def _push_out(rows, position, serial, index, skin, full, box):
    for k in prange(len(rows)):
        _put_outside(position[rows[k]], serial[rows[k]], index, skin, full, box)


@subroutine
def _put_outside(position, serial, index, skin, full, box):
    here = held_in(to_f64(read(position)), box)
    if not full and nearest_shape(index, here)[0] < 0.0:
        here = nearest_free(index, box, here, skin, serial)
    free = to_f32(here)
    if index.torus_x > 0.0:
        free = wrapped(free, to_f32(torus_in(index)))
    put(position, free)
    put_previous(position, free)


@inlined
def nearest_free(index, box, here, skin, serial):
    """Return the nearest free place on rays from a place inside a shape, float64; the place itself if nothing is free.

    The first ray leads straight out of the nearest shape, the others in all directions, which are turned by the serial,
    so that entities at the same place spread. Each step along a ray is the depth inside the nearest shape, because
    within that distance nothing is free.
    """
    gap, k, shift = nearest_shape(index, here)
    a, b = ends_of(index, k)
    straight, _ = outward(add(here, shift), direction_of(serial), a, b)
    size = index.cells_x / index.per_x + index.cells_y / index.per_y
    depth = skin - gap
    best = 0.5 * size if index.torus_x > 0.0 else 2.0 * size + depth
    found = here
    for n in range(RAYS + 1):
        ray = straight if n == 0 else to_f64(direction(serial * GOLDEN + n / RAYS))
        far = depth
        while far < best:
            there = add(here, scaled(ray, far))
            if not is_in(there, box, 0.0):
                break
            gap = nearest_shape(index, there)[0]
            if gap >= (1.0 - ROUNDING) * skin:
                best, found = far, there
            far += max(skin - gap, FINENESS * far)
    return found


@inlined
def direction_of(serial):
    return to_f64(direction(serial * GOLDEN))


def install(app: App) -> None:
    app.add_component(Position, Velocity, Food, Obstacle, Wall)
    app.add_system(PushOut)
