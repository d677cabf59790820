"""What a widget edits: a `Binding` of a field of a prefab, a system, a resource ..., which sets it by a command.

The selected entities are bound in `sandbox.app.fields.selected_entities`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from components.look import Look
from components.motion import Velocity
from components.store.fields import DEEP, Field, Kind, Stored
from components.store.handles import Component
from components.store.prefab import Prefab
from components.store.resources import show_field
from components.store.words import plain
from components.store.world import World
from sandbox.app.preferences import Preferences
from sandbox.app.session.mod_preferences import ModPreferences
from sandbox.app.session.session import Session
from sandbox.edit import SetEnabled, SetField, SetParameter, SetResource
from sandbox.language import translate
from systems.engine.settings import Settings
from systems.engine.system import System

OWN = frozenset(
    [f"{owner}.{axis}" for owner in ("Position", "Velocity") for axis in DEEP]
    + [f"Wall.{name}" for name in ("ax", "ay", "bx", "by", "group")]
)
"""Fields that each entity has for itself, such as its place and velocity; they have no usual value to reset to."""
EQUAL = object()


class Reading(NamedTuple):
    """The present value of a field, as files write it; of several entities that differ, two of their values.

    Attributes:
        value: the value; the lowest if numbers differ.
        highest: the highest value; EQUAL if there is only one.
    """

    value: Any
    highest: Any = EQUAL

    @property
    def mixed(self) -> bool:
        """Whether the values differ."""
        return self.highest is not EQUAL


@dataclass(frozen=True, slots=True)
class Binding:
    """What a widget edits.

    Attributes:
        get: returns the present value.
        set: sets a value as files write it, and returns whether it was accepted; its second argument says whether
            to undo it together with the command before.
        usual: the value to which a reset sets it; None: it can't be reset, or each entity has a usual value of its own,
            which `set` knows.
        key: names what is edited, "boid/Motion.max_speed": widgets with one key are one widget, and a drag of it is
            one undo step.
        path: its key for `--set`, "boid.Motion.max_speed"; "" if it has none.
    """

    get: Callable[[], Reading]
    set: Callable[[Any, bool], bool]
    usual: Any = None
    key: str = ""
    path: str = ""

    @property
    def changed(self) -> bool:
        """Whether the present value is not the usual one."""
        now = self.get()
        return self.usual is not None and (now.mixed or not _same(now.value, self.usual))

    def reset(self, joins: bool = False) -> bool:
        """Set the usual value; return whether that was accepted."""
        return self.set(self.usual, joins)


Bind = Callable[[Field], Binding]  # binds fields of one prefab, one system ...


def reset_all(bindings: Iterable[Binding], joins: bool = False) -> bool:
    """Reset what is changed in one undo step; return whether the next command should join that step."""
    for binding in bindings:
        if binding.changed:
            joins = binding.reset(joins) or joins
    return joins


def of_prefab(session: Session, prefab: str) -> Bind:
    """Bind fields of a prefab with its living members; the usual value is that of the scene, else the declared one."""

    def bind(field: Field) -> Binding:
        world, before = session.simulation.world, session.simulation.scene.usual_prefabs.get(prefab)
        return Binding(
            lambda: Reading(shown(field, stored_in(world.prefabs[prefab], field), world)),
            lambda value, joins: session.submit(SetField(field.key, value, prefab=prefab), joins=joins),
            shown(field, stored_in(before, field) if before else field.default, world),
            f"{prefab}/{field.key}",
            f"{prefab}.{field.key}",
        )

    return bind


def of_system(session: Session, system: System) -> Bind:
    """Bind parameters of a system; the usual value is that of the scene, else the declared one."""
    name = system.name

    def bind(field: Field) -> Binding:
        world, given = session.simulation.world, session.simulation.scene.systems.get(name, {})
        return Binding(
            lambda: Reading(shown(field, system.stored[field.name], world)),
            lambda value, joins: session.submit(SetParameter(name, field.name, value), joins=joins),
            shown(field, given.get(field.name, field.default), world),
            f"{name}/{field.key}",
            f"{name}.{field.name}",
        )

    return bind


def reset_system(session: Session, system: System, joins: bool) -> bool:
    """Reset all parameters, and whether it is enabled, to the scene's; return whether the next command should join."""
    on = bool(session.simulation.scene.systems.get(system.name, {}).get("enabled", True))
    if not system.essential and system.enabled != on:
        joins = session.submit(SetEnabled(system.name, on), joins=joins) or joins
    return reset_all(map(of_system(session, system), system.parameters.values()), joins)


def of_resource(session: Session, kind: type[Any]) -> Bind:
    """Bind fields of a declared resource of the world; the usual value is that of the scene."""

    def show(field: Field, resource: Any) -> Any:
        return show_field(field, resource.stored, tuple(session.simulation.world.prefabs))

    def bind(field: Field) -> Binding:
        def set(value: Any, joins: bool) -> bool:
            done = session.submit(SetResource(field.key, value), joins=joins)
            if done and field.key in ("Settings.width", "Settings.height"):
                _tell_if_crowded(session, {field.name: value})
            return done

        return Binding(
            lambda: Reading(show(field, session.simulation.world.resource(kind))),
            set,
            show(field, session.simulation.scene.resource(kind)),
            f"{kind.__name__}/{field.key}",
        )

    return bind


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


def of_object(owner: Any, name: str, digits: int | None = None) -> Bind:
    """Bind attributes of an object by the names of fields; the usual value is the declared one, if there is one.

    Args:
        digits: to which numbers are rounded; None: they are not.
    """

    def bind(field: Field) -> Binding:
        def set(value: Any, joins: bool) -> bool:
            if value is not None:
                setattr(owner, field.name, round(value, digits) if digits and isinstance(value, float) else value)
            return value is not None

        usual = None if field.default is None else field.show(field.default)
        return Binding(lambda: Reading(getattr(owner, field.name)), set, usual, f"{name}/{field.key}")

    return bind


def of_preferences(of: ModPreferences, preferences: Preferences) -> Bind:
    """Bind preferences of a mod; the usual value is the declared one. Changing them does not edit the world."""

    def bind(field: Field) -> Binding:
        def set(value: Any, joins: bool) -> bool:
            of.choose(field, value, preferences)
            return True

        stored = of.values.stored
        return Binding(
            lambda: Reading(field.show(stored[field.key])), set, field.show(field.default), f"{of.name}/{field.key}"
        )

    return bind


def shared_fields(component: type[Component], axes: str) -> list[Field]:
    """Return the fields of a component that prefabs set in worlds with these axes, except those in OWN."""
    return [field for field in settable_fields(component, axes) if field.key not in OWN]


def settable_fields(component: type[Component], axes: str) -> list[Field]:
    """Return the fields of a component or resource that widgets set in worlds with these axes."""
    return [field for field in component.fields.values() if field.settable and (axes == DEEP or not field.deep)]


def stored_in(prefab: Prefab, field: Field) -> Stored:
    """Return the stored value that a prefab gives its members."""
    stored: Stored = prefab.components.get(field.owner, {}).get(field.name, field.default)
    return stored


def shown(field: Field, stored: Any, world: World) -> Any:
    """Return a stored value as files write it, but numbers unrounded, because this runs many times per frame."""
    if field.kind is Kind.NUMBER:
        return float(stored)
    if field.kind is Kind.VECTOR:
        return list(stored) if isinstance(stored, list | tuple) else [float(stored)] * len(world.table.axes)
    return field.show(stored, tuple(world.prefabs))


def is_number(field: Field) -> bool:
    """Return whether the field is written as a number."""
    return field.kind in (Kind.NUMBER, Kind.INTEGER, Kind.AMOUNT)


def _same(one: Any, other: Any) -> bool:
    """Return whether two values are equal as columns store them."""
    return bool(np.float32(one) == np.float32(other)) if isinstance(one, float) else one == other
