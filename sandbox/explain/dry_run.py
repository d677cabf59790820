"""Small worlds in which every kernel runs once, so that all of them are compiled."""

from __future__ import annotations

from collections.abc import Mapping

from components.flock import EVERYONE
from components.store.fields import AMOUNT_SCALE
from components.store.prefab import Prefab
from sandbox.design.prefabs import installed_prefabs
from sandbox.design.scene import Entry, Scene
from sandbox.explain.explanation import explain
from sandbox.parts import BUILT_IN
from sandbox.simulation import Simulation
from sandbox.toml.shapes import Spread
from systems.engine.app import installed
from systems.engine.hand import Hand
from systems.engine.measures import Measures
from systems.engine.settings import EDGES, Settings
from systems.engine.system import Phase
from systems.view.render import Drawing
from systems.view.seen import Room, Sight, seen
from systems.view.tints import TINTS


class Rehearsal:
    """A world for each kind of edges, with a few entities of every prefab.

    Attributes:
        acts: the names of all acts, in order. The first `opening` of them must be played first; the others may follow
            in any order.
    """

    def __init__(self) -> None:
        prefabs = installed_prefabs(installed(BUILT_IN))
        self._worlds = [_world(edges, prefabs) for edges in EDGES]
        self._lonely = Simulation(Scene(prefabs=dict(prefabs), entries=[Entry("boid")]))
        systems = self._worlds[0].pipeline.systems
        self.acts = [*(system.name for system in systems), "colours", "explain"]
        self.opening = sum(system.phase < Phase.STEER for system in systems)

    def play(self, act: str) -> None:
        """Play an act: run a system in all worlds, draw the animals in all colourings, or explain one."""
        if act == "explain":
            explain(self._worlds[0], 1)
            return
        if act == "colours":
            for simulation in (*self._worlds, self._lonely):  # a column with one row is another type to numba
                simulation.world.enter()
                _colour(simulation)
            return
        for simulation in self._worlds:
            simulation.world.enter()
            simulation.pipeline.by_name[act].process(simulation.world)
            if act == "commit":  # rows have moved, so the indexes are out of date
                simulation.pipeline.run(simulation.world, [Phase.SENSE])
                simulation.world.spawn("boid")
                simulation.pipeline.run(simulation.world, [Phase.SENSE])  # with one new entity, other kernels run

    def close(self) -> None:
        for simulation in (*self._worlds, self._lonely):
            simulation.close()


def _colour(simulation: Simulation) -> None:
    render = simulation.pipeline.by_name["render"]
    for choice in range(len(TINTS)):
        render.colour = choice  # type: ignore[attr-defined]
        render.process(simulation.world)
        seen(simulation.world.resource(Drawing).drawn, Sight(100.0, 100.0, 50.0, 50.0, 0.0, 0.0, 1.0, 1.0, 2.0), Room())


def _world(edges: str, prefabs: Mapping[str, Prefab]) -> Simulation:
    """Make a world in which animals eat and have young that mutate; unless edges wrap, some have reach "everyone"."""
    entries = [Entry(name, 4, values={"Look.size": Spread(5, 1)}) for name in prefabs if name != "wall"]
    bearing = {"Life.birth_level": AMOUNT_SCALE, "Life.mutation": 0.1}
    entries += [Entry("food", at=(150, 150)), Entry("sheep", 3, at=(150, 150), values=bearing)]
    entries.append(Entry("wall", points=((10, 10), (60, 20), (40, 70)), closed=True))
    if edges != "wrap":
        entries.append(Entry("boid", 3, values={"Perception.reach": EVERYONE}))
    simulation = Simulation(Scene(settings=Settings(200, 200, edges), prefabs=dict(prefabs), entries=entries))
    simulation.world.resource(Measures).wanted = simulation.pipeline.by_name
    simulation.world.resources[Hand] = Hand(100, 100, 10, 50)
    return simulation
