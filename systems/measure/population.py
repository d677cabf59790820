"""Counts living entities, by prefab."""

from __future__ import annotations

from components.store.world import World
from systems.engine.app import App
from systems.engine.measures import POPULATION, Measures
from systems.engine.system import Phase, System


class Population(System):
    """Counts the living entities of each prefab."""

    phase = Phase.MEASURE
    adds = (Measures,)

    def applies(self, world: World) -> bool:
        return self.name in world.resource(Measures).wanted

    def run(self, world: World) -> None:
        measures = world.resource(Measures)
        measures.values = {key: value for key, value in measures.values.items() if not key.startswith(POPULATION)}
        measures.values["entities"] = float(world.table.size)
        for name, count in zip(world.prefabs, world.population.tolist(), strict=False):
            measures.values[f"{POPULATION}{name}"] = float(count)


def install(app: App) -> None:
    app.add_system(Population)
