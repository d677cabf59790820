"""The base class of systems, and the phases of a tick."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from enum import IntEnum
from typing import Any, ClassVar

import esper

from components.store.declare import refuse_wide
from components.store.fields import Field, Kind, declared
from components.store.handles import Component, parsed
from components.store.words import Words
from components.store.world import World


class Phase(IntEnum):
    """The stages of a tick, in their order.

    COMMANDS: edits by people. SENSE: spatial indexes and perception. STEER: adds to the acceleration. MOVE: velocities
    and positions. LIFE: feeding, energy, births and deaths. COMMIT: rows move. MEASURE: measures, on request. RENDER:
    before a frame is drawn.
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


class Chosen:
    """The descriptor of a parameter that is a choice: it reads as its word, and `stored` has its number."""

    def __init__(self, field: Field) -> None:
        self._field, self._words = field, Words(field)

    def __get__(self, system: System | None, owner: type) -> Any:
        return self._field if system is None else self._words[vars(system)[self._field.name]]

    def __set__(self, system: System, value: object) -> None:
        vars(system)[self._field.name] = parsed(self._field, value)


ORDERS, TOUCHED, NEEDED = (str, '("flocking",)'), (str | type, '(Velocity, "Energy.level")'), (type, "(Velocity,)")
DECLARED: Mapping[str, tuple[Any, str]] = {
    "reads": TOUCHED, "writes": TOUCHED, "adds": TOUCHED, "before": ORDERS, "after": ORDERS, "needs": NEEDED
}  # fmt: skip
"""What a system may say of itself, the type of each element, and an example."""
PLACE = "Position.x", "Position.y", "Position.z"  # flat worlds have no z
PLACES = {"Position", *PLACE}


def _refuse_wrong_declaration(system: type[System]) -> None:
    name: object = system.name
    if not isinstance(name, str) or not name.isidentifier():
        raise TypeError(f'system {system.__name__}: name = {name!r:.60}: must be a name like "cost_of_living"')
    for name, (kind, right) in DECLARED.items():
        given: object = getattr(system, name)
        if not isinstance(given, tuple | list) or not all(isinstance(each, kind) for each in given):
            raise TypeError(f"system {system.name}: {name} = {given!r:.60}: must be a tuple like {right}")
    written = {what if isinstance(what, str) else what.__name__ for what in system.writes}
    if getattr(system, "phase", None) is Phase.SENSE and (moved := written & PLACES):
        raise ValueError(
            f"system {system.name} writes {min(moved)} in SENSE, where the spatial indexes are built: "
            "move entities in MOVE or LIFE"
        )


def _components(*touched: type | str) -> dict[str, None]:
    """Return the names of the components among classes and fields, each once."""
    some = (what for what in touched if isinstance(what, str) or issubclass(what, Component))
    return {(what if isinstance(what, str) else what.__name__).partition(".")[0]: None for what in some}


class System(esper.Processor, ABC):
    """What happens in a tick to all entities that have certain components.

    A system declares what it reads, writes and adds to: component or resource classes, or single fields as strings
    ("Motion.acceleration"). A system that works on all components of an entity declares `EntityTable`, which conflicts
    with no component. Fields declared like a component's are its parameters, and its only state.

    Attributes:
        phase: the phase in which it runs.
        reads, writes, adds: the data that it reads, sets, and only adds to.
        before, after: names of systems of its phase. If a system changes data that another one touches, and they do not
            both only add to it, one of them must declare the order.
        needs: components; the system does not run while no entity has all of them.
        components: the names of the components that it reads, writes or adds to, in order.
        parameters: its declared fields by name; each is an attribute of the system too, a choice as its word.
        essential: it can't be disabled, because other systems rely on it.
        name: its name in files and messages: "cost_of_living" for the class `CostOfLiving`, unless the class states it.
        changes: the names of the components that it writes or adds to.
        enabled: whether it runs.
    """

    phase: ClassVar[Phase]
    reads: ClassVar[tuple[type | str, ...]] = ()
    writes: ClassVar[tuple[type | str, ...]] = ()
    adds: ClassVar[tuple[type | str, ...]] = ()
    before: ClassVar[tuple[str, ...]] = ()
    after: ClassVar[tuple[str, ...]] = ()
    needs: ClassVar[tuple[type, ...]] = ()
    components: ClassVar[tuple[str, ...]] = ()
    parameters: ClassVar[Mapping[str, Field]] = {}
    essential: ClassVar[bool] = False
    name: ClassVar[str]
    changes: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        if "name" not in vars(cls):
            cls.name = "".join(f"_{c.lower()}" if c.isupper() else c for c in cls.__name__).strip("_")
        _refuse_wrong_declaration(cls)
        cls.parameters = declared(cls)
        refuse_wide(cls.parameters.values())
        if others := [
            field.key for field in cls.parameters.values() if field.kind in (Kind.GRID, Kind.TEXT, Kind.LIST)
        ]:
            raise ValueError(f"{others[0]}: only a resource can hold a grid, text or list")
        for name, field in cls.parameters.items():
            if field.kind is Kind.CHOICE:
                setattr(cls, name, Chosen(field))
        cls.components = tuple(sorted(_components(*cls.reads, *cls.writes, *cls.adds)))
        cls.changes = tuple(_components(*cls.writes, *cls.adds))

    def __init__(self) -> None:
        self.enabled = True
        self.nanoseconds = 0
        self.guard: Callable[[System, World], None] | None = None  # runs a mod's system
        for name, field in self.parameters.items():
            setattr(self, name, field.default)

    @property
    def about(self) -> str:
        """A description: the first paragraph of its docstring, in one line; its name if it has none."""
        first = (type(self).__doc__ or "").strip().split("\n\n")[0]
        return " ".join(first.split()) or f"The system {self.name}."

    @abstractmethod
    def run(self, world: World) -> None:
        """Process all entities at once."""

    def applies(self, world: World) -> bool:
        """Return whether there is anything to do, besides the components that it needs; if not, it does not run."""
        return True

    def process(self, world: World) -> None:
        """Call `perform`, and measure its time; esper calls this."""
        if self._is_idle(world):
            return
        begin = time.perf_counter_ns()
        self._perform(world)
        self.nanoseconds += time.perf_counter_ns() - begin

    def perform(self, world: World) -> None:
        """Call `run`, by its guard if it has one, unless the system is disabled or there is nothing to do."""
        if not self._is_idle(world):
            self._perform(world)

    def _is_idle(self, world: World) -> bool:
        return not self.enabled or (bool(self.needs) and not len(world.table.rows(*self.needs)))

    def _perform(self, world: World) -> None:
        if self.guard is not None:
            self.guard(self, world)
        elif self.applies(world):
            try:
                self.run(world)
            finally:
                if self.changes:
                    world.table.changed(*self.changes)

    @property
    def stored(self) -> dict[str, Any]:
        """The system's parameters by name, and whether it runs as "enabled"."""
        return {name: vars(self)[name] for name in ("enabled", *self.parameters)}

    @stored.setter
    def stored(self, values: Mapping[str, Any]) -> None:
        for name, value in values.items():
            setattr(self, name, value)
