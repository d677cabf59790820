"""The index of food: a grid for those who look for it, and the circles in which it is eaten."""

from __future__ import annotations

from components.life import Food
from components.motion import Position
from components.store.world import World
from systems.engine.app import App
from systems.engine.settings import Settings
from systems.engine.system import Phase, System
from systems.space.food import FoodMap, build_patches, patches_of, worth_going
from systems.space.grid import build_grid


class FoodIndex(System):
    """Sorts food into cells."""

    phase = Phase.SENSE
    essential = True
    reads = ("Position.x", "Position.y", Food, Settings)
    writes = (FoodMap,)
    needs = (Position, Food)

    def run(self, world: World) -> None:
        table, torus = world.table, world.resource(Settings).torus
        rows, before = table.rows_by_serial(Position, Food), world.resources.get(FoodMap)
        worth = worth_going(rows, table.records(Food))
        # As narrow as the grid makes them: about four cells for each food, whoever looks for it and how far.
        grid = build_grid(worth, table.columns["Position.x"], table.columns["Position.y"], 0.0, torus)
        shapes = patches_of(table, rows, torus)
        patches = before.patches if before is not None and before.shapes == shapes else build_patches(shapes)
        world.resources[FoodMap] = FoodMap(grid, rows, patches, shapes)


def install(app: App) -> None:
    app.add_component(Position, Food)
    app.add_system(FoodIndex)
