"""What widgets of fields are about: a prefab, a system, the world. Each reads a field, and sets it by a command.

Those who are selected are a subject too: `sandbox.app.fields.members`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from components.look import Look
from components.motion import Velocity
from components.store.fields import Field, Kind, Stored, plain
from components.store.resources import show_field
from components.store.world import Prefab, World
from sandbox.app.session.mod_preferences import ModPreferences
from sandbox.app.session.session import Session
from sandbox.edit import SetField, SetParameter, SetResource, Switch
from systems.engine.pipeline import System
from systems.engine.settings import Settings

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


class Subject(Protocol):
    """Somebody or something with fields, in a session."""

    session: Session

    @property
    def name(self) -> str:
        """Tells its widgets from those of others."""

    def read(self, field: Field) -> Reading:
        """What the field holds now."""

    def usual(self, field: Field) -> Any:
        """What resetting makes it, as files write it; None where it can't be reset."""

    def write(self, field: Field, value: Any, joins: bool) -> bool:
        """Have it set to a value as files write it; returns whether that can be done."""

    def reset(self, field: Field, joins: bool) -> bool:
        """Have it set to what is usual."""
        return self.write(field, self.usual(field), joins)


@dataclass(frozen=True)
class OfPrefab(Subject):
    """A prefab, and with it all its living members."""

    session: Session
    prefab: str

    @property
    def name(self) -> str:
        return self.prefab

    def read(self, field: Field) -> Reading:
        world = self.session.simulation.world
        stored = stored_in(world.prefabs[self.prefab], field)
        value = shown(field, stored, world)
        return Reading(value, value, stored != self._usual(field))

    def usual(self, field: Field) -> Any:
        return shown(field, self._usual(field), self.session.simulation.world)

    def _usual(self, field: Field) -> Stored:
        """What the scene says; of a prefab that it does not know, the declared default."""
        before = self.session.simulation.scene.prefabs.get(self.prefab)
        return stored_in(before, field) if before else field.default

    def write(self, field: Field, value: Any, joins: bool) -> bool:
        return self.session.submit(SetField(field.key, value, prefab=self.prefab), joins=joins)

    def as_scene_has_it(self) -> None:
        """Have every field as the scene's file says."""
        simulation, joins = self.session.simulation, False
        before = simulation.scene.prefabs[self.prefab]
        for name in simulation.world.prefabs[self.prefab].components:
            for field in simulation.world.table.components[name].fields.values():
                if field.transient or field.key in OWN_PLACE:
                    continue
                if stored_in(before, field) != stored_in(simulation.world.prefabs[self.prefab], field):
                    joins = self.write(field, shown(field, stored_in(before, field), simulation.world), joins) or joins


@dataclass(frozen=True)
class OfSystem(Subject):
    """The parameters of a system."""

    session: Session
    system: System

    @property
    def name(self) -> str:
        return self.system.name

    def read(self, field: Field) -> Reading:
        stored = getattr(self.system, field.name)
        value = shown(field, stored, self.session.simulation.world)
        return Reading(value, value, stored != field.default)

    def usual(self, field: Field) -> Any:
        return shown(field, field.default, self.session.simulation.world)

    def write(self, field: Field, value: Any, joins: bool) -> bool:
        return self.session.submit(SetParameter(self.system.name, field.name, value), joins=joins)

    def switch(self, on: bool, joins: bool = False) -> bool:
        """Have it switched on or off."""
        return self.session.submit(Switch(self.system.name, on), joins=joins)

    def as_scene_has_it(self, joins: bool) -> bool:
        """Have it as the scene's file says; returns whether something of that was asked for."""
        values = self.session.simulation.scene.systems.get(self.system.name, {})
        done = False
        on = bool(values.get("enabled", True))
        if not self.system.essential and self.system.enabled != on:
            done = self.switch(on, joins)
        for field in self.system.parameters.values():
            stored = values.get(field.name, field.default)
            if getattr(self.system, field.name) != stored:
                done = self.write(field, shown(field, stored, self.session.simulation.world), joins or done) or done
        return done


@dataclass(frozen=True)
class OfResource(Subject):
    """A declared resource of the world; usual is what the scene's file says."""

    session: Session
    kind: type[Any]

    @property
    def name(self) -> str:
        return self.kind.__name__

    def read(self, field: Field) -> Reading:
        value = self._shown(field, self.session.simulation.world.resource(self.kind))
        return Reading(value, value, value != self.usual(field))

    def usual(self, field: Field) -> Any:
        return self._shown(field, self.session.simulation.scene.resource(self.kind))

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
            f"{len(sizes):,} animals find no room in a world of {plain(width)} x {plain(height)} u: undo, or place "
            "fewer."
        )


@dataclass(frozen=True)
class OfSettings(Subject):
    """How the window looks: the fields of `LOOKS`."""

    session: Session
    name = "settings"

    def read(self, field: Field) -> Reading:
        value = getattr(self.session.preferences, field.name)
        return Reading(value, value, value != self.usual(field))

    def usual(self, field: Field) -> Any:
        return field.show(field.default)

    def write(self, field: Field, value: Any, joins: bool) -> bool:
        setattr(self.session.preferences, field.name, value)
        return True


@dataclass(frozen=True)
class OfPreferences(Subject):
    """What a person likes of a mod; usual is what the mod declares. It is no edit of the world."""

    session: Session
    preferences: ModPreferences

    @property
    def name(self) -> str:
        return self.preferences.name

    def read(self, field: Field) -> Reading:
        value = field.show(self.preferences.values.stored[field.key])
        return Reading(value, value, not self.preferences.is_usual(field))

    def usual(self, field: Field) -> Any:
        return field.show(field.default)

    def write(self, field: Field, value: Any, joins: bool) -> bool:
        self.preferences.choose(field, value, self.session.preferences)
        return True


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
