"""Subjects of field widgets: a prefab, a system, a resource ... Each reads its fields and sets them, by commands.

The selected entities are a subject too: `sandbox.app.fields.selected_entities`.
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
from sandbox.language import translate
from systems.engine.settings import Settings
from systems.engine.system import System

OWN_PLACE = frozenset(
    [f"{owner}.{axis}" for owner in ("Position", "Velocity") for axis in "xy"]
    + [f"Wall.{name}" for name in ("ax", "ay", "bx", "by", "group")]
)
"""Fields that each entity has for itself, such as its place and velocity; they have no usual value to reset to."""


class Reading(NamedTuple):
    """The present value of a field, as files write it; of several entities, the range of values.

    Attributes:
        value: the value; the lowest if numbers differ, one of them if other values differ.
        highest: the highest value; the same object as `value` if all are equal.
        marked: it differs from the usual value.
    """

    value: Any
    highest: Any
    marked: bool = False

    @property
    def mixed(self) -> bool:
        """Whether the values differ."""
        return self.highest is not self.value


class Subject(ABC):
    """The base class of things whose fields widgets edit.

    Attributes:
        name: makes the ids of its widgets unique.
    """

    session: Session
    name: str

    @abstractmethod
    def holds(self, field: Field) -> Any:
        """Return the present value of a field, as files write it."""

    def usual(self, field: Field) -> Any:
        """Return the value to which a reset sets the field, by default the declared one; None: it can't be reset."""
        return field.show(field.default)

    @abstractmethod
    def write(self, field: Field, value: Any, joins: bool) -> bool:
        """Set a field to a value as files write it; return whether that was accepted.

        `joins`: undo it together with the command before.
        """

    def set_key(self, field: Field) -> str:
        """Return the key of the field for `--set`; "" if it has none."""
        return ""

    def read(self, field: Field) -> Reading:
        """Return the present value, and whether it differs from the usual one."""
        value = self.holds(field)
        return Reading(value, value, value != self.usual(field))

    def reset(self, field: Field, joins: bool) -> bool:
        """Set a field to its usual value; return whether that was accepted."""
        return self.write(field, self.usual(field), joins)

    def reset_all(self, fields: Iterable[Field], joins: bool = False) -> bool:
        """Reset all marked fields in one undo step; return whether the next command should join that step."""
        for field in fields:
            if self.read(field).marked:
                joins = self.reset(field, joins) or joins
        return joins


@dataclass(frozen=True)
class OfPrefab(Subject):
    """A prefab with its living members; the usual value is that of the scene, else the declared default."""

    session: Session
    name: str

    def holds(self, field: Field) -> Any:
        world = self.session.simulation.world
        return shown(field, stored_in(world.prefabs[self.name], field), world)

    def usual(self, field: Field) -> Any:
        before = self.session.simulation.scene.usual_prefabs.get(self.name)
        return shown(field, stored_in(before, field) if before else field.default, self.session.simulation.world)

    def write(self, field: Field, value: Any, joins: bool) -> bool:
        return self.session.submit(SetField(field.key, value, prefab=self.name), joins=joins)

    def set_key(self, field: Field) -> str:
        return f"{self.name}.{field.key}"


class OfSystem(Subject):
    """The parameters of a system; the usual value is that of the scene, else the declared default."""

    def __init__(self, session: Session, system: System) -> None:
        self.session, self.system, self.name = session, system, system.name
        self._said = session.simulation.scene.systems.get(system.name, {})

    def holds(self, field: Field) -> Any:
        return shown(field, self.system.stored[field.name], self.session.simulation.world)

    def usual(self, field: Field) -> Any:
        return shown(field, self._said.get(field.name, field.default), self.session.simulation.world)

    def write(self, field: Field, value: Any, joins: bool) -> bool:
        return self.session.submit(SetParameter(self.name, field.name, value), joins=joins)

    def set_key(self, field: Field) -> str:
        return f"{self.name}.{field.name}"

    def switch(self, on: bool, joins: bool = False) -> bool:
        """Switch the system on or off; return whether that was accepted."""
        return self.session.submit(Switch(self.name, on), joins=joins)

    def as_scene_has_it(self, joins: bool) -> bool:
        """Reset the switch and all parameters; return whether the next command should join the undo step."""
        on = bool(self._said.get("enabled", True))
        if not self.system.essential and self.system.enabled != on:
            joins = self.switch(on, joins) or joins
        return self.reset_all(self.system.parameters.values(), joins)


class OfResource(Subject):
    """A declared resource of the world; the usual value is that of the scene."""

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
    """Show a warning if the animals, side by side, would not fit into a world with these sides."""
    world = session.simulation.world
    settings = world.resource(Settings)
    width, height = (sides.get(name, getattr(settings, name)) for name in ("width", "height"))
    sizes = world.table.columns["Look.size"][world.table.rows(Look, Velocity)].astype(float)
    if (4 * sizes**2).sum() > width * height:
        session.messages.warn(
            translate(
                "There is no room for {count:,} animals in a world of {width} x {height} u: undo, or place fewer.",
                count=len(sizes),
                width=plain(width),
                height=plain(height),
            )
        )


class OfSettings(Subject):
    """The preferences for the look of the window: the fields of `LOOKS`."""

    def __init__(self, session: Session) -> None:
        self.session, self.name = session, "settings"

    def holds(self, field: Field) -> Any:
        return getattr(self.session.preferences, field.name)

    def write(self, field: Field, value: Any, joins: bool) -> bool:
        setattr(self.session.preferences, field.name, round(value, 2) if isinstance(value, float) else value)
        return True


class OfPreferences(Subject):
    """The preferences of a mod; the usual value is the declared one. Changing them does not edit the world."""

    def __init__(self, session: Session, preferences: ModPreferences) -> None:
        self.session, self.name, self._preferences = session, preferences.name, preferences

    def holds(self, field: Field) -> Any:
        return field.show(self._preferences.values.stored[field.key])

    def write(self, field: Field, value: Any, joins: bool) -> bool:
        self._preferences.choose(field, value, self.session.preferences)
        return True


def shared_fields(component: type[Component]) -> list[Field]:
    """Return the fields of a component that prefabs set: neither transient ones nor those in OWN_PLACE."""
    return [field for field in component.fields.values() if not field.transient and field.key not in OWN_PLACE]


def stored_in(prefab: Prefab, field: Field) -> Stored:
    """Return the stored value that a prefab gives its members."""
    stored: Stored = prefab.components.get(field.owner, {}).get(field.name, field.default)
    return stored


def shown(field: Field, stored: Any, world: World) -> Any:
    """Return a stored value as files write it, but numbers unrounded, because this runs many times per frame."""
    if field.kind is Kind.NUMBER:
        return float(stored)
    if field.kind is Kind.VECTOR:
        return list(stored) if isinstance(stored, list | tuple) else [float(stored)] * 2
    return field.show(stored, tuple(world.prefabs))


def is_number(field: Field) -> bool:
    """Return whether the field is written as a number."""
    return field.kind in (Kind.NUMBER, Kind.INTEGER, Kind.AMOUNT)
