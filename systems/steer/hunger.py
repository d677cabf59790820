"""Hungry animals seek the nearest food that they see, and stop in it to graze; see docs/equations.md, *Food and life*.

Food in whose circle they are counts even outside of their field of view.
"""

from __future__ import annotations

import numpy as np

from components.flock import Perception
from components.life import Energy, Food
from components.motion import Motion, Position, Velocity
from components.predation import Predator
from components.store.world import World
from systems.engine.app import App
from systems.engine.data import data_of
from systems.engine.kernel import inlined
from systems.engine.rows import for_each_row
from systems.engine.system import PLACE, Phase, System
from systems.exact.vector import HALF, TWO, ZERO, accelerate, dot, filled, read, scaled, sub, unit
from systems.space.axis import torus_in
from systems.space.food import FoodMap, food_at, is_food_for
from systems.space.grid import place_at
from systems.space.perception import field_of_view, in_view
from systems.space.torus import toward
from systems.space.walk import cells_within, is_whole, stretch

f32, i64, u64 = np.float32, np.int64, np.uint64


class Hunger(System):
    """Steers hungry animals to food."""

    phase = Phase.STEER
    reads = (*PLACE, Velocity, "Motion.max_speed", Perception, Predator, Energy, Food, FoodMap)
    adds = ("Motion.acceleration",)
    needs = (Position, Food)

    def run(self, world: World) -> None:
        food, table = world.resource(FoodMap), world.table
        rows = table.rows(Position, Velocity, Motion, Perception, Energy)
        _steer(rows, data_of(self, world), food.grid, food.patches, food.rows, u64(table.mask([Predator])))


@for_each_row
def _steer(row, data, grid, patches, foods, predators):
    """Steer an animal that is hungry; `predators` is the presence bit of Predator."""
    energy, motion = data.energy[row], data.motion[row]
    if energy.level >= energy.hunger or energy.seek == ZERO:
        return
    seek, velocity = energy.seek, read(data.velocity[row])
    if food_at(row, data, patches, foods, predators, True) >= 0:
        accelerate(motion, scaled(velocity, -seek))
        return
    found, offset = _nearest_seen(row, data, grid, predators)
    if found:
        accelerate(motion, scaled(sub(scaled(unit(offset), motion.max_speed), velocity), seek))


@inlined
def _nearest_seen(row, data, grid, predators):
    """Return whether an animal sees food, and the offset to the nearest; the search radius is widened step by step."""
    here, radius, torus = read(data.position[row]), data.perception[row].radius, torus_in(grid)
    view = field_of_view(row, data.velocity, data.perception)
    searched = _widened(HALF / max(grid.per_x, grid.per_y), radius)
    best, nearest, best_serial = radius * radius, filled(here, ZERO), i64(-1)
    while True:
        window = cells_within(grid, here, searched)
        for n in range(window.stretches):
            first, last = stretch(grid, window, n)
            for k in range(first, last):
                offset = toward(here, place_at(grid, k), torus)
                d2, at = dot(offset, offset), grid.which[k]
                lower = d2 == best and data.serial[at] < best_serial
                if not (d2 < best or lower) or at == row:
                    continue
                if in_view(view, offset, d2) and is_food_for(at, row, data, predators):
                    best, nearest, best_serial = d2, offset, data.serial[at]
        if is_whole(grid, window) or searched >= radius or (best_serial >= 0 and best <= searched * searched):
            return best_serial >= 0, nearest
        searched = _widened(searched, radius)


@inlined
def _widened(searched, radius):
    """Double the radius of a search, but return `radius` if that would exceed or nearly equal it."""
    return TWO * searched if f32(3) * searched < radius else radius


def install(app: App) -> None:
    app.add_component(Motion)
    app.add_system(Hunger)
