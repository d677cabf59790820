"""What a system is, and the phases of a tick."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from enum import IntEnum
from typing import Any, ClassVar

import esper

from components.store.fields import Field, Kind, declared
from components.store.handles import Component
from components.store.table import EntityTable
from components.store.world import World


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
    _changes: ClassVar[tuple[str, ...]]  # components

    def __init_subclass__(cls) -> None:
        cls.name = "".join(f"_{c.lower()}" if c.isupper() else c for c in cls.__name__).strip("_")
        cls.parameters = declared(cls)
        if grids := [field.key for field in cls.parameters.values() if field.kind is Kind.GRID]:
            raise ValueError(f"{grids[0]}: only a resource can hold a grid")
        changed = (what for what in (*cls.writes, *cls.adds) if isinstance(what, str) or issubclass(what, Component))
        names = (what if isinstance(what, str) else what.__name__ for what in changed)
        cls._changes = tuple({name.partition(".")[0]: None for name in names})

    def __init__(self) -> None:
        self.enabled = True
        self.nanoseconds = 0
        self._idle, self._idle_at = False, 0  # whether nobody had what it needs, at this version of the table's lists
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
        if self.enabled and not (self.needs and self._is_idle(world.table)):
            begin = time.perf_counter_ns()
            self._perform(world)
            self.nanoseconds += time.perf_counter_ns() - begin

    def perform(self, world: World) -> None:
        """`run`, under its guard if it has one, unless it is switched off or nobody has what it needs."""
        if self.enabled and not (self.needs and self._is_idle(world.table)):
            self._perform(world)

    def _perform(self, world: World) -> None:
        if self.guard is not None:
            self.guard(self, world)
            return
        try:
            self.run(world)
        finally:
            if self._changes:
                world.table.changed(*self._changes)

    def _is_idle(self, table: EntityTable) -> bool:
        if self._idle_at != table.lists_version:
            self._idle, self._idle_at = not len(table.rows(*self.needs)), table.lists_version
        return self._idle

    @property
    def stored(self) -> dict[str, Any]:
        """Whether it is on, and its parameters by name."""
        return {name: getattr(self, name) for name in ("enabled", *self.parameters)}

    @stored.setter
    def stored(self, values: Mapping[str, Any]) -> None:
        for name, value in values.items():
            setattr(self, name, value)
