"""Whoever is hungry steers to the nearest food it sees, and stops in it to graze.

    in the circle of food that feeds it    a = -seek * v
    else, the nearest food seen at q       a = seek * (max_speed * unit(q - p) - v)

Only food counts that holds what one bites off in a second, or all it can hold. Seen is what lies within
Perception.radius and in the field of view; that it stands in food one knows all round.
"""

# mypy: allow-untyped-defs
# (numba finds out the types of kernels)

from __future__ import annotations

import numpy as np

from components.flock import Perception
from components.life import Energy, Food
from components.motion import Motion, Position, Velocity
from components.predation import Predator
from components.store.world import World
from systems.engine.app import App
from systems.engine.kernel import inlined, parallel_kernel, prange
from systems.engine.pipeline import Phase, System
from systems.exact.vector import HALF, TWO, ZERO, unit
from systems.space.candidates import columns_near, lines_near
from systems.space.flock_grid import view
from systems.space.food import FoodMap, food_at, may_eat
from systems.space.neighbourhood import in_view
from systems.space.torus import nearest_copy

f32, i64 = np.float32, np.int64


class Hunger(System):
    """Steers those who are hungry to food."""

    phase = Phase.STEER
    reads = ("Position.x", "Position.y", Velocity, "Motion.max_speed", Perception, Predator, Energy, Food, FoodMap)
    adds = ("Motion.acceleration",)

    def run(self, world: World) -> None:
        index, table = world.resource(FoodMap), world.table
        rows = table.rows(Position, Velocity, Motion, Perception, Energy)
        if not len(rows) or not len(index.rows):
            return
        records = [table.records(c) for c in (Position, Velocity, Motion, Perception, Energy, Food)]
        predator = np.uint64(table.mask([Predator]))
        who = (table.prefab, table.presence, table.serial, predator)
        _steer(rows, *records, *who, index.grid, index.patches, index.rows)


@parallel_kernel
def _steer(
    rows, position, velocity, motion, perception, energy, food, prefab, presence, serial, predator, grid, patches, foods
):
    for k in prange(len(rows)):
        row = rows[k]
        if energy[row].level < energy[row].hunger:
            hunts = presence[row] & predator != 0
            _steer_one(
                row, position, velocity, motion, perception, energy, food, prefab, hunts, serial, grid, patches, foods
            )


@inlined
def _steer_one(row, position, velocity, motion, perception, energy, food, prefab, hunts, serial, grid, patches, foods):
    seek, vx, vy = energy[row].seek, velocity[row].x, velocity[row].y
    if food_at(row, position, food, prefab, hunts, patches, foods, True) >= 0:
        motion[row].acceleration_x -= seek * vx
        motion[row].acceleration_y -= seek * vy
        return
    found, dx, dy = _nearest_seen(row, position, velocity, perception, food, prefab, hunts, serial, grid)
    if found:
        x, y = unit(dx, dy)
        motion[row].acceleration_x += seek * (motion[row].max_speed * x - vx)
        motion[row].acceleration_y += seek * (motion[row].max_speed * y - vy)


@inlined
def _nearest_seen(row, position, velocity, perception, food, prefab, hunts, serial, grid):
    """Whether it sees food, and the offset of the nearest. Looks a cell around, then ever farther."""
    px, py, radius = position[row].x, position[row].y, perception[row].radius
    hx, hy, cone = view(row, velocity, perception)
    reach = _widened(HALF / max(grid.per_x, grid.per_y), radius)
    best, best_dx, best_dy, best_serial = radius * radius, ZERO, ZERO, i64(-1)
    while True:
        column, columns = columns_near(grid, px, reach)
        line, lines = lines_near(grid, py, reach)
        column, line = column % grid.columns, line % grid.lines
        beyond = max(column + columns - grid.columns, 0)  # those kept from column 0 on
        for _ in range(lines):
            base = line * grid.columns
            line = line + 1 if line + 1 < grid.lines else 0
            for part in range(1 + (beyond > 0)):
                first, last = (base, base + beyond) if part else (base + column, base + column + columns - beyond)
                for k in range(grid.start[first], grid.start[last]):
                    dx = nearest_copy(grid.x[k], px, grid.torus_x) - px
                    dy = nearest_copy(grid.y[k], py, grid.torus_y) - py
                    d2, at = dx * dx + dy * dy, grid.row[k]
                    lower = d2 == best and serial[at] < best_serial
                    if not (d2 < best or lower) or at == row:
                        continue
                    if in_view(dx, dy, d2, hx, hy, cone) and may_eat(food[at].feeds, prefab[row], hunts):
                        best, best_dx, best_dy, best_serial = d2, dx, dy, serial[at]
        whole = columns >= min(grid.across, grid.columns) and lines >= min(grid.up, grid.lines)
        if whole or reach >= radius or (best_serial >= 0 and best <= reach * reach):
            return best_serial >= 0, best_dx, best_dy
        reach = _widened(reach, radius)


@inlined
def _widened(reach, radius):
    """Twice as far, but not beyond the radius, nor just short of it."""
    return TWO * reach if f32(3) * reach < radius else radius


def install(app: App) -> None:
    app.add_component(Position, Velocity, Motion, Perception, Predator, Energy, Food)
    app.add_system(Hunger)
