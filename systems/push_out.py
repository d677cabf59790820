"""COMMANDS, after the commands: moves animals and food that are inside an obstacle or a wall, or outside a "bounce"
world, to the nearest free place, and wraps the positions of those outside a torus.

They can't get there by moving: a person or a mod has put them there, or has put or dragged an obstacle onto them.
So it searches only if that may have happened, see `AllFree`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from components.life import Food
from components.motion import Position, Velocity
from components.store.table import EntityTable
from components.store.world import World
from components.terrain import Obstacle, Wall
from systems.engine.app import App
from systems.engine.cached import cached
from systems.engine.data import data_of
from systems.engine.kernel import inlined, kernel, parallel_kernel, prange, subroutine
from systems.engine.rows import PORTIONS, for_each_portion, gathered, portion_of
from systems.engine.settings import Settings
from systems.engine.system import Phase, System
from systems.exact.angles import direction
from systems.exact.vector import add, left_of, length, put, put_previous, read, scaled, sub, to_f32, to_f64, unit
from systems.space.axis import torus_in
from systems.space.bounds import ENDLESS, OPEN, Box, held_in, highest_of, is_in, lowest_of
from systems.space.capsule_index import ends_of
from systems.space.clearance import clear_by
from systems.space.obstacles import AllFree, Obstacles
from systems.space.sweep import nearest_capsule, outward
from systems.space.torus import wrapped

i32, i64 = np.int32, np.int64
RAYS = 128  # in all directions
HALVINGS = 6  # of the angle from the best ray to the next one
HALF_APART = np.pi / RAYS  # half the angle between rays
FINENESS = 0.003  # smallest step along a ray, as a share of the distance
ROUNDING = 0.1  # of the skin: places nearer than the skin by less than this count as free
GOLDEN = 0.6180339887498949  # turns: gives consecutive serials very different directions


class PushOut(System):
    """Moves animals and food that are inside an obstacle or outside the world to the nearest free place."""

    phase = Phase.COMMANDS
    reads = (Velocity, Food, Obstacle, Wall, Obstacles, Settings)
    writes = ("Position.x", "Position.y", "Position.previous", AllFree)

    def applies(self, world: World) -> bool:
        """Return whether anybody must be moved: searched here, so that where nobody is, Position's clock stays."""
        now = AllFree.now(world)
        if world.resources.get(AllFree) == now:
            return False
        found = len(self._caught(world, now)) > 0
        world.resources.pop(AllFree, None)
        if not found:
            world.resources[AllFree] = now
        return found

    def run(self, world: World) -> None:
        now = AllFree.now(world)
        rows, obstacles = self._caught(world, now), now.obstacles
        full = bool(obstacles) and _is_full(world.table, obstacles, now.box)
        _free(rows, data_of(self, world), *_bits(world, now), obstacles.near, obstacles.skin, now.box, full)

    def _caught(self, world: World, now: AllFree) -> NDArray[np.int32]:
        """Return the rows of those that must be moved."""
        obstacles, rows = now.obstacles, world.table.rows(Position)
        if not obstacles and now.box == OPEN:
            return rows[:0]
        data, caught, counts = data_of(self, world), np.empty(len(rows), i32), np.empty(PORTIONS, i64)
        searched = obstacles.near, obstacles.clearance
        _find_caught(rows, data, *_bits(world, now), *searched, now.box, caught, counts)
        found: NDArray[np.int32] = gathered(caught, counts)
        return found


def _bits(world: World, now: AllFree) -> tuple[np.uint64, np.uint64]:
    """Return presence bits: an entity that is pushed out has one of the first, and none of the second."""
    if not now.obstacles and now.box in (ENDLESS, OPEN):
        return np.uint64(0), np.uint64(0)  # there is nothing to be pushed out of
    return np.uint64(world.table.mask([Velocity, Food])), np.uint64(world.table.mask([Obstacle]))


@cached
def _is_full(_: EntityTable, obstacles: Obstacles, box: Box) -> bool:
    """Return whether the obstacles leave nothing in the box free: then nobody searches, because it would take long."""
    return bool(_finds_nothing(obstacles.near, obstacles.skin, box))


@for_each_portion
def _find_caught(portion, rows, data, goes, stays, capsules, clearance, box, caught, counts):
    first, last = portion_of(portion, len(rows))
    at = first
    for k in range(first, last):
        row = rows[k]
        here = read(data.position[row])
        is_caught = capsules.torus_x > 0.0 and here != wrapped(here, to_f32(torus_in(capsules)))
        if not is_caught and data.presence[row] & goes != 0 and data.presence[row] & stays == 0:
            is_caught = not _is_free(to_f64(here), capsules, clearance, box)
        if is_caught:
            caught[at] = row
            at += 1
    counts[portion] = at - first


@inlined
def _is_free(here, capsules, clearance, box):
    return is_in(here, box) and (clear_by(clearance, here) > 0.0 or nearest_capsule(capsules, here)[0] >= 0.0)


@parallel_kernel
def _free(rows, data, goes, stays, capsules, skin, box, full):
    for k in prange(len(rows)):
        _free_one(rows[k], data, goes, stays, capsules, skin, box, full)


@subroutine
def _free_one(row, data, goes, stays, capsules, skin, box, full):
    here = read(data.position[row])
    if capsules.torus_x > 0.0:
        here = wrapped(here, to_f32(torus_in(capsules)))
    if data.presence[row] & goes != 0 and data.presence[row] & stays == 0:
        there = held_in(to_f64(here), box)
        if not full and nearest_capsule(capsules, there)[0] < 0.0:
            there = nearest_free(capsules, box, there, skin, data.serial[row])
        here = to_f32(there)
        if capsules.torus_x > 0.0:
            here = wrapped(here, to_f32(torus_in(capsules)))
    put(data.position[row], here)
    put_previous(data.position[row], here)


@kernel
def _finds_nothing(capsules, skin, box):
    """Return whether a search from the middle of the box, which goes on to its ends, finds nothing."""
    middle = scaled(torus_in(capsules), 0.5)
    if capsules.torus_x == 0.0:
        middle = scaled(add(lowest_of(box), highest_of(box)), 0.5)
    return nearest_capsule(capsules, middle)[0] < 0.0 and nearest_free(capsules, box, middle, skin, i64(0)) == middle


@inlined
def nearest_free(capsules, box, here, skin, serial):
    """Return the nearest free place on rays from a place inside a capsule, float64; this place if nothing is free.

    The first ray leads straight out of the nearest capsule, the next ones in all directions, which are turned by the
    serial, so that entities at the same place spread. The last ones lead ever closer to the best of these. At the edge
    of the box a ray goes on along it. Each step is the depth inside the nearest capsule: within that nothing is free.
    """
    gap, k, shift = nearest_capsule(capsules, here)
    a, b = ends_of(capsules, k)
    depth, size = skin - gap, capsules.cells_x / capsules.per_x + capsules.cells_y / capsules.per_y
    most = 0.5 * size if capsules.torus_x > 0.0 else 2.0 * size + depth
    best, found, nearest, turn = most, here, to_f64(direction(serial * GOLDEN)), HALF_APART
    ray, _ = outward(add(here, shift), nearest, a, b)
    for n in range(1, RAYS + 2 * HALVINGS + 2):
        far, there = depth, here
        while far < best:
            there = held_in(add(here, scaled(ray, far)), box)
            gap = nearest_capsule(capsules, there)[0]
            if gap >= (1.0 - ROUNDING) * skin:
                best, found, nearest = min(length(sub(there, here)), far), there, ray
                break
            far += max(skin - gap, FINENESS * far)
        if n <= RAYS:
            ray = to_f64(direction(serial * GOLDEN + n / RAYS))
        else:
            ray = unit(add(nearest, scaled(left_of(nearest), turn)))
            turn = -turn if turn > 0.0 else -0.5 * turn
    return found


def install(app: App) -> None:
    app.add_component(Position)
    app.add_system(PushOut)
