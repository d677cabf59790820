"""A scene as the contents of a file that leaves nothing out: two scene files mean the same if these are equal."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from components.store.fields import Kind, Stored, by_key
from components.store.prefab import Prefab
from components.store.records import ComponentType, form_of
from sandbox.design.entries import is_written, written_entry, written_value
from sandbox.design.kept_kinds import KEPT
from sandbox.design.resource_tables import declared_resources, shown_resource, shown_settings
from sandbox.design.scene import Scene
from systems.engine.app import App
from systems.engine.system import System

Table = dict[str, Any]


def contents_of(scene: Scene, app: App, renamed: Mapping[str, str] = MappingProxyType({})) -> Table:
    """Return all tables of a scene, with the defaults that files may leave out; `[systems]` has a table for each.

    Args:
        app: the app that the scene was read with.
        renamed: new names of prefabs by old name.
    """
    components, kinds = {component.__name__: component for component in app.components}, declared_resources(app)
    renamed = {name: renamed.get(name, name) for name in scene.prefabs}
    names = tuple(renamed.values())
    fields = by_key(field for component in app.components for field in component.fields.values())
    return {
        "name": scene.name,
        "description": scene.description,
        "seed": scene.seed,
        "world": shown_settings(scene.settings),
        "prefabs": {
            renamed[name]: _prefab(prefab, components, scene.settings.axes, names)
            for name, prefab in scene.prefabs.items()
        },
        "spawn": [{**written_entry(each, fields, names), "prefab": renamed[each.prefab]} for each in scene.entries],
        "systems": {system.name: system_table(system, scene.systems.get(system.name, {})) for system in app.systems},
        "resources": {
            name: shown_resource(kinds[name], stored, names)
            for name, stored in scene.resources.items()
            if name in kinds
        },
        **{table: kind.shown(scene.tables.get(table, {})) for table, kind in KEPT.items()},
        "mods": {**scene.mods},
    }


def _prefab(prefab: Prefab, components: Mapping[str, ComponentType], axes: str, names: tuple[str, ...]) -> Table:
    """Return the `[prefabs.NAME]` table of a prefab: all its fields, no `extends`."""
    tables = {owner: component_table(components[owner], axes, own, names) for owner, own in prefab.components.items()}
    return {"help": prefab.help, **tables}


def component_table(
    component: ComponentType,
    axes: str,
    values: Mapping[str, Stored] = MappingProxyType({}),
    names: tuple[str, ...] = (),
) -> Table:
    """Return a component's table in a world with these axes, with every field, at its default if not in `values`."""
    fields = filter(is_written, form_of(component, axes).fields)
    return {field.name: written_value(field, values.get(field.name, field.default), names) for field in fields}


def system_table(system: type[System], given: Mapping[str, Stored]) -> Table:
    """Return a system's table: its defaults, overridden by `given`. Parameters are not columns, so float64 is kept."""
    declared = system.parameters.items()
    values = {name: given.get(name, field.default) for name, field in declared}
    shown = {
        name: float(values[name]) if field.kind is Kind.NUMBER else field.show(values[name]) for name, field in declared
    }
    return {"enabled": bool(given.get("enabled", True)), **shown}
