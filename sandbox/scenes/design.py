"""A scene as plain tables: values as scene files write them, including the defaults that files leave out.

Two scene files mean the same if their designs are equal.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from components.store.fields import Field, Kind, Stored
from components.store.prefab import Prefab
from components.store.records import ComponentType
from sandbox.design.kept import KEPT
from sandbox.design.resource_tables import declared_resources, shown_resource, shown_world
from sandbox.design.scene import Entry, Scene, written_area
from sandbox.toml.shapes import Spread
from systems.engine.app import App
from systems.engine.system import System

Table = dict[str, Any]
Components = Mapping[str, ComponentType]
GIVEN_BY_KEYS = ("Position", "Velocity")  # their tables are empty: `at`, `velocity` and other keys give the values
WALL_ENDS = ("ax", "ay", "bx", "by")
FROM_POINTS = {f"Wall.{name}" for name in (*WALL_ENDS, "group")}  # left out if there are `points`, which determine them


@dataclass
class Design:
    """The contents of a scene file, table by table.

    Attributes:
        prefabs: by name: `help`, and for each component a table with all its fields.
        spawns: a table per `[[spawn]]`: all fields of components that the prefab lacks; of others, those it sets.
        systems: by name: `enabled` and all parameters.
        resources: by name: the fields that the scene or a person has set.
        tables: presets, labels and pictures: for each kind in `sandbox.design.kept`, the values by name.
        mods, kept: as in `Scene`.
    """

    name: str
    description: str
    seed: int
    world: Table
    prefabs: dict[str, Table]
    spawns: list[Table]
    systems: dict[str, Table]
    resources: dict[str, Table]
    tables: dict[str, dict[str, Table]]
    mods: Mapping[str, list[str]]
    kept: Mapping[str, Any]


def design_of(scene: Scene, app: App, renamed: Mapping[str, str] | None = None) -> Design:
    """Return the design of a scene.

    Args:
        app: the app that the scene was read with.
        renamed: new names of prefabs by old name.
    """
    components, kinds = {component.__name__: component for component in app.components}, declared_resources(app)
    renamed = {name: (renamed or {}).get(name, name) for name in scene.prefabs}
    names = tuple(renamed.values())
    return Design(
        name=scene.name,
        description=scene.description,
        seed=scene.seed,
        world=shown_world(scene.settings),
        prefabs={renamed[name]: _shown_prefab(prefab, components, names) for name, prefab in scene.prefabs.items()},
        spawns=[shown_entry(entry, renamed[entry.prefab], components, names) for entry in scene.entries],
        systems={system.name: shown_system(system, scene.systems.get(system.name, {})) for system in app.systems},
        resources={
            name: shown_resource(kinds[name], columns, names)
            for name, columns in scene.resources.items()
            if name in kinds
        },
        tables={table: kind.shown(scene.tables.get(table, {})) for table, kind in KEPT.items()},
        mods=scene.mods,
        kept=scene.kept,
    )


def _shown_prefab(prefab: Prefab, components: Components, names: tuple[str, ...]) -> Table:
    """Return the `[prefabs.NAME]` table of a prefab: all its fields, no `extends`."""
    tables = {owner: shown_component(components[owner], own, names) for owner, own in prefab.components.items()}
    return {"help": prefab.help, **tables}


def shown_component(
    component: ComponentType, values: Mapping[str, Stored] = MappingProxyType({}), names: tuple[str, ...] = ()
) -> Table:
    """Return a component's table with every field; fields that are not in `values` get their default."""
    fields = filter(is_written, component.fields.values())
    return {field.name: shown_value(field, values.get(field.name, field.default), names) for field in fields}


def is_written(field: Field) -> bool:
    """Return whether a scene file can set this field."""
    return field.in_files and field.owner not in GIVEN_BY_KEYS


def shown_entry(entry: Entry, prefab: str, components: Components, names: tuple[str, ...]) -> Table:
    """Return the `[[spawn]]` table of an entry; `prefab`: the name of its prefab in the table."""
    shown: Table = {"prefab": prefab}
    if entry.count != 1:
        shown["count"] = entry.count
    for key, numbers in (("at", entry.at), ("velocity", entry.velocity), ("speed", entry.speed)):
        if numbers:
            shown[key] = list(numbers)
    if entry.area:
        shown["area"] = {
            kind: [list(value) if isinstance(value, tuple) else value for value in values]
            for kind, values in written_area(entry.area).items()
        }
    if entry.heading is not None:
        shown["heading"] = entry.heading
    if entry.points:
        shown["points"] = [list(point) for point in entry.points]
    if entry.closed:
        shown["closed"] = True
    for key, value in entry.values.items():
        owner, name = key.split(".", 1)
        field = components[owner].fields[name]
        if not entry.points or key not in FROM_POINTS:
            table = shown.setdefault(owner, {})
            if is_written(field):
                table[name] = shown_value(field, value, names)
    return shown


def shown_system(system: type[System], given: Mapping[str, Stored]) -> Table:
    """Return a system's table: its defaults, overridden by `given`. Parameters are not columns, so float64 is kept."""
    declared = system.parameters.items()
    values = {name: given.get(name, field.default) for name, field in declared}
    shown = {
        name: float(values[name]) if field.kind is Kind.NUMBER else field.show(values[name]) for name, field in declared
    }
    return {"enabled": bool(given.get("enabled", True)), **shown}


def shown_value(field: Field, value: Stored | Spread, names: tuple[str, ...] = ()) -> Any:
    """Convert a stored value to that of a file; float32 numbers are clamped to the bounds that reading checks."""
    if isinstance(value, Spread):
        return {"mean": float(value.mean), "sd": float(value.sd)}
    shown = field.show(value, names)
    if field.kind is Kind.PREFABS:
        return sorted(shown)  # a file may define the prefabs in another order
    return min(max(shown, field.low), field.high) if field.kind is Kind.NUMBER else shown
