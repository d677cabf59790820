"""Every edit a person can make, as data: carried out between ticks, and logged with the tick.

A command is checked when it is submitted and carried out in COMMANDS of the next tick; while the world is paused,
COMMANDS and COMMIT run alone. Each is carried out whole before the next, entities and all, and what else runs in
COMMANDS runs after each: so it is all the same whether commands come together or one by one, and while the world
runs or stands, and what replays a log gets the same world.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np

from components.flock import EVERYONE
from components.motion import Position
from components.store.fields import Field, Stored, nearest
from components.store.world import World
from components.terrain import Wall
from sandbox.scene import MOST_ENTITIES, NO_MEAN_PLACE, NO_MOVING_OBSTACLE, Entry, is_moving_obstacle, spawn_entry
from sandbox.touched import touched
from systems.core.install import App
from systems.core.pipeline import Phase, Pipeline, System
from systems.core.settings import Settings


class Command(Protocol):
    """An edit: `check` raises ValueError with what would be right, `apply` then can't fail."""

    def check(self, world: World) -> None: ...

    def apply(self, world: World) -> None: ...


@dataclass(frozen=True)
class Spawn:
    """Place entities: what an entry of a scene file says."""

    entry: Entry

    def check(self, world: World) -> None:
        _known_prefab(world, self.entry.prefab)
        waiting = world.resource(CommandQueue).waiting
        asked_for = sum(command.entry.entities for command in waiting if isinstance(command, Spawn))
        room = MOST_ENTITIES - world.table.size - asked_for
        if not 0 <= self.entry.entities <= room:
            raise ValueError(f"count = {self.entry.entities}: there is room for {room:,} more entities")
        for key, numbers in (("Position.x", self.entry.at), ("Velocity.x", self.entry.velocity)):
            for place in numbers or ():
                find_field(world, key).parse(place)
        given = (key.split(".", 1)[0] for key in self.entry.values)
        if is_moving_obstacle((*world.prefabs[self.entry.prefab].components, *given)):
            raise ValueError(NO_MOVING_OBSTACLE)
        for key, value in self.entry.values.items():
            find_field(world, key)
            _refuse_everyone(world, key, value)

    def apply(self, world: World) -> None:
        spawn_entry(world, self.entry)


@dataclass(frozen=True)
class Despawn:
    """Remove these entities; those already gone are passed over."""

    serials: tuple[int, ...]

    def check(self, world: World) -> None:
        pass

    def apply(self, world: World) -> None:
        world.despawn(np.array(self.serials, np.int64))


@dataclass(frozen=True)
class Erase:
    """Remove every entity of one prefab, or of any, whose position or some of whose wall lies within a circle (u)."""

    x: float
    y: float
    radius: float
    prefab: str | None = None

    def check(self, world: World) -> None:
        if self.prefab is not None:
            _known_prefab(world, self.prefab)

    def apply(self, world: World) -> None:
        rows = touched(world, self.x, self.y, self.radius)
        if self.prefab is not None:
            rows = rows[world.table.prefab[rows] == world.prefab_index(self.prefab)]
        world.despawn_rows(rows)


@dataclass(frozen=True)
class SetField:
    """Set a field ("Flocker.cohesion_strength") of one entity, or of a prefab and all its living members.

    Attributes:
        value: as a scene file writes it.
        serial: the one entity; or `prefab`: the prefab; neither: every prefab that has the component.
    """

    key: str
    value: Any
    serial: int | None = None
    prefab: str | None = None

    def check(self, world: World) -> None:
        declared, stored = self._parsed(world)
        _refuse_everyone(world, declared.key, stored)
        if self.prefab is not None:
            _known_prefab(world, self.prefab)
        if self.serial is not None and world.table.rows_of(np.array([self.serial]))[0] < 0:
            raise ValueError(f"there is no entity {self.serial}")

    def apply(self, world: World) -> None:
        declared, stored = self._parsed(world)
        table = world.table
        rows = table.rows(table.components[declared.owner])
        if self.serial is not None:
            rows = rows[table.serial[rows] == self.serial]
        else:
            chosen = [self.prefab] if self.prefab is not None else list(world.prefabs)
            for name in chosen:
                prefab = world.prefabs[name]
                if declared.owner in prefab.components:
                    fields = {**prefab.components[declared.owner], declared.name: stored}
                    world.prefabs[name] = replace(prefab, components={**prefab.components, declared.owner: fields})
            rows = rows[np.isin(table.prefab[rows], [world.prefab_index(name) for name in chosen])]
        for column in declared.columns:
            table.columns[column][rows] = stored

    def _parsed(self, world: World) -> tuple[Field, Any]:
        declared = find_field(world, self.key)
        try:
            return declared, declared.parse(self.value, {name: n for n, name in enumerate(world.prefabs)})
        except ValueError as error:
            raise ValueError(f"{self.key} = {self.value!r}: {error}") from None


@dataclass(frozen=True)
class SetParameter:
    """Set a parameter of a system."""

    system: str
    name: str
    value: Any

    def check(self, world: World) -> None:
        self._parsed(world)

    def apply(self, world: World) -> None:
        setattr(*self._parsed(world))

    def _parsed(self, world: World) -> tuple[System, str, Stored]:
        system = find_system(world, self.system)
        if self.name not in system.parameters:
            raise ValueError(
                f"system {self.system} has no parameter {self.name!r}{_near(self.name, system.parameters)}"
            )
        try:
            return system, self.name, system.parameters[self.name].parse(self.value)
        except ValueError as error:
            raise ValueError(f"{self.system}.{self.name} = {self.value!r}: {error}") from None


@dataclass(frozen=True)
class Switch:
    """Switch a system on or off."""

    system: str
    on: bool

    def check(self, world: World) -> None:
        if find_system(world, self.system).essential:
            raise ValueError(f"system {self.system} can't be switched off: the world needs it")
        if not isinstance(self.on, bool):
            raise ValueError(f"{self.system} = {self.on!r}: must be true or false")

    def apply(self, world: World) -> None:
        find_system(world, self.system).enabled = self.on


@dataclass
class CommandQueue:
    """Commands that wait for the next tick, and all that were carried out, each with its tick."""

    waiting: list[Command] = field(default_factory=list)
    log: list[tuple[int, Command]] = field(default_factory=list)


class Commands(System):
    """Carries out what people asked for since the last tick."""

    phase = Phase.COMMANDS
    essential = True
    before = ("push_out",)

    def run(self, world: World) -> None:
        queue = world.resource(CommandQueue)
        others = [s for s in world.resource(Pipeline).systems if s.phase is self.phase and s is not self]
        while queue.waiting:
            command = queue.waiting.pop(0)
            world.begin_tick()
            command.apply(world)
            world.commit()
            queue.log.append((world.tick, command))
            for system in others:
                system.process(world)
        world.begin_tick()


def find_field(world: World, key: str) -> Field:
    """The declaration of "Component.field".

    Raises:
        ValueError: naming the nearest known one.
    """
    fields = (f for component in world.table.components.values() for f in component.fields.values())
    known = {field.key: field for field in fields if not field.transient}
    if key not in known:
        raise ValueError(f"there is no field {key!r}{_near(key, known)}")
    declared: Field = known[key]
    return declared


def find_system(world: World, name: str) -> System:
    """An installed system by its name.

    Raises:
        ValueError: naming the nearest known one.
    """
    systems = world.resource(Pipeline).by_name
    if name not in systems:
        raise ValueError(f"there is no system {name!r}{_near(name, systems)}")
    return systems[name]


def _known_prefab(world: World, name: str) -> None:
    if name not in world.prefabs:
        raise ValueError(f"there is no prefab {name!r}{_near(name, world.prefabs)}")


def _refuse_everyone(world: World, key: str, stored: object) -> None:
    if key == "Perception.reach" and stored == EVERYONE and world.resource(Settings).torus:
        raise ValueError(f"{key} = 'everyone': {NO_MEAN_PLACE}")


def _near(word: str, known: Any) -> str:
    names: Sequence[str] = tuple(known)
    close = nearest(word, list(names))
    return f"; did you mean {close!r}?" if close else ""


def install(app: App) -> None:
    app.add_component(Position, Wall)
    app.add_system(Commands())
