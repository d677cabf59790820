"""Builds the index of flocking entities: a grid, and in its order the columns that their neighbours read."""

from __future__ import annotations

import numpy as np

from components.flock import Flocker, Perception
from components.motion import Motion, Position, Velocity
from components.store.world import World
from systems.engine.app import App
from systems.engine.kernel import inlined, kernel, parallel_kernel, prange
from systems.engine.settings import Settings
from systems.engine.system import Phase, System
from systems.engine.threads import own_threads
from systems.exact.fixed_point import VELOCITY_SCALE, fixed, scale_for
from systems.exact.vector import ZERO
from systems.flocking.flock_grid import COUNT, POSITION_SCALE, SUM_U, SUM_V, SUM_X, SUM_Y, FlockGrid, Mates
from systems.flocking.rule_table import FLOCKING, rule_table
from systems.space.grid import PADDING, Sorting, add_up, begin_sorting, count_part, place, stretch_of, unsorted_grid

f32, i32, i64, index = np.float32, np.int32, np.int64, np.uint64


@parallel_kernel
def _fill(rows, places, velocity, prefab, grid, u, v, kind):
    """Sort these rows into the grid, and fill u, v and kind in its order; return the scale of u and v."""
    cell, counts = begin_sorting(rows, grid, own_threads())
    fastest = np.empty(len(counts), f32)
    for part in prange(len(counts)):
        sorting = Sorting(rows, places, grid, cell, counts)
        count_part(sorting, part)
        fastest[part] = _fastest(sorting, part, velocity)
    add_up(grid.start, counts)
    per_unit = scale_for(_highest(fastest, f32(1)))
    for part in prange(len(counts)):
        _copy(Sorting(rows, places, grid, cell, counts), part, velocity, prefab, per_unit, u, v, kind)
    return per_unit


@inlined
def _fastest(sorting, part, velocity):
    """Return the highest speed along an axis in a part of the rows."""
    found = ZERO
    first, last = stretch_of(sorting, part)
    for k in range(first, last):
        row = index(sorting.rows[k])
        found = max(found, max(abs(velocity[row].x), abs(velocity[row].y)))
    return found


@inlined
def _highest(numbers, least):
    for number in numbers:
        least = max(least, number)
    return least


@inlined
def _copy(sorting, part, velocity, prefab, per_unit, u, v, kind):
    first, last = stretch_of(sorting, part)
    for k in range(first, last):
        row, at = index(sorting.rows[k]), place(sorting, part, k)
        u[at] = i32(np.floor(velocity[row].x * per_unit + f32(0.5)))
        v[at] = i32(np.floor(velocity[row].y * per_unit + f32(0.5)))
        kind[at] = prefab[row]


@kernel
def _crowd_sums(grid, velocity, kind, crowds):
    for k in range(len(kind) - PADDING):
        row = grid.row[k]
        for crowd in (i64(kind[k]), len(crowds) - 1):
            crowds[crowd, COUNT] += 1
            crowds[crowd, SUM_X] += fixed(grid.x[k], POSITION_SCALE)
            crowds[crowd, SUM_Y] += fixed(grid.y[k], POSITION_SCALE)
            crowds[crowd, SUM_U] += fixed(velocity[row].x, VELOCITY_SCALE)
            crowds[crowd, SUM_V] += fixed(velocity[row].y, VELOCITY_SCALE)


class SpatialHash(System):
    """Sorts flocking entities into cells."""

    phase = Phase.SENSE
    essential = True
    reads = ("Position.x", "Position.y", Velocity, Perception, Flocker, Settings)
    writes = (FlockGrid,)

    def run(self, world: World) -> None:
        table = world.table
        rows, velocity, rules = table.rows(*FLOCKING), table.records(Velocity), rule_table(table)
        places, count = table.vectors("Position"), len(rows) + PADDING
        grid = unsorted_grid(rows, places, rules.common, world.resource(Settings).torus)
        u, v, kind = np.empty(count, i32), np.empty(count, i32), np.empty(count, i32)
        scale = _fill(rows, places, velocity, table.prefab, grid, u, v, kind)
        crowds = np.zeros((len(world.prefabs) + 1 if rules.everyone else 0, 5), i64)
        if rules.everyone:
            _crowd_sums(grid, velocity, kind, crowds)
        narrow = (grid.torus_x > 0 and grid.columns < 3) or (grid.torus_y > 0 and grid.lines < 3)
        reach = 0.0 if narrow else rules.common
        mates = Mates(reach, rules.farthest > reach, u, v, scale, kind, rules.one_prefab, crowds)
        world.resources[FlockGrid] = FlockGrid(grid, mates)


def install(app: App) -> None:
    app.add_component(Position, Velocity, Motion, Perception, Flocker)
    app.add_system(SpatialHash)
