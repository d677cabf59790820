"""Compile every kernel before it is needed: the first start takes a while, so it says what it does."""

from __future__ import annotations

from collections.abc import Iterator

from components.flock import EVERYONE
from components.store.fields import Stored
from components.store.world import Prefab
from sandbox.explain import explain
from sandbox.scene import Entry, Scene, Spread, spawn_entry
from sandbox.simulation import Simulation
from systems.core import kernel
from systems.core.measures import Measures
from systems.core.settings import Settings

BOID: dict[str, dict[str, Stored]] = {
    name: {} for name in ("Position", "Velocity", "Motion", "Perception", "Flocker", "Look")
}
SEES_EVERYONE: dict[str, dict[str, Stored]] = {**BOID, "Perception": {"reach": EVERYONE}}


def steps() -> Iterator[tuple[int, int, str]]:
    """Compile step by step: yields what is done, of how many, and the name of the step that comes now."""
    worlds = [
        Simulation(Scene(settings=Settings(edges=edges), prefabs={"boid": Prefab("boid", prefab)}))
        for edges, prefab in (("wrap", BOID), ("turn", SEES_EVERYONE), ("bounce", BOID))
    ]
    systems = [(simulation, system) for simulation in worlds for system in simulation.pipeline.systems]
    count = len(systems) + 2
    yield 0, count, "random numbers"
    for simulation in worlds:
        simulation.world.resource(Measures).wanted = True
        spawn_entry(simulation.world, Entry("boid", 4, values={"Look.size": Spread(5, 1)}))
    for done, (simulation, system) in enumerate(systems, 1):
        yield done, count, system.name
        simulation.world.enter()
        system.process(simulation.world)
    yield count - 1, count, "explain"
    explain(worlds[0], 1)
    for simulation in worlds:
        simulation.close()
    kernel.mark_warm()
    yield count, count, "done"


def warm_up() -> None:
    """Compile or load every kernel, silently."""
    for _ in steps():
        pass
