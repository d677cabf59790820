"""Worlds in which kernels run once, so that they are compiled: all kernels, or those that one scene needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from components.flock import EVERYONE
from components.store.fields import AMOUNT_SCALE
from components.store.prefab import Prefab
from sandbox.design.prefabs import installed_prefabs
from sandbox.design.scene import Entry, Scene
from sandbox.explain.explanation import explain
from sandbox.files import is_recording
from sandbox.files.read_recording import open_state
from sandbox.mods.load.loaded_mods import NO_MODS
from sandbox.opening import load
from sandbox.parts import BUILT_IN
from sandbox.render.animals import Drawing
from sandbox.render.room import Room
from sandbox.render.seen import Region, seen
from sandbox.render.seen_in_space import Eye, seen_in_space
from sandbox.render.tints import TINTS
from sandbox.simulation import Simulation
from sandbox.toml.schemas import Spread
from systems.engine.app import installed
from systems.engine.hand import Hand
from systems.engine.measures import CHEAP, Measures
from systems.engine.settings import EDGES, Settings
from systems.engine.system import Phase

REGION = Region(100.0, 100.0, 50.0, 50.0, 0.0, 0.0, 1.0, 1.0, 2.0)
EYE = Eye((100.0,) * 3, (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.0, 1.0, 0.0), 200.0, *[1.0] * 7)


class Workload:
    """Work in some worlds, in stages.

    Attributes:
        stages: the names of all stages, in order.
    """

    def __init__(
        self, simulations: Sequence[Simulation], drawn: Sequence[Simulation], tints: int, last: Sequence[str] = ()
    ):
        """`drawn`: the worlds that are drawn, in so many colourings; `last`: the names of stages after these."""
        self._simulations, self._drawn, self._tints = simulations, drawn, tints
        systems = simulations[0].pipeline.systems
        self.stages = [*(system.name for system in systems), "colours", *last]
        self._sensing = [system.name for system in systems if system.phase < Phase.STEER]
        self._apart = [s.name for s in systems if s.phase in (Phase.MOVE, Phase.MEASURE, Phase.RENDER)]

    @classmethod
    def everything(cls, depth: float = 0.0) -> Workload:
        """Return what every kernel runs in: a world for each kind of edges, with a few entities of every prefab.

        Args:
            depth: of the worlds, u; 0: they are flat. Kernels are compiled for each, and share nothing.
        """
        prefabs = installed_prefabs(installed(BUILT_IN))
        simulations = [_simulation(edges, prefabs, depth) for edges in EDGES]
        one = Scene(settings=Settings(depth=depth), prefabs=dict(prefabs), entries=[Entry("boid")])
        lonely = Simulation(one)  # one row is another type to numba
        return cls(simulations, [*simulations, lonely], len(TINTS), ["explain"])

    @classmethod
    def of_scene(cls, scene: str) -> Workload:
        """Return what the kernels run in that a scene needs, without mods.

        Raises:
            OSError, ValueError: the scene can't be opened.
        """
        simulation = open_state(scene, NO_MODS) if is_recording(scene) else load(scene, mods=NO_MODS)
        simulation.world.resource(Measures).wanted = CHEAP  # the window's log measures these
        return cls([simulation], [simulation], 1)

    def order(self, index: int, processes: int) -> list[str]:
        """Return the stages in the order of one of several processes: they meet as late as they can.

        The first process begins with what the systems see, which those that steer need. The others begin with stages
        that need nothing before them.
        """
        if index == 0:
            return self.stages
        rest = [stage for stage in reversed(self.stages) if stage not in {*self._apart, *self._sensing}]
        share = (index - 1) / (processes - 1)
        return [*_from(share, self._apart), *self._sensing, *_from(share, rest)]

    def run(self, stage: str) -> None:
        """Run a system in all worlds, draw the animals in all colourings, or explain one."""
        if stage == "explain":
            explain(self._simulations[0], 1)
            return
        if stage == "colours":
            for simulation in self._drawn:
                simulation.world.enter()
                _colour(simulation, self._tints)
            return
        for simulation in self._simulations:
            simulation.world.enter()
            simulation.pipeline.by_name[stage].process(simulation.world)
            if stage == "commit":  # rows have moved, so the spatial indexes are out of date
                simulation.pipeline.run(simulation.world, [Phase.SENSE])
                simulation.world.spawn("boid")
                simulation.pipeline.run(simulation.world, [Phase.SENSE])  # with one new entity, other kernels run

    def close(self) -> None:
        for simulation in {*self._simulations, *self._drawn}:
            simulation.close()


def _from(share: float, stages: list[str]) -> list[str]:
    """Return the stages in order, beginning after this share of them."""
    begin = int(share * len(stages))
    return [*stages[begin:], *stages[:begin]]


def _colour(simulation: Simulation, tints: int) -> None:
    render = simulation.pipeline.by_name["render"]
    for choice in range(tints):
        render.colour = choice  # type: ignore[attr-defined]
        render.process(simulation.world)
        drawing = simulation.world.resource(Drawing)
        if simulation.world.resource(Settings).depth:
            seen_in_space(drawing, EYE)
        else:
            seen(drawing, REGION, Room())


def _simulation(edges: str, prefabs: Mapping[str, Prefab], depth: float) -> Simulation:
    """Make a world in which animals eat and have young that mutate; unless edges wrap, some have reach "everyone"."""
    entries = [Entry(name, 4, values={"Look.size": Spread(5, 1)}) for name in prefabs if name != "wall"]
    bearing = {"Life.birth_level": AMOUNT_SCALE, "Life.mutation": 0.1}
    entries += [Entry("food", at=(150, 150)), Entry("sheep", 3, at=(150, 150), values=bearing)]
    entries.append(Entry("boid", values={"Repulsion.strength": 60.0}))  # no built-in prefab has it
    entries.append(Entry("wall", points=((10, 10), (60, 20), (40, 70)), closed=True))
    if edges != "wrap":
        entries.append(Entry("boid", 3, values={"Perception.reach": EVERYONE}))
    settings = Settings(200, 200, edges, depth=depth)
    simulation = Simulation(Scene(settings=settings, prefabs=dict(prefabs), entries=entries))
    simulation.world.resource(Measures).wanted = simulation.pipeline.by_name
    simulation.world.resources[Hand] = Hand(100, 100, 10, 50)
    return simulation
