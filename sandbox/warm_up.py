"""Compile every kernel before it is needed: the first start takes a while, so it says what it does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from components.flock import EVERYONE
from components.store.world import Prefab
from sandbox.explain.explanation import explain
from sandbox.parts import BUILT_IN
from sandbox.reading.prefabs import installed_prefabs
from sandbox.scene import Entry, Scene, Spread
from sandbox.simulation import Simulation
from systems.core import kernel
from systems.core.hand import Hand
from systems.core.install import installed
from systems.core.measures import Measures
from systems.core.settings import EDGES, Settings
from systems.core.tints import TINTS


def steps() -> Iterator[tuple[int, int, str]]:
    """Compile step by step: yields what is done, of how many, and the name of the step that comes now."""
    prefabs = installed_prefabs(installed(BUILT_IN))
    worlds = [_world(edges, prefabs) for edges in EDGES]
    systems = [(simulation, system) for simulation in worlds for system in simulation.pipeline.systems]
    count = len(systems) + 2
    for done, (simulation, system) in enumerate(systems):
        yield done, count, system.name
        simulation.world.enter()
        system.process(simulation.world)
    yield count - 2, count, "colours"
    _colour(worlds[0])
    yield count - 1, count, "explain"
    explain(worlds[0], 1)
    for simulation in worlds:
        simulation.close()
    kernel.mark_warm()
    yield count, count, "done"


def _colour(simulation: Simulation) -> None:
    """Colour the animals by everything there is."""
    render = simulation.pipeline.by_name["render"]
    for choice in range(len(TINTS)):
        render.colour = choice  # type: ignore[attr-defined]
        render.process(simulation.world)


def _world(edges: str, prefabs: Mapping[str, Prefab]) -> Simulation:
    """A small world with a few of every kind; where nothing repeats, also some who see everyone."""
    entries = [Entry(name, 3, values={"Look.size": Spread(5, 1)}) for name in prefabs if name != "wall"]
    entries.append(Entry("wall", points=((10, 10), (60, 20), (40, 70)), closed=True))
    if edges != "wrap":
        entries.append(Entry("boid", 3, values={"Perception.reach": EVERYONE}))
    simulation = Simulation(Scene(settings=Settings(200, 200, edges), prefabs=dict(prefabs), entries=entries))
    simulation.world.resource(Measures).wanted = simulation.pipeline.by_name
    simulation.world.resources[Hand] = Hand(100.0, 100.0, 10.0, 50.0)
    return simulation


def warm_up() -> None:
    """Compile or load every kernel, silently."""
    for _ in steps():
        pass
