"""Reads and checks `meta` of a state: a scene without entries, so the schemas of scene files check it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from components.look import SHAPES
from components.store.declare import integer
from components.store.fields import DEEP, FLAT
from components.store.prefab import Prefab
from components.store.records import ComponentType
from components.store.table import MOST_PREFABS
from sandbox.design.kept_kinds import KEPT
from sandbox.design.prefabs import ABOUT, brought_names
from sandbox.design.resource_tables import read_resources, resource_schema
from sandbox.design.scene import Scene
from sandbox.design.scene_schema import mods_schema, prefabs_schema, scene_schema
from sandbox.files.json_text import read_table
from sandbox.mods.find.versions import Requirement, read_version
from sandbox.mods.load.loaded_mods import LoadedMods
from sandbox.toml.schemas import Anything, One, Table
from sandbox.toml.value_source import ValueSource
from systems.engine.app import App
from systems.engine.settings import Settings

SETTINGS: type[Any] = Settings
LIKE_A_SCENE = ("name", "description", "seed", "prefabs", "systems", "resources", "mods")
MOST_NUMBER = 2**62  # so that serials always fit into int64


@dataclass(frozen=True)
class Meta:
    """The contents of `meta`: the scene (without entries), how far it ran, and the sizes of grids, still unchecked.

    Attributes:
        shapes: the present numbers of mods' shapes for `Look.shape`, by those in the file.
    """

    scene: Scene
    tick: int
    next_serial: int
    grids: Any
    shapes: Mapping[int, int]


def axes_in(text: bytes) -> str:
    """Return the axes of the world of a state, from its `meta`, before that is checked."""
    world = read_table(text, "meta").get("world")
    return DEEP if isinstance(world, dict) and world.get("depth") else FLAT


def read_meta(text: bytes, app: App, mods: LoadedMods) -> Meta:
    """Read and check `meta`.

    Args:
        app: all installed parts, including those of `mods`.
    Raises:
        ValueError: a value is invalid; the message says what would be right.
    """
    meta = read_table(text, "meta")
    source = ValueSource({**meta, "prefabs": _by_name(meta.get("prefabs"))})
    named = mods_schema().read(source, ("mods",), meta.get("mods", {}))
    source.refuse_mistakes()
    for _, name in named.get("required", ()):
        if reason := mods.lacks(Requirement(name)):
            raise ValueError(reason)
    _refuse_unknown(source.data, app)
    shapes = _known_shapes(meta.get("shapes", {}))
    read = _schema(app, tuple(source.data["prefabs"])).read(source, (), source.data)
    source.refuse_mistakes()
    resources = read_resources({**read["resources"], SETTINGS.__name__: read["world"]}, app)
    settings = SETTINGS()
    settings.stored = {**settings.stored, **resources.pop(SETTINGS.__name__)}
    prefabs = {
        name: Prefab(name, {key: value for key, value in table.items() if key not in ABOUT}, table.get("help", ""))
        for name, table in read["prefabs"].items()
    }
    if len({*prefabs, *brought_names(app)}) > MOST_PREFABS:
        raise ValueError(f"with the mods that are on there are more than {MOST_PREFABS} prefabs: disable one")
    scene = Scene(
        name=read["name"],
        description=read["description"],
        seed=read["seed"],
        settings=settings,
        prefabs=prefabs,
        usual=_usual(read.get("usual", {}), prefabs),
        systems=read["systems"],
        resources=resources,
        tables={table: read.get(table, {}) for table in KEPT},
        mods={key: [name for _, name in listed] for key, listed in named.items()},
        loaded=mods.loaded,
    )
    return Meta(scene, read["tick"], read["next_serial"], meta.get("grids", {}), shapes)


def _usual(tables: dict[str, dict[str, Any]], prefabs: Mapping[str, Prefab]) -> dict[str, Prefab]:
    """Return the prefabs of which a file gives values at 100 %, with these values.

    Raises:
        ValueError: a prefab lacks a component, or does not exist.
    """
    found = {}
    for name, table in tables.items():
        if name not in prefabs:
            raise ValueError(f"usual: there is no prefab {name!r:.60}")
        now = prefabs[name].components
        if others := sorted(table.keys() - now.keys()):
            raise ValueError(f"usual: the prefab {name} has no {others[0]}")
        found[name] = Prefab(name, {owner: {**own, **table.get(owner, {})} for owner, own in now.items()})
    return found


def other_versions(text: bytes, mods: LoadedMods) -> str:
    """Return the mods whose version differs from that in a file, as text for the end of an error; maybe ""."""
    now = {mod.id: mod.manifest.version for mod in mods.loaded}
    try:
        meta = json.loads(text)
        required = {Requirement(name).id for name in meta["mods"].get("required", ())}
        then = {mod: read_version(meta["versions"][mod]) for mod in sorted(required & now.keys())}
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return ""
    others = [f"{mod} {was}, and there is {now[mod]}" for mod, was in then.items() if was != now[mod]]
    return f" (written with {'; '.join(others)}: a field that was renamed must say was = ...)" if others else ""


def known_component(name: str, components: Mapping[str, ComponentType]) -> ComponentType:
    """Return the component of this name.

    Raises:
        ValueError: there is none.
    """
    if name not in components:
        raise ValueError(f"needs the component {name!r}, which this program lacks: enable the mod that brings it")
    return components[name]


def _known_shapes(named: Any) -> dict[int, int]:
    """Return the present number of each shape that a file names, by its number there.

    Raises:
        ValueError: there is no such shape, or this is no table of numbers by name.
    """
    if not isinstance(named, dict) or not all(type(number) is int for number in named.values()):
        raise ValueError('shapes: must be numbers by name, like {"kite": 77}')
    for name in named:
        if name not in SHAPES:
            raise ValueError(f"needs the shape {name!r}, which this program lacks: enable the mod that brings it")
    return {number: SHAPES.index(name) for name, number in named.items()}


def _schema(app: App, prefabs: tuple[str, ...]) -> Table:
    """Return the schema of `meta`; it ignores unknown keys."""
    scene = scene_schema(app, prefabs).keys
    numbers = {
        "tick": One(integer(0, "", 0, MOST_NUMBER, "how many ticks were done")),
        "next_serial": One(integer(1, "", 0, MOST_NUMBER, "the serial that is given next")),
    }
    keys = {**numbers, **{key: scene[key] for key in LIKE_A_SCENE}, "world": resource_schema(SETTINGS, prefabs)}
    kept = {table: scene[table] for table in KEPT} | {"usual": prefabs_schema(app, prefabs)}
    schema = Table({**keys, **kept, "versions": Anything()}, required=tuple(keys))
    schema.spare = lambda key: True
    return schema


def _by_name(prefabs: Any) -> dict[str, Any]:
    """Convert the list of prefabs to a table by name, as in a scene file, in the same order."""
    tables = prefabs if isinstance(prefabs, list) else [None]
    named = [table for table in tables if isinstance(table, dict) and isinstance(table.get("name"), str)]
    found = {table["name"]: table for table in named}
    if len(found) < len(tables) or len(tables) > MOST_PREFABS:
        raise ValueError(f"prefabs: must be a list of at most {MOST_PREFABS} tables, each of another name")
    return {name: {key: table[key] for key in table if key != "name"} for name, table in found.items()}


def _refuse_unknown(meta: Mapping[str, Any], app: App) -> None:
    """Raise ValueError if it has components, systems or resources that the program lacks."""
    components = {component.__name__: component for component in app.components}
    for table in meta["prefabs"].values():
        for owner in table.keys() - {"help"}:
            known_component(owner, components)
    for name in _unknown_keys(meta.get("systems"), (system.name for system in app.systems)):
        raise ValueError(f"needs the system {name!r}, which this program lacks: enable the mod that brings it")
    resources = {kind.__name__ for kind in app.resources} - {SETTINGS.__name__}
    if others := _unknown_keys(meta.get("resources"), resources):
        raise ValueError(f"holds resources that this version does not know: {', '.join(others)}")


def _unknown_keys(table: object, known: Iterable[str]) -> list[str]:
    """Return the unknown keys of a table; none if it is not a table."""
    return sorted(table.keys() - {*known}) if isinstance(table, dict) else []
