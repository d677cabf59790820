"""The keys of a scene file, format 1. Components and systems have as keys the fields that they declare."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from components.store.declare import integer, number, switch
from components.store.fields import declared
from components.store.records import ComponentType
from components.store.world import MOST_ENTITIES
from sandbox.design.kept_kinds import KEPT
from sandbox.design.kept_tables import KeptTables
from sandbox.design.resource_tables import SIZE, resources_schema, settings_schema
from sandbox.design.scene import MOST_SEED
from sandbox.toml.key_places import KeyPath
from sandbox.toml.schemas import (
    SPREADS,
    JsonSchema,
    Many,
    Name,
    Named,
    Numbers,
    One,
    OneOf,
    Schema,
    Table,
    Text,
    Varied,
    refuse,
)
from sandbox.toml.source import TomlSource
from systems.engine.app import App
from systems.engine.system import System
from systems.space.bounds import FARTHEST

FORMAT = 1


class Keys:
    """The values that do not belong to a component or resource."""

    format: int = integer(FORMAT, "", 1, FORMAT, "the version of the scene format")
    seed: int = integer(0, "", 0, MOST_SEED, "another seed, other random numbers")
    count: int = integer(1, "", 0, MOST_ENTITIES, "how many")
    x: float = number(0, "u", -FARTHEST, FARTHEST, "distance from the left edge")
    y: float = number(0, "u", -FARTHEST, FARTHEST, "distance from the lower edge")
    z: float = number(0, "u", -FARTHEST, FARTHEST, "distance from the back", deep=True)
    radius: float = number(0, "u", 0, FARTHEST, "of the circle or ball")
    w: float = number(0, "u", 0, FARTHEST, "width of the area")
    h: float = number(0, "u", 0, FARTHEST, "height of the area")
    d: float = number(0, "u", 0, FARTHEST, "depth of the area")
    vx: float = number(0, "u/s", -1e4, 1e4, "to the right")
    vy: float = number(0, "u/s", -1e4, 1e4, "upward")
    vz: float = number(0, "u/s", -1e4, 1e4, "toward the viewer", deep=True)
    lowest: float = number(0, "u/s", 0, 1e4, "the slowest start")
    highest: float = number(0, "u/s", 0, 1e4, "the fastest start")
    heading: float = number(0, "degrees", -360, 360, "start direction, counter-clockwise from the x axis; else any")
    closed: bool = switch(False, "the wall's last point leads to its first")
    enabled: bool = switch(True, "false disables the system")


_KEYS = declared(Keys)


def scene_schema(app: App, prefabs: Iterable[str] | None = None, *, mods_absent: bool = False) -> Table:
    """Return the schema of a whole scene file.

    Args:
        app: its components and systems may be named.
        prefabs: the prefabs that may be spawned and extended; None allows any, as in a schema.
        mods_absent: unknown components, resources and systems are allowed, because they may be an absent mod's.
    """
    names = None if prefabs is None else tuple(prefabs)
    bundles, spawn = prefabs_schema(app, names), spawn_schema(app, names)
    systems = Table({system.name: _system_schema(system) for system in app.systems})
    resources = resources_schema(app, names or ())
    if mods_absent:
        bundles.each.spare = spawn.spare = lambda key: key[:1].isupper()
        systems.spare = resources.spare = lambda key: True
    settings = settings_schema()
    keys = {
        "format": One(_KEYS["format"]),
        "name": Text("the scene's title"),
        "description": Text("what there is to see"),
        "seed": One(_KEYS["seed"]),
        "world": settings,
        "prefabs": bundles,
        "spawn": Many(spawn, "[[spawn]] tables"),
        "systems": systems,
        "resources": resources,
        **{table: kept_schema(kind) for table, kind in KEPT.items()},
        "mods": mods_schema(),
    }
    schema = Table(keys, required=("format",))
    schema.elsewhere = dict.fromkeys((*settings.keys, *SIZE), "it stands in [world]")
    return schema


def kept_schema(kind: type[KeptTables]) -> Named:
    """Return the schema of the `[table.name]` tables of one kind."""
    values = {**kind.texts, **{name: One(field) for name, field in kind.fields.items()}}
    return Named(Table(values, required=tuple(kind.texts), help=kind.about), kind.help)


MODS = ("required", "optional")


def mods_schema() -> Table:
    """Return the schema of `[mods]`."""
    return Table({key: Many(Text("a mod's name, maybe with a version"), "a list of mods") for key in MODS})


def prefabs_schema(app: App, prefabs: tuple[str, ...] | None = None) -> Named:
    """Return the schema of the `[prefabs.name]` tables: components by name, and perhaps the prefab that it extends."""
    components = {component.__name__: _component_schema(component, One, prefabs) for component in app.components}
    about = {"extends": _prefab_name(prefabs), "help": Text("one line about it")}
    return Named(Table({**about, **components}, help="a named bundle of components"), "prefabs by name")


def _prefab_name(prefabs: tuple[str, ...] | None) -> Schema:
    return Text("the name of a prefab") if prefabs is None else Name("prefab", prefabs)


def spawn_schema(app: App, prefabs: tuple[str, ...] | None) -> Table:
    """Return the schema of a `[[spawn]]` table; `prefabs` as for `scene_schema`."""
    circle = Numbers(_KEYS["x"], _KEYS["y"], _KEYS["radius"], help="its centre and radius (u)")
    rect = Numbers(_KEYS["x"], _KEYS["y"], _KEYS["w"], _KEYS["h"], help="lower left corner, width and height (u)")
    ball = Numbers(*(_KEYS[name] for name in ("x", "y", "z", "radius")), help="its centre and radius (u)")
    box = Numbers(*(_KEYS[name] for name in ("x", "y", "z", "w", "h", "d")), help="a corner, and its size (u)")
    stream = Many(circle, "points of a curve and how wide it is there: [[x, y, radius], ...]")
    areas = {"circle": circle, "rect": rect, "stream": stream, "ball": ball, "box": box}
    keys = {
        "prefab": _prefab_name(prefabs),
        "count": One(_KEYS["count"]),
        "at": Numbers(_KEYS["x"], _KEYS["y"], _KEYS["z"], help="exactly here (u)"),
        "area": OneOf(areas, help="somewhere in this area"),
        "velocity": Numbers(_KEYS["vx"], _KEYS["vy"], _KEYS["vz"], help="exactly this (u/s)"),
        "speed": Numbers(_KEYS["lowest"], _KEYS["highest"], help="start speeds between these two (u/s)"),
        "heading": One(_KEYS["heading"]),
        "points": Many(
            Numbers(_KEYS["x"], _KEYS["y"], help="a corner (u)"), "the corners of a wall: [[x, y], [x, y], ...]"
        ),
        "closed": One(_KEYS["closed"]),
    }
    components = {component.__name__: _component_schema(component, Varied, prefabs) for component in app.components}
    return Table({**keys, **components}, required=("prefab",))


def _component_schema(component: ComponentType, numeric: type[One], prefabs: tuple[str, ...] | None) -> Table:
    keys = {
        name: (numeric if field.kind in SPREADS else One)(field, prefabs or ())
        for name, field in component.fields.items()
        if field.in_files
    }
    return Table(keys, help=component.__doc__ or "")


def _system_schema(system: type[System]) -> Table:
    keys = {name: One(field) for name, field in system.parameters.items()}
    if system.essential:
        return Essential(keys)
    return Switchable({"enabled": One(_KEYS["enabled"]), **keys})


class Switchable(Table):
    """The schema of a system's table: its parameters and `enabled`; true or false alone means `enabled`."""

    def read(self, source: TomlSource, path: KeyPath, value: Any) -> Any:
        if isinstance(value, bool):
            return {"enabled": value}
        if not isinstance(value, dict):
            return refuse(source, path, "must be true, false or a table")
        return super().read(source, path, value)

    def json_schema(self) -> JsonSchema:
        return {"anyOf": [{"type": "boolean"}, super().json_schema()]}


class Essential(Table):
    """The schema of the table of a system that can't be disabled: its parameters."""

    def read(self, source: TomlSource, path: KeyPath, value: Any) -> Any:
        if isinstance(value, bool) or (isinstance(value, dict) and "enabled" in value):
            return refuse(source, path, "can't be disabled: the world needs it")
        return super().read(source, path, value)
