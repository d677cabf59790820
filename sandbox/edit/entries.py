"""Checks an entry that is not from a file: converts it to a `[[spawn]]` table, and reads that as a file's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from numbers import Integral
from typing import Any

from components.store.fields import Field, Kind, declared
from components.store.records import fields_of, limits
from components.store.world import World
from sandbox.design.entries import read_entry
from sandbox.design.format import Keys
from sandbox.design.scene import Area, Entry, written_area
from sandbox.edit.command import find, find_prefab
from sandbox.toml.shapes import SPREADS, Many, Row, Spread
from sandbox.toml.value_source import ValueSource, plain

KEYS = declared(Keys)
PLACES = Many(Row(KEYS["x"], KEYS["y"], help="a place (u)"), "[[x, y], [x, y], ...]")
AS_WRITTEN = (Kind.NUMBER, Kind.INTEGER, Kind.SWITCH)  # stored as files write them


def check_entry(world: World, entry: Entry) -> None:
    """Check all values of an entry.

    Raises:
        ValueError: a value is invalid; the message says what would be right.
    """
    find_prefab(world, entry.prefab)
    said = {field.name: getattr(entry, field.name) for field in fields(entry)}
    unsaid = [field.name for field in fields(entry) if field.default is None and said[field.name] is None]
    given = {key: value for key, value in said.items() if key not in ("area", "values", *unsaid)}
    if not entry.points:
        del given["points"]
    elif entry.count == 1:
        del given["count"]
    if not entry.closed and isinstance(entry.closed, bool):
        del given["closed"]
    if entry.area is not None:
        if not isinstance(entry.area, Area):
            raise ValueError(f"area = {entry.area!r}: must be a Circle, a Rect or a Stream")
        given["area"] = written_area(entry.area)
    read_entry(world, to_file_types({**given, **_tables(world, entry.values)}))


def check_places(places: Any) -> None:
    """Check a list of places.

    Raises:
        ValueError: a place is invalid; the message says what would be right.
    """
    source = ValueSource({"places": to_file_types(places)})
    PLACES.read(source, ("places",), source.data["places"])
    source.refuse_mistakes()


def to_file_types(value: Any) -> Any:
    """Convert a value to the types that files have; raise ValueError if it has no such type."""
    try:
        return plain(value)
    except TypeError as error:
        raise ValueError(str(error)) from None


def _tables(world: World, values: Any) -> dict[str, dict[str, Any]]:
    """Convert stored values and spreads by field key to tables of components, as a file has them."""
    if not isinstance(values, Mapping):
        raise ValueError(f"values = {values!r}: must be a table of stored values by field key")
    known = {f.key: f for component in world.table.components.values() for f in fields_of(component) if f.in_files}
    tables: dict[str, dict[str, Any]] = {}
    for key, value in values.items():
        field = find("field", key, known)
        tables.setdefault(field.owner, {})[field.name] = _written(field, value, tuple(world.prefabs))
    return tables


def _written(field: Field, value: Any, prefabs: tuple[str, ...]) -> Any:
    """Convert a stored value or spread to a file's; it may still be out of bounds."""
    if isinstance(value, Spread):
        if field.kind not in SPREADS:
            raise ValueError(f"{field.key} = {value!r}: must be one value for all")
        return vars(value)
    if field.kind in AS_WRITTEN:
        return value
    allowed = limits(field, len(prefabs))
    if not isinstance(value, Integral) or not allowed.low <= int(value) <= allowed.high:
        raise ValueError(f"{field.key} = {value!r}: {allowed.must}, as it is stored")
    return field.show(value, prefabs)
