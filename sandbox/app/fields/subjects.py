"""What widgets of fields are about: a prefab, a system, the world. Each reads a field, and sets it by a command.

Those who are selected are a subject too: `sandbox.app.fields.members`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from components.look import Look
from components.motion import Velocity
from components.store.fields import Field, Kind, Stored
from components.store.handles import Component
from components.store.prefab import Prefab
from components.store.resources import show_field
from components.store.words import plain
from components.store.world import World
from sandbox.app.session.mod_preferences import ModPreferences
from sandbox.app.session.session import Session
from sandbox.edit import SetField, SetParameter, SetResource, Switch
from sandbox.language import said
from systems.engine.settings import Settings
from systems.engine.system import System

OWN_PLACE = frozenset(
    [f"{owner}.{axis}" for owner in ("Position", "Velocity") for axis in "xy"]
    + [f"Wall.{name}" for name in ("ax", "ay", "bx", "by", "group")]
)
"""Where someone is, and where to: each has its own, and there is none to go back to."""


class Reading(NamedTuple):
    """What a field holds, as files write it.

    Attributes:
        value: the lowest where several differ in a number, some value where they differ in something else.
        highest: the highest; the same object as `value` where all agree.
        marked: it is not as usual.
    """

    value: Any
    highest: Any
    marked: bool = False

    @property
    def mixed(self) -> bool:
        """Whether several differ."""
        return self.highest is not self.value


class Subject(ABC):
    """Somebody or something with fields.

    Attributes:
        name: tells its widgets from those of others.
    """

    session: Session
    name: str

    @abstractmethod
    def holds(self, field: Field) -> Any:
        """What the field holds now, as files write it."""

    def usual(self, field: Field) -> Any:
        """What resetting makes it, as files write it: what is declared; None where it can't be reset."""
        return field.show(field.default)

    @abstractmethod
    def write(self, field: Field, value: Any, joins: bool) -> bool:
        """Have it set to a value as files write it; returns whether that can be done."""

    def study_key(self, field: Field) -> str:
        """What studies call the field; "" where they can't vary it."""
        return ""

    def read(self, field: Field) -> Reading:
        """What the field holds now, and whether that is usual."""
        value = self.holds(field)
        return Reading(value, value, value != self.usual(field))

    def reset(self, field: Field, joins: bool) -> bool:
        """Have it set to what is usual."""
        return self.write(field, self.usual(field), joins)

    def reset_all(self, fields: Iterable[Field], joins: bool = False) -> bool:
        """Have all of these set to what is usual; returns whether something was asked for, before or now."""
        for field in fields:
            if self.read(field).marked:
                joins = self.reset(field, joins) or joins
        return joins


@dataclass(frozen=True)
class OfPrefab(Subject):
    """A prefab, and with it all its living members; usual is what the scene says, else the declared default."""

    session: Session
    name: str

    def holds(self, field: Field) -> Any:
        world = self.session.simulation.world
        return shown(field, stored_in(world.prefabs[self.name], field), world)

    def usual(self, field: Field) -> Any:
        before = self.session.simulation.scene.prefabs.get(self.name)
        return shown(field, stored_in(before, field) if before else field.default, self.session.simulation.world)

    def write(self, field: Field, value: Any, joins: bool) -> bool:
        return self.session.submit(SetField(field.key, value, prefab=self.name), joins=joins)

    def study_key(self, field: Field) -> str:
        return f"{self.name}.{field.key}"


class OfSystem(Subject):
    """The parameters of a system; usual is what the scene says, else the declared default."""

    def __init__(self, session: Session, system: System) -> None:
        self.session, self.system, self.name = session, system, system.name
        self._said = session.simulation.scene.systems.get(system.name, {})

    def holds(self, field: Field) -> Any:
        return shown(field, getattr(self.system, field.name), self.session.simulation.world)

    def usual(self, field: Field) -> Any:
        return shown(field, self._said.get(field.name, field.default), self.session.simulation.world)

    def write(self, field: Field, value: Any, joins: bool) -> bool:
        return self.session.submit(SetParameter(self.name, field.name, value), joins=joins)

    def study_key(self, field: Field) -> str:
        return f"{self.name}.{field.name}"

    def switch(self, on: bool, joins: bool = False) -> bool:
        """Have it switched on or off."""
        return self.session.submit(Switch(self.name, on), joins=joins)

    def as_scene_has_it(self, joins: bool) -> bool:
        """Have it as the scene's file says; returns whether something was asked for, before or now."""
        on = bool(self._said.get("enabled", True))
        if not self.system.essential and self.system.enabled != on:
            joins = self.switch(on, joins) or joins
        return self.reset_all(self.system.parameters.values(), joins)


class OfResource(Subject):
    """A declared resource of the world; usual is what the scene's file says."""

    def __init__(self, session: Session, kind: type[Any]) -> None:
        self.session, self.name, self._kind = session, kind.__name__, kind

    def holds(self, field: Field) -> Any:
        return self._shown(field, self.session.simulation.world.resource(self._kind))

    def usual(self, field: Field) -> Any:
        return self._shown(field, self.session.simulation.scene.resource(self._kind))

    def write(self, field: Field, value: Any, joins: bool) -> bool:
        done = self.session.submit(SetResource(field.key, value), joins=joins)
        if done and field.key in ("Settings.width", "Settings.height"):
            _tell_if_crowded(self.session, {field.name: value})
        return done

    def _shown(self, field: Field, resource: Any) -> Any:
        return show_field(field, resource.stored, tuple(self.session.simulation.world.prefabs))


def _tell_if_crowded(session: Session, sides: dict[str, float]) -> None:
    """Say so where the animals, side by side, would not find room in a world with these sides."""
    world = session.simulation.world
    settings = world.resource(Settings)
    width, height = (sides.get(name, getattr(settings, name)) for name in ("width", "height"))
    sizes = world.table.columns["Look.size"][world.table.rows(Look, Velocity)].astype(float)
    if (4 * sizes**2).sum() > width * height:
        session.messages.warn(
            said(
                "{count:,} animals find no room in a world of {width} x {height} u: undo, or place fewer.",
                count=len(sizes),
                width=plain(width),
                height=plain(height),
            )
        )


class OfSettings(Subject):
    """How the window looks: the fields of `LOOKS`."""

    def __init__(self, session: Session) -> None:
        self.session, self.name = session, "settings"

    def holds(self, field: Field) -> Any:
        return getattr(self.session.preferences, field.name)

    def write(self, field: Field, value: Any, joins: bool) -> bool:
        setattr(self.session.preferences, field.name, value)
        return True


class OfPreferences(Subject):
    """What a person likes of a mod; usual is what the mod declares. It is no edit of the world."""

    def __init__(self, session: Session, preferences: ModPreferences) -> None:
        self.session, self.name, self._preferences = session, preferences.name, preferences

    def holds(self, field: Field) -> Any:
        return field.show(self._preferences.values.stored[field.key])

    def write(self, field: Field, value: Any, joins: bool) -> bool:
        self._preferences.choose(field, value, self.session.preferences)
        return True


def shared_fields(component: type[Component]) -> list[Field]:
    """Those of a component's fields that a prefab gives its members: not where each is, nor what a tick works with."""
    return [field for field in component.fields.values() if not field.transient and field.key not in OWN_PLACE]


def stored_in(prefab: Prefab, field: Field) -> Stored:
    """What a prefab gives its members of a field."""
    stored: Stored = prefab.components.get(field.owner, {}).get(field.name, field.default)
    return stored


def shown(field: Field, stored: Any, world: World) -> Any:
    """A stored value as files write it, but a number as it is: that is done many times a frame."""
    if field.kind is Kind.NUMBER:
        return float(stored)
    if field.kind is Kind.VECTOR:
        return list(stored) if isinstance(stored, list | tuple) else [float(stored)] * 2
    return field.show(stored, tuple(world.prefabs))


def is_number(field: Field) -> bool:
    """Whether it is written as a number."""
    return field.kind in (Kind.NUMBER, Kind.INTEGER, Kind.AMOUNT)
