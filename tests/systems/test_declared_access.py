"""What a built-in system reads and writes is what it declares: the order of systems follows from that."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from components.motion import Motion, Position, Velocity
from components.store.records import ComponentType
from components.store.table import EntityTable
from components.store.world import World
from components.terrain import Repulsion
from sandbox.edit import SetHand
from sandbox.render.tints import TINTS
from sandbox.simulation import Simulation
from systems.engine.measures import Measures
from systems.engine.system import Phase, System
from tests.sandbox.test_same_everywhere import every_kind

TICKS = 90
OUTSIDE = ("commands",)  # carries out commands, each of which says itself what it writes in


class Noted(dict[Any, Any]):
    """A dictionary that notes which keys are read, and which are set or removed."""

    def __init__(self, items: dict[Any, Any]) -> None:
        super().__init__(items)
        self.read: set[Any] = set()
        self.written: set[Any] = set()

    def __getitem__(self, key: Any) -> Any:
        self.read.add(key)
        return super().__getitem__(key)

    def get(self, key: Any, default: Any = None) -> Any:
        self.read.add(key)
        return super().get(key, default)

    def __setitem__(self, key: Any, value: Any) -> None:
        self.written.add(key)
        super().__setitem__(key, value)

    def setdefault(self, key: Any, default: Any = None) -> Any:
        self.written.add(key)
        return super().setdefault(key, default)

    def pop(self, key: Any, *default: Any) -> Any:
        self.written.add(key)
        return super().pop(key, *default)


class Watch:
    """Runs systems of a simulation, as their guard, and notes what each touches."""

    def __init__(self, simulation: Simulation) -> None:
        world = simulation.world
        self.table = world.table
        self.fetched: dict[str, set[str]] = {}  # components, by system
        self.changed: dict[str, set[str]] = {}  # columns
        self.resources: dict[str, tuple[set[type], set[type]]] = {}  # read, and set or removed
        self.columns = world.table.columns = Noted(world.table.columns)
        self.held = world.resources = Noted(world.resources)
        self.plain: Callable[[ComponentType], Any] = world.table.records
        world.table.records = self.records  # type: ignore[method-assign]
        for system in simulation.pipeline.systems:
            system.guard = self.run

    def records(self, component: ComponentType) -> Any:
        self.columns.read.add(component.__name__)
        return self.plain(component)

    def run(self, system: System, world: World) -> None:
        size = self.table.size
        before = {key: column[:size].tobytes() for key, column in dict.items(self.columns)}
        for notes in (self.columns, self.held):
            notes.read, notes.written = set(), set()
        system.run(world)
        self.fetched.setdefault(system.name, set()).update(key.split(".")[0] for key in self.columns.read)
        read, written = self.resources.setdefault(system.name, (set(), set()))
        read |= self.held.read
        written |= self.held.written
        if system.phase is not Phase.COMMIT:  # there rows move
            now = {key: column[:size].tobytes() for key, column in dict.items(self.columns)}
            self.changed.setdefault(system.name, set()).update(key for key in before if before[key] != now[key])


def names(touched: tuple[type | str, ...]) -> set[str]:
    return {thing if isinstance(thing, str) else thing.__name__ for thing in touched}


def changes(system: System) -> set[str]:
    return names((*system.writes, *system.adds))


def all_of(system: System) -> set[str]:
    return names(system.reads) | changes(system)


def covers(declared: set[str], column: str) -> bool:
    return any(column == name or column.startswith(f"{name}.") for name in declared)


@pytest.fixture(scope="module")
def watched() -> Iterator[tuple[tuple[System, ...], Watch]]:
    """All built-in systems over every built-in prefab, with predators, food, wind, births and a hand, on a torus.

    No built-in prefab has Repulsion: one entity gets it.
    """
    scene = every_kind()
    scene.settings.edges = "wrap"
    with Simulation(scene) as simulation:
        simulation.submit(SetHand(400, 300, 300, 200))
        world = simulation.world
        world.add(int(world.table.serial[world.table.rows(Position, Velocity, Motion)[0]]), Repulsion)
        world.commit()
        world.resource(Measures).wanted = [
            system.name for system in simulation.pipeline.systems if system.phase is Phase.MEASURE
        ]
        watch = Watch(simulation)
        simulation.step(TICKS)
        for colour in range(len(TINTS)):
            simulation.pipeline.by_name["render"].colour = colour  # type: ignore[attr-defined]
            simulation.pipeline.run(world, [Phase.RENDER])
        yield simulation.pipeline.systems, watch


def test_every_system_ran(watched):
    systems, watch = watched
    assert {system.name for system in systems} == set(watch.fetched)


def test_it_fetches_the_columns_of_components_that_it_declares(watched):
    systems, watch = watched
    undeclared = {
        system.name: fetched - {name.split(".")[0] for name in all_of(system)}
        for system in systems
        if EntityTable not in (*system.reads, *system.writes) and (fetched := watch.fetched.get(system.name))
    }
    assert {name: fetched for name, fetched in undeclared.items() if fetched and name not in OUTSIDE} == {}


def test_it_changes_the_columns_that_it_declares(watched):
    systems, watch = watched
    undeclared = {
        system.name: {key for key in watch.changed.get(system.name, ()) if not covers(changes(system), key)}
        for system in systems
    }
    assert {name: changed for name, changed in undeclared.items() if changed and name not in OUTSIDE} == {}


def test_it_reads_and_sets_the_resources_that_it_declares(watched):
    systems, watch = watched
    undeclared = {}
    for system in systems:
        read, written = watch.resources.get(system.name, (set(), set()))
        undeclared[system.name] = {kind.__name__ for kind in read} - all_of(system)
        undeclared[system.name] |= {kind.__name__ for kind in written} - changes(system)
    assert {name: found for name, found in undeclared.items() if found and name not in OUTSIDE} == {}


def test_a_system_that_touches_what_it_does_not_declare_is_noticed():
    class Sly(System):
        phase = Phase.MEASURE

        def run(self, world: World) -> None:
            world.table.columns["Position.x"][0] += 1

    with Simulation(every_kind()) as simulation:
        simulation.pipeline.replace(simulation.world, (*simulation.pipeline.systems, Sly()))
        watch = Watch(simulation)
        simulation.pipeline.run(simulation.world, [Phase.MEASURE])
    assert watch.fetched["sly"] == {"Position"}
    assert watch.changed["sly"] == {"Position.x"}
