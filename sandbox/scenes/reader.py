"""Reads and checks scene files; all mistakes are collected and raised together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from components.store.fields import DEEP, FLAT
from components.store.prefab import Prefab
from components.store.table import MOST_PREFABS
from sandbox.design.entries import made_entries, refuse_deep_fields, refuse_places
from sandbox.design.field_rules import Broken, broken_rule
from sandbox.design.kept_kinds import KEPT
from sandbox.design.prefabs import installed_names, installed_prefabs, made_prefabs
from sandbox.design.resource_tables import read_resources, read_settings
from sandbox.design.scene import Entry, Scene
from sandbox.design.scene_schema import FORMAT, MODS, scene_schema
from sandbox.mods.find.versions import Requirement
from sandbox.mods.load.loaded_mods import NO_MODS, LoadedMods
from sandbox.toml.key_places import KeyPath
from sandbox.toml.mistakes import Mistake, SceneError
from sandbox.toml.schemas import WRONG, Anything, refuse
from sandbox.toml.source import TomlSource, read_toml
from systems.engine.app import App

__all__ = ["Mistake", "SceneError", "read_scene", "scene_of"]


def read_scene(path: Path | str, mods: LoadedMods = NO_MODS, axes: str = "") -> Scene:
    """Read and check a scene file, which may use these mods.

    Args:
        axes: see `scene_of`.
    Raises:
        SceneError: with every mistake in the file, each with its place.
    """
    scene = scene_of(read_toml(path), mods, axes)
    scene.folder = Path(path).absolute().parent
    return scene


def scene_of(source: TomlSource, mods: LoadedMods = NO_MODS, axes: str = "") -> Scene:
    """Make the scene that a parsed file describes.

    Args:
        axes: those of the world for which the mods must fit, if not of that in the file.
    Raises:
        SceneError: with every mistake in the file, each with its place.
    """
    _check_format(source)
    mods = mods.fitting(axes or axes_of(source.data))
    app = mods.assembly.app
    names = _prefab_names(source, app)
    optional = _optional_mods(source.data)
    schema = scene_schema(app, names, mods_absent=bool(optional - {mod.id for mod in mods.loaded}))
    kept = optional - schema.keys.keys()
    schema.keys = {**schema.keys, **dict.fromkeys(kept, Anything())}
    read = schema.read(source, (), source.data)
    given: dict[str, Any] = {} if read is WRONG else read
    tables, spawns, named = given.get("prefabs", {}), given.get("spawn", []), given.get("mods", {})
    prefabs = _prefabs(source, app, names, tables)
    settings = read_settings(given.get("world", {}))
    for name in tables if settings.axes == FLAT else ():
        refuse_deep_fields(source, app, ("prefabs", name), tables[name])
    entries = made_entries(source, app, settings.axes, spawns, prefabs)
    _check_rules(source, settings.edges, prefabs, tables, zip(spawns, entries, strict=True))
    _check_mods(source, named, mods)
    source.refuse_mistakes()
    return Scene(
        name=given.get("name", Path(source.file).stem),
        description=given.get("description", ""),
        seed=given.get("seed", 0),
        settings=settings,
        prefabs=prefabs,
        entries=entries,
        systems=given.get("systems", {}),
        tables={table: given.get(table, {}) for table in KEPT},
        resources=read_resources(given.get("resources", {}), app),
        mods={key: [name for _, name in listed] for key, listed in named.items()},
        kept={key: given[key] for key in source.data if key in kept},
        text=source.text,
        loaded=mods.loaded,
    )


def axes_of(data: Mapping[str, Any]) -> str:
    """Return the axes of the world that a file describes, before it is checked."""
    world = data.get("world")
    size = world.get("size") if isinstance(world, dict) else None
    return DEEP if isinstance(size, list) and len(size) == len(DEEP) and size[-1] else FLAT


def _check_format(source: TomlSource) -> None:
    """Check the version of the format; for a newer one report only that, because its keys have other meanings."""
    value = source.data.get("format")
    if value is None:
        source.mistake((), f"must begin with format = {FORMAT}")
    elif isinstance(value, int) and value > FORMAT:
        refuse(source, ("format",), f"this version reads format {FORMAT}; a newer version of boids-sandbox reads it")
        source.refuse_mistakes()


def _prefab_names(source: TomlSource, app: App) -> tuple[str, ...]:
    """Return the names of the file's own prefabs in its order, then of installed ones that it does not redefine."""
    tables = source.data.get("prefabs")
    own = list(tables) if isinstance(tables, dict) else []
    names = tuple(dict.fromkeys([*own, *installed_names(app)]))
    if len(names) > MOST_PREFABS:
        first_beyond = own[len(own) - (len(names) - MOST_PREFABS)]
        source.mistake(("prefabs", first_beyond), f"with this the file has more than {MOST_PREFABS} prefabs")
        source.refuse_mistakes()
    return names


def _prefabs(source: TomlSource, app: App, names: tuple[str, ...], tables: Mapping[str, Any]) -> dict[str, Prefab]:
    for name, table in tables.items():
        refuse_places(source, ("prefabs", name), table)
    return made_prefabs(source, app, names, tables, installed_prefabs(app, names))


def _check_rules(
    source: TomlSource,
    edges: str,
    prefabs: Mapping[str, Prefab],
    tables: Mapping[str, Any],
    spawns: Iterable[tuple[tuple[KeyPath, Mapping[str, Any]], Entry]],
) -> None:
    """Note rules of several fields broken by the file's prefabs, and by entries unless it is noted at their prefab."""
    wrong = {}
    for name, prefab in prefabs.items():
        if broken := broken_rule(edges, prefab.components, prefab.values()):
            wrong[name] = broken
    for name in tables.keys() & wrong.keys():
        _note(source, ("prefabs", name), tables[name], wrong[name])
    for (path, table), entry in spawns:
        broken = broken_rule(edges, *entry.body(prefabs[entry.prefab]))
        if broken and (entry.prefab not in tables or entry.prefab not in wrong):
            _note(source, path, table, broken)


def _note(source: TomlSource, path: KeyPath, table: Mapping[str, Any], broken: Broken) -> None:
    """Note a broken rule at the field if the table has it, else at the table."""
    owner, _, name = broken.key.partition(".")
    if name in table.get(owner, {}):
        refuse(source, (*path, owner, name), broken.sentence)
    else:
        source.mistake(path, str(broken))


def _optional_mods(data: Mapping[str, Any]) -> set[str]:
    """Return the ids of optional mods: a table named like one is kept, whatever its contents."""
    mods = data.get("mods")
    optional = mods.get("optional") if isinstance(mods, dict) else None
    names = [name for name in optional if isinstance(name, str)] if isinstance(optional, list) else []
    found = set()
    for name in names:
        with suppress(ValueError):
            found.add(Requirement(name).id)
    return found


def _check_mods(source: TomlSource, named: Mapping[str, list[tuple[KeyPath, str]]], mods: LoadedMods) -> None:
    for key in MODS:
        for path, name in named.get(key, ()):
            try:
                wanted = Requirement(name)
            except ValueError as error:
                refuse(source, path, str(error))
                continue
            if key == "required" and (reason := mods.lacks(wanted)):
                refuse(source, path, reason)
