"""Checking an entry that no scene file was read for: by the bounds and rules that hold for a `[[spawn]]`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple
from numbers import Integral
from typing import Any

from components.store.fields import Field, Kind, declared
from components.store.limits import limits
from components.store.table import fields_of
from components.store.world import World
from sandbox.design.format import Keys
from sandbox.design.rules import refuse_broken
from sandbox.design.scene import Circle, Entry, Rect, corner_mistakes, refuse_far_area
from sandbox.edit.command import find, find_prefab, read
from sandbox.toml.shapes import Spread, spread_fields
from systems.engine.settings import Settings

KEYS = declared(Keys)
SPREADS = (Kind.NUMBER, Kind.INTEGER, Kind.AMOUNT)
PLAIN = (Kind.NUMBER, Kind.INTEGER, Kind.SWITCH)  # stored as they are written


def check_entry(world: World, entry: Entry) -> None:
    """Check all that an entry says.

    Raises:
        ValueError: what is wrong, and what would be right.
    """
    prefab = find_prefab(world, entry.prefab)
    read("count", entry.count, KEYS["count"].parse)
    read("closed", entry.closed, KEYS["closed"].parse)
    if entry.heading is not None:
        read("heading", entry.heading, KEYS["heading"].parse)
    for what, keys in (("at", ("x", "y")), ("velocity", ("vx", "vy")), ("speed", ("lowest", "highest"))):
        if getattr(entry, what) is not None:
            read_row(what, getattr(entry, what), *keys)
    if entry.speed is not None and entry.speed[0] > entry.speed[1]:
        raise ValueError(f"speed = {entry.speed}: must be [slowest, fastest]")
    if entry.area is not None:
        _check_area(entry.area)
    components = {*prefab.components, *_check_values(world, entry.values)}
    if not isinstance(entry.points, list | tuple):
        raise ValueError(f"points = {entry.points!r}: must be a list: [[x, y], [x, y], ...]")
    if entry.points:
        _check_wall(entry, components)
    refuse_broken(world.resource(Settings).edges, components, {**prefab.values(), **entry.values})


def read_row(what: str, row: Any, *keys: str) -> list[float]:
    """So many numbers; `keys` name their bounds.

    Raises:
        ValueError: what is wrong with which, and what would be right.
    """
    if not isinstance(row, list | tuple) or len(row) != len(keys):
        raise ValueError(f"{what} = {row!r}: must be {len(keys)} numbers: [{', '.join(keys)}]")
    return [read(what, number, KEYS[key].parse) for number, key in zip(row, keys, strict=True)]


def _check_area(area: Any) -> None:
    if not isinstance(area, Circle | Rect):
        raise ValueError(f"area = {area!r}: must be a Circle or a Rect")
    read_row("area", astuple(area), "x", "y", *(("radius",) if isinstance(area, Circle) else ("w", "h")))
    read("area", area, refuse_far_area)


def _check_wall(entry: Entry, components: set[str]) -> None:
    if "Wall" not in components:
        raise ValueError(f"prefab {entry.prefab} has no Wall")
    for point in entry.points:
        read_row("points", point, "x", "y")
    for place, sentence in corner_mistakes(entry.points, entry.closed):
        raise ValueError(f"points{'' if place is None else f'[{place}]'}: {sentence}")


def _check_values(world: World, values: Any) -> set[str]:
    """Check stored values and spreads by field key; returns the components they belong to."""
    if not isinstance(values, Mapping):
        raise ValueError(f"values = {values!r}: must be a table of stored values by field key")
    fields = {f.key: f for component in world.table.components.values() for f in fields_of(component) if f.in_files}
    owners = set()
    for key, value in values.items():
        field = find("field", key, fields)
        if isinstance(value, Spread):
            _check_spread(field, value)
        elif field.kind in PLAIN:
            read(key, value, field.parse)
        else:
            allowed = limits(field, len(world.prefabs))
            if not isinstance(value, Integral) or not allowed.low <= int(value) <= allowed.high:
                raise ValueError(f"{key} = {value!r}: {allowed.must}, as it is stored")
        owners.add(field.owner)
    return owners


def _check_spread(field: Field, value: Spread) -> None:
    if field.kind not in SPREADS:
        raise ValueError(f"{field.key} = {value!r}: must be one value for all")
    for number, bounds in zip(astuple(value), spread_fields(field), strict=True):
        read(f"{field.key}.{bounds.name}", number, bounds.parse)
