"""Hungry animals seek the nearest food that they see, and stop in it to graze; see docs/equations.md, *Food and life*.

Food in whose circle they are counts even outside of their field of view.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from components.flock import Perception
from components.life import Energy, Food
from components.motion import Motion, Position, Velocity
from components.predation import Predator
from components.store.world import World
from systems.engine.app import App
from systems.engine.kernel import inlined
from systems.engine.rows import for_each_row
from systems.engine.system import Phase, System
from systems.exact.vector import HALF, TWO, ZERO, accelerate, dot, read, same, scaled, sub, unit
from systems.space.axis import torus_in
from systems.space.field_of_view import field_of_view, in_view
from systems.space.food import FoodMap, food_at, is_food_for
from systems.space.grid import place_at
from systems.space.torus import toward
from systems.space.walk import cells_within, is_whole, stretch

f32, i64, u64 = np.float32, np.int64, np.uint64


Grazers = namedtuple("Grazers", "position velocity motion perception energy food prefab presence hunts serial")
"""The records that hunger reads of eaters and food, by table row, and the accelerations in Motion that it adds to.

hunts: uint64, the presence bit of Predator."""


class Hunger(System):
    """Steers hungry animals to food."""

    phase = Phase.STEER
    reads = ("Position.x", "Position.y", Velocity, "Motion.max_speed", Perception, Predator, Energy, Food, FoodMap)
    adds = ("Motion.acceleration",)
    needs = (Position, Food)

    def run(self, world: World) -> None:
        index, table = world.resource(FoodMap), world.table
        rows = table.rows(Position, Velocity, Motion, Perception, Energy)
        records = (table.records(c) for c in (Position, Velocity, Motion, Perception, Energy, Food))
        grazers = Grazers._make((*records, table.prefab, table.presence, u64(table.mask([Predator])), table.serial))
        _steer(rows, grazers, index.grid, index.patches, index.rows)


@for_each_row
def _steer(row, grazers, grid, patches, foods):
    if grazers.energy[row].level >= grazers.energy[row].hunger or grazers.energy[row].seek == ZERO:
        return
    motion, seek, velocity = grazers.motion[row], grazers.energy[row].seek, read(grazers.velocity[row])
    if food_at(row, grazers, patches, foods, True) >= 0:
        accelerate(motion, scaled(velocity, -seek))
        return
    found, offset = _nearest_seen(row, grazers, grid)
    if found:
        accelerate(motion, scaled(sub(scaled(unit(offset), motion.max_speed), velocity), seek))


@inlined
def _nearest_seen(row, grazers, grid):
    """Return whether an animal sees food, and the offset to the nearest; the search radius is widened step by step."""
    here, radius, torus = read(grazers.position[row]), grazers.perception[row].radius, torus_in(grid)
    view = field_of_view(row, grazers.velocity, grazers.perception)
    reach = _widened(HALF / max(grid.per_x, grid.per_y), radius)
    best, nearest, best_serial = radius * radius, same(here, ZERO), i64(-1)
    while True:
        window = cells_within(grid, here, reach)
        for n in range(window.stretches):
            first, last = stretch(grid, window, n)
            for k in range(first, last):
                offset = toward(here, place_at(grid, k), torus)
                d2, at = dot(offset, offset), grid.row[k]
                lower = d2 == best and grazers.serial[at] < best_serial
                if not (d2 < best or lower) or at == row:
                    continue
                if in_view(view, offset, d2) and is_food_for(at, row, grazers):
                    best, nearest, best_serial = d2, offset, grazers.serial[at]
        if is_whole(grid, window) or reach >= radius or (best_serial >= 0 and best <= reach * reach):
            return best_serial >= 0, nearest
        reach = _widened(reach, radius)


@inlined
def _widened(reach, radius):
    """Double the reach, but return the radius if that would exceed or nearly reach it."""
    return TWO * reach if f32(3) * reach < radius else radius


def install(app: App) -> None:
    app.add_component(Position, Velocity, Motion, Perception, Predator, Energy, Food)
    app.add_system(Hunger)
