"""The tables of resources in a scene file: `[world]` is the table of Settings, `[resources.NAME]` of any other.

Every declared field has a key of its own, except for a few of Settings that share one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from components.store.fields import Kind, Stored
from components.store.resources import Resource, show_field, stored_by_key
from sandbox.toml.schemas import Numbers, One, Schema, Table
from systems.engine.app import App
from systems.engine.settings import Settings

SIZE = ("width", "height", "depth")  # `size = [width, height]`, or `[width, height, depth]`
TURN = ("margin", "acceleration")  # `turn = { margin = ..., acceleration = ... }`
SETTINGS: type[Any] = Settings
Tables = Mapping[str, Mapping[str, Any]]


def declared_resources(app: App) -> dict[str, type[Resource]]:
    """Return the types declared with `resource`, by name."""
    return {kind.__name__: kind for kind in app.resources if issubclass(kind, Resource)}


def settings_schema() -> Table:
    """Return the schema of `[world]`."""
    keys = _keys(SETTINGS)
    size = Numbers(*(SETTINGS.fields[name] for name in SIZE), help="width, height and, if it has some, depth (u)")
    turn = Table({name: keys.pop(name) for name in TURN}, help='for edges = "turn"')
    schema = Table({"size": size, "turn": turn, **{name: keys[name] for name in keys if name not in SIZE}})
    schema.elsewhere = {
        **dict.fromkeys(SIZE, "write size = [width, height], or [width, height, depth]"),
        **dict.fromkeys(TURN, "write turn = { margin = ..., acceleration = ... }"),
        **dict.fromkeys(("seed", "name", "description"), "it stands at the beginning of the file, before [world]"),
    }
    return schema


def read_settings(table: Mapping[str, Any]) -> Settings:
    """Make settings from a `[world]` table that its schema has read."""
    single = {name: value for name, value in table.items() if name not in ("size", "turn")}
    return Settings(**single, **dict(zip(SIZE, table.get("size", ()))), **table.get("turn", {}))


def shown_settings(settings: Any) -> dict[str, Any]:
    """Return the `[world]` table of these settings."""
    table: dict[str, Any] = {}
    for name, value in shown_resource(SETTINGS, settings.stored).items():
        if name in SIZE:
            table.setdefault("size", []).append(value)
        elif name in TURN:
            table.setdefault("turn", {})[name] = value
        else:
            table[name] = value
    return table


def resources_schema(app: App, prefabs: Iterable[str]) -> Table:
    """Return the schema of the `[resources.NAME]` tables; `prefabs`: those that a set of prefabs may name."""
    kinds = {name: kind for name, kind in declared_resources(app).items() if kind is not SETTINGS}
    return Table({name: resource_schema(kind, prefabs) for name, kind in kinds.items()})


def resource_schema(kind: type[Resource], prefabs: Iterable[str]) -> Table:
    """Return the schema of a table with a resource's fields."""
    return Table(_keys(kind, prefabs), help=kind.__doc__ or "")


def read_resources(tables: Tables, app: App) -> dict[str, dict[str, Stored]]:
    """Convert `[resources.NAME]` tables that their schema has read to what is stored, by name of the resource."""
    kinds, found = declared_resources(app), dict[str, dict[str, Stored]]()
    for owner, table in tables.items():
        stored = found[owner] = {}
        for name, value in table.items():
            field = kinds[owner].fields[name]
            stored |= stored_by_key(field, value if field.kind is Kind.VECTOR else [value])
    return found


def shown_resource(kind: type[Any], stored: Mapping[str, Stored], prefabs: tuple[str, ...] = ()) -> dict[str, Any]:
    """Convert a resource's stored values to those of files, by field name; the depth of flat worlds is left out."""
    fields = [field for field in kind.fields.values() if field.settable and stored.keys() >= {*field.columns()}]
    written = [field for field in fields if not field.deep or stored[field.key] != field.default]
    return {field.name: show_field(field, stored, prefabs) for field in written}


def _keys(kind: type[Resource], prefabs: Iterable[str] = ()) -> dict[str, Schema]:
    return {
        name: Numbers(*(replace(field, name=axis) for axis in "xy"), help=field.help)
        if field.kind is Kind.VECTOR
        else One(field, prefabs)
        for name, field in kind.fields.items()
        if field.settable
    }
