"""COMMANDS, after the commands: moves animals and food that are inside an obstacle or a wall, or outside a "bounce"
world, to the nearest free place, and wraps the positions of those outside a torus.

They can't get there by moving: a person or a mod has put them there, or has put or dragged an obstacle onto them.
So it searches only if that may have happened, see `AllFree`.
"""

from __future__ import annotations

from typing import Any

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
from systems.engine.system import PLACE, Phase, System
from systems.exact.angles import direction
from systems.exact.random import direction_like
from systems.exact.vector import (
    ZERO,
    add,
    cross,
    left_of,
    length,
    put,
    put_previous,
    read,
    scaled,
    sub,
    to_f32,
    to_f64,
    unit,
)
from systems.space.bounds import ENDLESS, OPEN, held_in, highest_of, is_in, lowest_of
from systems.space.obstacles import AllFree, Obstacles
from systems.space.solids import away_from, clear_of_solids, extent_of, nearest_solid, torus_of_solids
from systems.space.torus import torus_of, wrapped

i32, i64 = np.int32, np.int64
RAYS = 128  # in all directions
HALVINGS = 6  # of the angle from the best ray to the next one
HALF_APART = np.pi / RAYS  # half the angle between rays
APART_IN_SPACE = 0.2  # the largest angle, about, from any direction to the next ray in space
FINENESS = 0.003  # smallest step along a ray, as a share of the distance
ROUNDING = 0.1  # of the skin: places nearer than the skin by less than this count as free
GOLDEN = 0.6180339887498949  # turns: gives consecutive serials very different directions
EVEN = 0.7548776662466927, 0.5698402909980532  # the same in space, evenly over a square (Roberts 2018)


class PushOut(System):
    """Moves animals and food that are inside an obstacle or outside the world to the nearest free place."""

    phase = Phase.COMMANDS
    reads = (Velocity, Food, Obstacle, Wall, Obstacles, Settings)
    writes = (*PLACE, "Position.previous", AllFree)

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
        space = obstacles.near, obstacles.skin, torus_of(world), now.box
        _free(rows, data_of(self, world), *_bits(world, now), *space, full)

    def _caught(self, world: World, now: AllFree) -> NDArray[np.int32]:
        """Return the rows of those that must be moved."""
        obstacles, rows = now.obstacles, world.table.rows(Position)
        if not obstacles and now.box == OPEN[world.table.axes]:
            return rows[:0]
        data, caught, counts = data_of(self, world), np.empty(len(rows), i32), np.empty(PORTIONS, i64)
        searched = obstacles.near, obstacles.clearance, torus_of(world)
        _find_caught(rows, data, *_bits(world, now), *searched, now.box, caught, counts)
        found: NDArray[np.int32] = gathered(caught, counts)
        return found


def _bits(world: World, now: AllFree) -> tuple[np.uint64, np.uint64]:
    """Return presence bits: an entity that is pushed out has one of the first, and none of the second."""
    if not now.obstacles and now.box in (ENDLESS[world.table.axes], OPEN[world.table.axes]):
        return np.uint64(0), np.uint64(0)  # there is nothing to be pushed out of
    return np.uint64(world.table.mask([Velocity, Food])), np.uint64(world.table.mask([Obstacle]))


@cached
def _is_full(_: EntityTable, obstacles: Obstacles, box: Any) -> bool:
    """Return whether the obstacles leave nothing in the box free: then nobody searches, because it would take long."""
    return bool(_finds_nothing(obstacles.near, obstacles.skin, box))


@for_each_portion
def _find_caught(portion, rows, data, goes, stays, solids, clearance, torus, box, caught, counts):
    first, last = portion_of(portion, len(rows))
    at = first
    for k in range(first, last):
        row = rows[k]
        here = read(data.position[row])
        is_caught = torus[0] > ZERO and here != wrapped(here, torus)
        if not is_caught and data.presence[row] & goes != 0 and data.presence[row] & stays == 0:
            is_caught = not _is_free(to_f64(here), solids, clearance, box)
        if is_caught:
            caught[at] = row
            at += 1
    counts[portion] = at - first


@inlined
def _is_free(here, solids, clearance, box):
    return is_in(here, box) and (clear_of_solids(clearance, here) > 0.0 or nearest_solid(solids, here)[0] >= 0.0)


@parallel_kernel
def _free(rows, data, goes, stays, solids, skin, torus, box, full):
    for k in prange(len(rows)):
        _free_one(rows[k], data, goes, stays, solids, skin, torus, box, full)


@subroutine
def _free_one(row, data, goes, stays, solids, skin, torus, box, full):
    here = read(data.position[row])
    if torus[0] > ZERO:
        here = wrapped(here, torus)
    if data.presence[row] & goes != 0 and data.presence[row] & stays == 0:
        there = held_in(to_f64(here), box)
        if not full and nearest_solid(solids, there)[0] < 0.0:
            there = nearest_free(solids, box, there, skin, data.serial[row])
        here = to_f32(there)
        if torus[0] > ZERO:
            here = wrapped(here, torus)
    put(data.position[row], here)
    put_previous(data.position[row], here)


@kernel
def _finds_nothing(solids, skin, box):
    """Return whether a search from the middle of the box, which goes on to its ends, finds nothing."""
    torus = torus_of_solids(solids, lowest_of(box))
    middle = scaled(torus if torus[0] > 0.0 else add(lowest_of(box), highest_of(box)), 0.5)
    return nearest_solid(solids, middle)[0] < 0.0 and nearest_free(solids, box, middle, skin, i64(0)) == middle


@inlined
def nearest_free(solids, box, here, skin, serial):
    """Return the nearest free place on rays from a place inside a solid, float64; this place if nothing is free.

    The first ray leads straight out of the nearest solid, the next ones in all directions, which are turned by the
    serial, so that entities at the same place spread. The last ones lead ever closer to the best of these. At the edge
    of the box a ray goes on along it. Each step is the depth inside the nearest solid: within that nothing is free.
    """
    gap, k, shift = nearest_solid(solids, here)
    depth, size = skin - gap, extent_of(solids, here)
    most = 0.5 * size if solids.torus_x > 0.0 else 2.0 * size + depth
    best, found, nearest = most, here, _ray(here, serial, 0)
    ray = away_from(solids, k, add(here, shift), nearest)[0]
    for n in range(1, RAYS + _bends(here) + 2):
        far, there = depth, here
        while far < best:
            there = held_in(add(here, scaled(ray, far)), box)
            gap = nearest_solid(solids, there)[0]
            if gap >= (1.0 - ROUNDING) * skin:
                best, found, nearest = min(length(sub(there, here)), far), there, ray
                break
            far += max(skin - gap, FINENESS * far)
        ray = _ray(here, serial, n) if n <= RAYS else _bent(nearest, n - RAYS - 1)
    return found


@inlined
def _ray(like, serial, n):
    """Return the direction of the n-th of RAYS rays, evenly distributed."""
    if len(like) == 2:
        return to_f64(direction(serial * GOLDEN + n / RAYS))
    upward = (serial + n) * EVEN[1]
    return to_f64(direction_like(like, (serial + n) * EVEN[0], upward - np.floor(upward)))


@inlined
def _bends(like):
    """Return how many rays are bent: to both sides, or up and down too, for each of the HALVINGS."""
    return 2 * HALVINGS if len(like) == 2 else 4 * HALVINGS


@inlined
def _bent(ray, n):
    """Return a ray bent for the n-th time: to one side, then to the other, then half as much."""
    if len(ray) == 2:
        return unit(add(ray, scaled(left_of(ray), (HALF_APART if n % 2 == 0 else -HALF_APART) / (1 << n // 2))))
    level = unit(cross(ray, (0.0, 0.0, 1.0) if abs(ray[2]) < 0.5 else (1.0, 0.0, 0.0)))
    side = level if n // 2 % 2 == 0 else cross(ray, level)
    return unit(add(ray, scaled(side, (APART_IN_SPACE if n % 2 == 0 else -APART_IN_SPACE) / (1 << n // 4))))


def install(app: App) -> None:
    app.add_component(Position)
    app.add_system(PushOut)
