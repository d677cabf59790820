"""The index of food: a grid for those who look for it, and the circles in which it is eaten."""

from __future__ import annotations

import numpy as np

from components.life import Food
from components.motion import Position
from components.store.world import World
from systems.engine.app import App
from systems.engine.pipeline import Phase, System
from systems.engine.settings import Settings
from systems.space.food import FoodMap, build_patches, circles, worth_going
from systems.space.grid import build_grid


class FoodIndex(System):
    """Sorts food into cells."""

    phase = Phase.SENSE
    essential = True
    reads = ("Position.x", "Position.y", Food, Settings)
    writes = (FoodMap,)

    def run(self, world: World) -> None:
        table, torus = world.table, world.resource(Settings).torus
        rows, before = table.rows_by_serial(Position, Food), world.resources.get(FoodMap)
        if before is not None and not len(rows) + len(before.rows):
            return
        worth = worth_going(rows, table.records(Food)) if len(rows) else rows
        # As narrow as the grid makes them: about four cells for each food, whoever looks for it and how far.
        grid = build_grid(worth, table.columns["Position.x"], table.columns["Position.y"], 0.0, torus)
        ends, radius = circles(table, rows)
        if (
            before is not None
            and before.torus == torus
            and np.array_equal(before.ends, ends)
            and np.array_equal(before.radius, radius)
        ):
            patches = before.patches
        else:
            patches = build_patches(ends, radius, torus)
        world.resources[FoodMap] = FoodMap(grid, rows, patches, ends, radius, torus)


def install(app: App) -> None:
    app.add_component(Position, Food)
    app.add_system(FoodIndex)
