"""The order of a tick.

    COMMANDS  what people asked for since the last tick, one after another
    SENSE     keep previous positions, build the indexes, perception
    STEER     each system adds to the acceleration
    MOVE      integrate, clamp the speed, collide, edges
    LIFE      feeding, energy, ageing, births, deaths (queued)
    COMMIT    spawn and despawn; after COMMANDS, rows move here alone
    MEASURE   order parameters, populations
    RENDER    what is to be drawn, as plain arrays; runs when a frame is drawn, not in the tick

Within a phase systems run in the order in which they were installed, but each after those that `before` and `after`
put before it. Of two systems where one writes what the other reads or writes, one must say so, or the pipeline refuses
to start; systems that only add to the same column need not. `before` and `after` may name systems that are not
installed.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from enum import IntEnum
from graphlib import CycleError, TopologicalSorter
from typing import Any, ClassVar, TypeVar

import esper

from components.store.fields import Field, declared, did_you_mean
from components.store.table import ComponentType
from components.store.world import World
from systems.engine.threads import suited_to


class Phase(IntEnum):
    """The parts of a tick, in their order.

    COMMANDS: what people asked for. SENSE: indexes and perception. STEER: adds to the acceleration. MOVE: velocities
    and places. LIFE: feeding, energy, births and deaths. COMMIT: rows move. MEASURE: when someone wants to know.
    RENDER: before a frame is drawn.
    """

    COMMANDS = 0
    SENSE = 1
    STEER = 2
    MOVE = 3
    LIFE = 4
    COMMIT = 5
    MEASURE = 6
    RENDER = 7


S = TypeVar("S", bound="System | type[System]")
WHILE_PAUSED = (Phase.COMMANDS, Phase.COMMIT)


class System(esper.Processor, ABC):
    """What happens to all entities of a kind in a tick.

    It says what it touches: component or resource classes, or single fields as strings ("Motion.acceleration"). One
    that takes all components of an entity along says `EntityTable`, about which order is not asked. Its
    parameters are fields declared like a component's. It holds no other state: a snapshot would miss it.

    Attributes:
        phase: when in a tick it runs.
        reads, writes, adds: what it reads, sets, and only adds to.
        before, after: names of systems of its phase. Of two that touch the same, and not both only add, one must say.
        needs: components; while nobody has all of them it does not run.
        parameters: its declared fields by name; each is an attribute of the system too.
        essential: others rely on it: it can't be switched off.
        name: what files and people call it: of `CostOfLiving` "cost_of_living".
        enabled: it is switched on.
    """

    phase: ClassVar[Phase]
    reads: ClassVar[tuple[type | str, ...]] = ()
    writes: ClassVar[tuple[type | str, ...]] = ()
    adds: ClassVar[tuple[type | str, ...]] = ()
    before: ClassVar[tuple[str, ...]] = ()
    after: ClassVar[tuple[str, ...]] = ()
    needs: ClassVar[tuple[type, ...]] = ()
    parameters: ClassVar[Mapping[str, Field]] = {}
    essential: ClassVar[bool] = False
    name: ClassVar[str]
    _changes: ClassVar[frozenset[str]]  # components, and resources

    def __init_subclass__(cls) -> None:
        cls.name = "".join(f"_{c.lower()}" if c.isupper() else c for c in cls.__name__).strip("_")
        cls.parameters = declared(cls)
        touched = [what if isinstance(what, str) else what.__name__ for what in (*cls.writes, *cls.adds)]
        cls._changes = frozenset(name.partition(".")[0] for name in touched)

    def __init__(self) -> None:
        self.enabled = True
        self.nanoseconds = 0
        self.guard: Callable[[System, World], None] | None = None  # runs a system that may do harm
        for name, field in self.parameters.items():
            setattr(self, name, field.default)

    @property
    def about(self) -> str:
        """What it does: the first paragraph of its own docstring, in one line; its name where there is none."""
        first = (type(self).__doc__ or "").strip().split("\n\n")[0]
        return " ".join(first.split()) or f"The system {self.name}."

    @abstractmethod
    def run(self, world: World) -> None:
        """Do it, for all entities at once."""

    def process(self, world: World) -> None:
        """What esper calls: `perform`, timed."""
        if not self.enabled:
            return
        begin = time.perf_counter_ns()
        if not self.needs or len(world.table.rows(*self.needs)):
            self.perform(world)
        self.nanoseconds += time.perf_counter_ns() - begin

    def perform(self, world: World) -> None:
        """`run`, under its guard if it has one, unless switched off."""
        if not self.enabled:
            return
        if self.guard is not None:
            self.guard(self, world)
            return
        try:
            self.run(world)
        finally:
            world.table.changed(*self._changes & world.table.versions.keys())

    @property
    def stored(self) -> dict[str, Any]:
        """Whether it is on, and its parameters by name."""
        return {name: getattr(self, name) for name in ("enabled", *self.parameters)}

    @stored.setter
    def stored(self, values: Mapping[str, Any]) -> None:
        for name, value in values.items():
            setattr(self, name, value)


class Pipeline:
    """The systems of a world in their resolved order, as processors of its esper world."""

    def __init__(self, world: World, systems: Iterable[System]) -> None:
        """Raises what `replace` does."""
        self.systems: tuple[System, ...] = ()
        self.replace(world, systems)

    def replace(self, world: World, systems: Iterable[System]) -> None:
        """Run these from now on.

        Raises:
            ValueError: two of a name, a circle, an ambiguity, or a field that no component has; then all stays.
        """
        resolved = resolve(systems)
        refuse_unknown_fields(resolved, world.table.components.values())
        world.enter()
        for system in self.systems:
            esper.remove_processor(type(system))
        self.systems, self.by_name = resolved, {system.name: system for system in resolved}
        for place, system in enumerate(resolved):
            if system.phase is not Phase.RENDER:
                esper.add_processor(system, priority=-place)

    @property
    def stored(self) -> dict[str, Any]:
        """Of each system whether it is on, and its parameters: by names like "commit.reorder_every"."""
        return {f"{system.name}.{name}": value for system in self.systems for name, value in system.stored.items()}

    @stored.setter
    def stored(self, values: Mapping[str, Any]) -> None:
        for key, value in values.items():
            system, _, name = key.rpartition(".")
            if system in self.by_name:
                self.by_name[system].stored = {name: value}

    def tick(self, world: World) -> None:
        """All phases once."""
        world.enter()
        world.begin_tick()
        with suited_to(world.table.size):
            esper.process(world)

    def run(self, world: World, phases: Iterable[Phase]) -> None:
        """Only the systems of these phases: COMMANDS and COMMIT while paused, RENDER for a frame."""
        wanted = set(phases)
        world.enter()
        with suited_to(world.table.size):
            for system in self.systems:
                if system.phase in wanted:
                    system.process(world)


def refuse_unknown_fields(systems: Iterable[System | type[System]], components: Iterable[ComponentType]) -> None:
    """Raises ValueError where a system touches a field that none of these has: a misspelt one would hide a conflict."""
    keys = {field.key for component in components for field in component.fields.values()}
    for system in systems:
        for name in (*system.reads, *system.writes, *system.adds):
            if isinstance(name, str) and name not in keys:
                near = did_you_mean(name, keys)
                raise ValueError(f"system {system.name} touches {name!r}, a field that no component has{near}")


def refuse_unknown_systems(systems: Iterable[type[System]], known: Iterable[type[System]]) -> None:
    """Raises ValueError when a system is to stand before or after one that is not known, or of another phase."""
    phases = {system.name: system.phase for system in known}
    for system in systems:
        for name in (*system.before, *system.after):
            if name not in phases:
                near = did_you_mean(name, phases)
                raise ValueError(f"system {system.name} stands before or after {name!r}: there is no such system{near}")
            if phases[name] is not system.phase:
                raise ValueError(
                    f"system {system.name} stands before or after {name!r}, which runs in {phases[name].name}: "
                    f"in {system.phase.name} only the order of systems of {system.phase.name} can be said"
                )


def resolve(systems: Iterable[S]) -> tuple[S, ...]:
    """The systems, or classes of systems, in the order they will run.

    Raises:
        ValueError: two systems of a name, a circle, or an ambiguity.
    """
    ordered: list[S] = []
    installed = list(systems)
    names = [system.name for system in installed]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"two systems are called {name}: rename one")
    for phase in Phase:
        ordered += _ordered_phase([system for system in installed if system.phase is phase])
    return tuple(ordered)


def _ordered_phase(systems: list[S]) -> list[S]:
    place = {system.name: index for index, system in enumerate(systems)}
    follows: dict[str, set[str]] = {system.name: set() for system in systems}
    for system in systems:
        for other in system.before:
            if other in follows:
                follows[other].add(system.name)
        follows[system.name] |= {other for other in system.after if other in follows}
    try:
        TopologicalSorter(follows).prepare()
    except CycleError as error:
        raise ValueError(f"circular order: {' -> '.join(error.args[1])}") from None
    _refuse_ambiguity(systems, follows)
    order: dict[str, S] = {}

    def place_after_its_own(name: str) -> None:
        if name not in order:
            for other in sorted(follows[name], key=lambda other: place[other]):
                place_after_its_own(other)
            order[name] = systems[place[name]]

    for system in systems:
        place_after_its_own(system.name)
    return list(order.values())


def _refuse_ambiguity(systems: list[S], follows: Mapping[str, set[str]]) -> None:
    earlier = {name: _all_before(name, follows) for name in follows}
    for index, one in enumerate(systems):
        for other in systems[index + 1 :]:
            if one.name in earlier[other.name] or other.name in earlier[one.name]:
                continue
            if shared := _conflict(one, other) or _conflict(other, one):
                raise ValueError(
                    f"systems {one.name} and {other.name} both touch {shared} in {one.phase.name} and neither says "
                    f"which goes first: declare `before` or `after`"
                )


def _all_before(name: str, follows: Mapping[str, set[str]]) -> set[str]:
    found: set[str] = set()
    waiting = [name]
    while waiting:
        for other in follows[waiting.pop()]:
            if other not in found:
                found.add(other)
                waiting.append(other)
    return found


def _conflict(one: S, other: S) -> str | None:
    """What `one` changes and `other` touches in a way that depends on who goes first."""
    for touched in one.writes:
        for seen in (*other.reads, *other.writes, *other.adds):
            if shared := _overlap(touched, seen):
                return shared
    for touched in one.adds:
        for seen in other.reads:
            if shared := _overlap(touched, seen):
                return shared
    return None


def _overlap(one: Any, other: Any) -> str | None:
    """The narrower of two names when one holds the other: Motion holds "Motion.acceleration"."""
    a, b = (thing if isinstance(thing, str) else thing.__name__ for thing in (one, other))
    if a == b or a.startswith(f"{b}."):
        return a
    return b if b.startswith(f"{a}.") else None
