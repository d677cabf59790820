"""Builds the spatial index of flocking entities: a grid, and in its order what their neighbours read."""

from __future__ import annotations

from typing import Any

import numpy as np

from components.flock import Flocker, Perception
from components.motion import Motion, Position, Velocity
from components.store.world import World
from systems.engine.app import App
from systems.engine.data import data_of
from systems.engine.kernel import inlined, parallel_kernel, prange
from systems.engine.settings import Settings
from systems.engine.system import PLACE, Phase, System
from systems.engine.threads import own_threads
from systems.exact.fixed_point import scale_for
from systems.exact.on_each_axis import on_each_axis
from systems.exact.vector import HALF, ZERO, largest, read, set_element
from systems.flocking.flock_grid import CROWD, DEEP_CROWD, DeepMates, FlockGrid, Mates, sum_crowds
from systems.flocking.rule_table import FLOCKING, rule_table
from systems.space.grid import (
    PADDING,
    Sorting,
    add_up,
    begin_sorting,
    count_portion,
    sort_into,
    stretch_of,
    unsorted_grid,
)

f32, i32, i64, u64 = np.float32, np.int32, np.int64, np.uint64


@parallel_kernel
def _fill(rows, places, velocity, prefabs, grid, velocities, prefab):
    """Sort these rows into the grid, and fill `velocities` and `prefab` in its order; return the velocities' scale."""
    cell, counts = begin_sorting(rows, grid, own_threads())
    fastest = np.empty(len(counts), f32)
    for portion in prange(len(counts)):
        sorting = Sorting(rows, places, grid, cell, counts)
        count_portion(sorting, portion)
        fastest[portion] = _fastest(sorting, portion, velocity)
    add_up(grid.start, counts)
    per_unit = scale_for(_highest(fastest, f32(1)))
    for portion in prange(len(counts)):
        _copy(Sorting(rows, places, grid, cell, counts), portion, velocity, prefabs, per_unit, velocities, prefab)
    return per_unit


@inlined
def _fastest(sorting, portion, velocity):
    """Return the highest speed along an axis in a portion of the rows."""
    found = ZERO
    first, last = stretch_of(sorting, portion)
    for k in range(first, last):
        found = max(found, largest(read(velocity[u64(sorting.rows[k])])))
    return found


@inlined
def _highest(numbers, least):
    for number in numbers:
        least = max(least, number)
    return least


@inlined
def _copy(sorting, portion, velocity, prefabs, per_unit, velocities, prefab):
    first, last = stretch_of(sorting, portion)
    for k in range(first, last):
        row, at = u64(sorting.rows[k]), sort_into(sorting, portion, k)
        set_element(velocities, at, _in_units(read(velocity[row]), per_unit))
        prefab[at] = prefabs[row]


@on_each_axis
def _in_units(number, per_unit):
    return i32(np.floor(number * per_unit + HALF))


class SpatialHash(System):
    """Sorts flocking entities into cells."""

    phase = Phase.SENSE
    essential = True
    reads = (*PLACE, Velocity, Perception, Flocker, Settings)
    writes = (FlockGrid,)

    def run(self, world: World) -> None:
        table, data, rules = world.table, data_of(self, world), rule_table(world.table)
        rows, places = table.rows(*FLOCKING), table.vectors("Position")
        grid = unsorted_grid(rows, places, rules.common, world.resource(Settings).torus)
        *velocities, prefab = (np.empty(len(rows) + PADDING, i32) for _ in range(len(places) + 1))
        scale = _fill(rows, places, data.velocity, data.prefab, grid, tuple(velocities), prefab)
        is_flat = len(places) == 2
        crowds = np.zeros(len(world.prefabs) + 1 if rules.everyone else 0, CROWD if is_flat else DEEP_CROWD)
        if rules.everyone:
            sum_crowds(grid, data.velocity, prefab, crowds)
        narrow = grid.torus_x > 0 and min(grid.stored_x, grid.stored_y, 3 if is_flat else grid.stored_z) < 3
        cell_radius = 0.0 if narrow else rules.common
        far_sighted = rules.farthest > cell_radius
        kind: Any = Mates if is_flat else DeepMates
        mates = kind(cell_radius, far_sighted, *velocities, scale, prefab, rules.one_prefab, crowds)
        world.resources[FlockGrid] = FlockGrid(grid, mates)


def install(app: App) -> None:
    app.add_component(Position, Motion)
    app.add_system(SpatialHash)
