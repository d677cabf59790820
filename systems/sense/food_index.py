"""Builds the spatial index of food: a grid for animals that seek food, and the circles within which it is eaten."""

from __future__ import annotations

from components.life import Food
from components.motion import Position
from components.store.world import World
from systems.engine.app import App
from systems.engine.settings import Settings
from systems.engine.system import PLACE, Phase, System
from systems.space.food import FoodMap, food_map


class FoodIndex(System):
    """Sorts food into cells."""

    phase = Phase.SENSE
    essential = True
    reads = (*PLACE, Food, Settings)
    writes = (FoodMap,)
    needs = (Position, Food)

    def run(self, world: World) -> None:
        world.resources[FoodMap] = food_map(world.table, world.resource(Settings).torus)


def install(app: App) -> None:
    app.add_system(FoodIndex)
