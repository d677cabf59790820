"""Builds the spatial index of obstacles and walls."""

from __future__ import annotations

from components.motion import Position
from components.store.world import World
from components.terrain import Obstacle, Wall
from systems.engine.app import App
from systems.engine.settings import Settings
from systems.engine.system import PLACE, Phase, System
from systems.space.obstacles import Obstacles, obstacles_of


class ObstacleIndex(System):
    """Sorts obstacles and walls into cells, if they have changed."""

    phase = Phase.SENSE
    essential = True
    reads = (*PLACE, Obstacle, Wall, Settings)
    writes = (Obstacles,)

    def run(self, world: World) -> None:
        world.resources[Obstacles] = obstacles_of(world)


def install(app: App) -> None:
    app.add_component(Position)
    app.add_system(ObstacleIndex)
