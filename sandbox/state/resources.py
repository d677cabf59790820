"""What a snapshot says of the resources that are state: the ledger, a person's hand, and those that mods declare."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from components.store.fields import Field, Kind, did_you_mean, field_called
from components.store.resources import Resource
from sandbox.mods.load.assembly import OWN_RESOURCES
from sandbox.simulation import Simulation
from sandbox.state.json_values import exactly, short, table_of, values_of, whole_in
from systems.engine.app import App
from systems.engine.hand import FIELDS as HAND
from systems.engine.hand import Hand
from systems.engine.ledger import MOST_BOOKED, Ledger


def shown_resources(simulation: Simulation) -> dict[str, dict[str, Any]]:
    """What they hold, by name; those that are as they began are left out."""
    world = simulation.world
    return {
        **_shown_ledger(world.resources.get(Ledger, Ledger())),
        **_shown_hand(world.resources.get(Hand)),
        **_shown_declared(simulation),
    }


def read_resources(tables: Mapping[str, Any], app: App) -> dict[type, Any]:
    """What they held, by type.

    Raises:
        ValueError: what is wrong and what would be right.
    """
    declared = {kind.__name__: kind for kind in app.resources}
    if others := tables.keys() - {*OWN_RESOURCES, *declared}:
        raise ValueError(f"holds resources that this version does not know: {', '.join(sorted(others))}")
    found: dict[type, Any] = {Ledger: _ledger(table_of("resources.Ledger", tables.get("Ledger", {})))}
    if "Hand" in tables:
        found[Hand] = _hand(table_of("resources.Hand", tables["Hand"]))
    for name, kind in declared.items():
        if name in tables:
            found[kind] = _declared(kind, table_of(f"resources.{name}", tables[name]))
    return found


def _shown_ledger(ledger: Ledger) -> dict[str, dict[str, int]]:
    booked = asdict(ledger)
    return {"Ledger": booked} if any(booked.values()) else {}


def _ledger(values: Mapping[str, Any]) -> Ledger:
    known = [field.name for field in fields(Ledger)]
    for name in values:
        if name not in known:
            near = did_you_mean(name, known)
            raise ValueError(f"resources.Ledger: there is no field {short(name)}{near}")
    return Ledger(**{name: whole_in(values, name, MOST_BOOKED) for name in values})


def _shown_hand(hand: Hand | None) -> dict[str, dict[str, float]]:
    return {"Hand": asdict(hand)} if hand else {}


def _hand(values: Mapping[str, Any]) -> Hand:
    found = values_of(values, HAND, {}, "resources.")
    if missing := [name for name in HAND if name not in found]:
        raise ValueError(f"meta: resources.Hand.{missing[0]} is missing")
    return Hand(**found)


def _shown_declared(simulation: Simulation) -> dict[str, dict[str, Any]]:
    """What the resources that mods declared hold, where it is not what they began with."""
    found = {}
    for kind in (kind for part in simulation.mods.parts.values() for kind in part.resources):
        stored = simulation.world.resource(kind).stored
        changed = {
            field.name: _many(field, [exactly(field, stored[column]) for column in field.columns])
            for field in kind.fields.values()
            if not field.transient and any(stored[column] != field.default for column in field.columns)
        }
        if changed:
            found[kind.__name__] = changed
    return found


def _many(field: Field, values: list[Any]) -> Any:
    """Both values of a vector, or the one of anything else."""
    return values if field.kind is Kind.VECTOR else values[0]


def _declared(kind: type[Resource], values: Mapping[str, Any]) -> Resource:
    made, where = kind(), f"resources.{kind.__name__}"
    for name, value in values.items():
        field = field_called(name, kind.fields)
        if field is None or field.transient:
            near = did_you_mean(name, kind.fields)
            raise ValueError(f"{where}: there is no field {short(name)}{near}")
        parts = value if field.kind is Kind.VECTOR else [value]
        if not isinstance(parts, list) or len(parts) != len(field.columns):
            raise ValueError(f"{where}.{name} = {short(value)}: must be two numbers")
        try:
            made.stored |= {key: field.parse(part) for key, part in zip(field.columns, parts, strict=True)}
        except (ValueError, OverflowError) as error:
            raise ValueError(f"{where}.{name} = {short(value)}: {error}") from None
    return made
