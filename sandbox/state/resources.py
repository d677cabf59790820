"""What a snapshot says of declared resources: `world` is the table of Settings, `resources` has all others'."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from components.store.fields import Stored, did_you_mean, field_called
from components.store.resources import Resource, read_field
from components.store.world import World
from sandbox.design.resource_tables import declared_resources, shown_resource
from sandbox.state.json_values import short, table_of
from systems.engine.app import App
from systems.engine.settings import Settings

OWN_KEY = {Settings.__name__: "world"}  # of the tables that do not stand below `resources`


def shown_resources(world: World, *, drawn: bool = True) -> dict[str, dict[str, Any]]:
    """The tables of all declared resources, by name; those that are as they began are left out, but for Settings.

    Args:
        drawn: what is only for eyes is among it.
    """
    names, found = tuple(world.prefabs), {}
    for name, kind in world.declared.items():
        resource = world.resource(kind)
        if name in OWN_KEY or resource != kind():
            shown = shown_resource(kind, resource.stored, names)
            found[name] = {key: value for key, value in shown.items() if drawn or not kind.fields[key].drawn}
    return found


def read_resources(
    world: Mapping[str, Any], tables: Mapping[str, Any], app: App, prefabs: Mapping[str, int]
) -> dict[str, dict[str, Stored]]:
    """By name of the resource, the columns that are said; all others have their defaults.

    Args:
        world, tables: what the snapshot says of Settings, and of all others by name.
        prefabs: index of each prefab by name.
    Raises:
        ValueError: what is wrong and what would be right.
    """
    kinds, named = declared_resources(app), {**tables, **dict.fromkeys(OWN_KEY, world)}
    if others := sorted((named.keys() - kinds.keys()) | (tables.keys() & OWN_KEY.keys())):
        raise ValueError(f"holds resources that this version does not know: {', '.join(others)}")
    return {name: _columns(kinds[name], table, prefabs) for name, table in named.items()}


def _columns(kind: type[Resource], table: Any, prefabs: Mapping[str, int]) -> dict[str, Stored]:
    where = OWN_KEY.get(kind.__name__, f"resources.{kind.__name__}")
    columns: dict[str, Stored] = {}
    for name, value in table_of(where, table).items():
        field = field_called(name, kind.fields)
        if field is None or field.transient:
            raise ValueError(f"{where}: there is no field {short(name)}{did_you_mean(name, kind.fields)}")
        try:
            columns |= read_field(field, value, prefabs)
        except (ValueError, OverflowError) as error:
            raise ValueError(f"{where}.{name} = {short(value)}: {error}") from None
    return columns
