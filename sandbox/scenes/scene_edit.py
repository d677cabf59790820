"""Edits the text of a scene file so that it describes another design; lines that don't change stay as they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import tomlkit

from components.store.fields import Kind
from components.store.records import ComponentType
from sandbox.design.resource_tables import declared_resources
from sandbox.mods.load.loaded_mods import LoadedMods
from sandbox.scenes.design import Design, Table, design_of, shown_component, shown_system
from sandbox.scenes.prefab_edit import change_prefabs
from sandbox.scenes.reader import scene_of
from sandbox.toml.blocks import Blocks
from sandbox.toml.places import KeyPath
from sandbox.toml.source import TomlSource
from sandbox.toml.text import table
from systems.engine.app import App

ORDER = ("prefab", "count", "at", "area", "velocity", "speed", "heading", "points", "closed")


def edited(text: str, design: Design, origins: list[int | None], renamed: Mapping[str, str], mods: LoadedMods) -> str:
    """Edit the text of a scene so that it describes `design`.

    Args:
        text: the text of a valid scene.
        origins: for each of the design's spawns, the index of its `[[spawn]]` in the text, or None.
        renamed: the names in the design of the text's prefabs.
    Raises:
        LookupError, TypeError, ValueError, TOMLKitError: the text is written in a way that can't be edited in place.
    """
    source = TomlSource("scene.toml", text.encode())
    app = mods.assembly.app
    components = {component.__name__: component for component in app.components}
    renamed = {name: new for name, new in renamed.items() if name != new}
    old = design_of(scene_of(source, mods), app, renamed)
    data = source.data
    if "name" not in data:
        old.name = design.name  # the name is that of the file then
    if old == design and not renamed and origins == list(range(len(old.spawns))):
        return text
    blocks = Blocks(text)
    for key in ("name", "description", "seed"):
        if getattr(old, key) != getattr(design, key):
            blocks.set((key,), getattr(design, key))
    _rename_fields(blocks, data, app)
    _rename(blocks, data, renamed, components)
    _change_world(blocks, data, old.world, design.world)
    change_prefabs(blocks, design.prefabs, mods)
    unset = {name: shown_component(component) for name, component in components.items()}
    _change_spawns(blocks, old.spawns, design.spawns, origins, design.prefabs, unset)
    _change_systems(blocks, data, old.systems, design.systems, app)
    _change_table(blocks, data, "resources", old.resources, design.resources)
    for kind, tables in design.tables.items():
        _change_named(blocks, kind, old.tables[kind], tables)
    _change_table(blocks, data, "mods", {**old.mods}, {**design.mods})
    for key, value in design.kept.items():
        if value and key not in data:
            _append(blocks, tomlkit.dumps({key: value}))
    return blocks.text()


def change(blocks: Blocks, path: KeyPath, old: Table, new: Table) -> None:
    """Set the values of a table that differ, and delete keys that `new` lacks."""
    for key in old.keys() - new.keys():
        blocks.delete((*path, key))
    for key, value in new.items():
        before = old.get(key)
        if isinstance(value, dict) and isinstance(before, dict) and "mean" not in {**value, **before}:
            change(blocks, (*path, key), before, value)
        elif before != value:
            blocks.set((*path, key), value)


def _rename(
    blocks: Blocks, data: Mapping[str, Any], renamed: Mapping[str, str], components: Mapping[str, ComponentType]
) -> None:
    """Rename prefabs wherever the text names them, except built-in ones in `extends`."""
    if not renamed:
        return
    tables = data.get("prefabs", {})
    for name, own in tables.items():
        extends = own.get("extends")
        if extends != name and extends in renamed and extends in tables:
            blocks.set(("prefabs", name, "extends"), renamed[extends])
    paths = [(("prefabs", name), own) for name, own in tables.items()]
    for path, own in [*paths, *((("spawn", n), spawn) for n, spawn in enumerate(data.get("spawn", [])))]:
        if own.get("prefab") in renamed:
            blocks.set((*path, "prefab"), renamed[own["prefab"]])
        for owner, component in components.items():
            for field in component.fields.values():
                named = own.get(owner, {}).get(field.name, []) if field.kind is Kind.PREFABS else []
                if not renamed.keys().isdisjoint(named):
                    blocks.set((*path, owner, field.name), [renamed.get(name, name) for name in named])
    blocks.rename({name: new for name, new in renamed.items() if name in tables}, within="prefabs")


def _rename_fields(blocks: Blocks, data: Mapping[str, Any], app: App) -> None:
    """Rename fields to their present names if the text uses those of an earlier version."""
    bodies = [(("prefabs", name), own) for name, own in data.get("prefabs", {}).items()]
    bodies += [(("spawn", n), own) for n, own in enumerate(data.get("spawn", []))]
    groups = [
        *((path, own, {kind.__name__: kind.fields for kind in app.components}) for path, own in bodies),
        (("resources",), data.get("resources", {}), {n: kind.fields for n, kind in declared_resources(app).items()}),
        (("systems",), data.get("systems", {}), {kind.name: kind.parameters for kind in app.systems}),
    ]
    for path, tables, declared in groups:
        for owner in (name for name in declared if isinstance(tables.get(name), dict)):
            for field in declared[owner].values():
                if field.was in tables[owner] and field.was not in declared[owner]:
                    blocks.set((*path, owner, field.name), tables[owner][field.was])
                    blocks.delete((*path, owner, field.was))


def _change_world(blocks: Blocks, data: Mapping[str, Any], old: Table, new: Table) -> None:
    if "world" in data:
        change(blocks, ("world",), old, new)
    elif old != new:
        turn = {key: value for key, value in new["turn"].items() if value != old["turn"][key]}
        differs = {key: value for key, value in new.items() if value != old[key] and key != "turn"}
        text = table(("world",), differs | ({"turn": turn} if turn else {}))
        blocks.blocks[0].after.append(f"\n{text}")


def _change_spawns(
    blocks: Blocks,
    old: list[Table],
    new: list[Table],
    origins: list[int | None],
    prefabs: Mapping[str, Table],
    unset: Mapping[str, Table],
) -> None:
    """Edit the spawns in place; a new one is inserted behind the spawn before it, else behind all of them."""
    for gone in sorted({*range(len(old))} - {*origins}, reverse=True):
        blocks.delete(("spawn", gone))
    behind = blocks.last(("spawn",)) or blocks.last(("prefabs",)) or blocks.last(("world",)) or blocks.blocks[0]
    for origin, spawn in zip(origins, new):
        if origin is None:
            beyond = spawn.keys() & unset.keys() - prefabs[spawn["prefab"]].keys()
            told = _shortened(spawn, {name: unset[name] for name in beyond})
            behind.after.append(f"\n{table(('spawn',), told, many=True)}")
        else:
            one = {"count": 1} if "count" in old[origin] and not spawn.keys() & {"at", "points"} else {}
            change(blocks, ("spawn", origin), old[origin], one | spawn)
            behind = blocks.last(("spawn", origin)) or behind


def _shortened(spawn: Table, beyond: Mapping[str, Table]) -> Table:
    """Return a table in the usual order, without the defaults of components that the prefab lacks."""
    ordered = {key: spawn[key] for key in ORDER if key in spawn} | spawn
    for name in beyond:
        ordered[name] = {key: value for key, value in ordered[name].items() if value != beyond[name][key]}
    return ordered


def _change_systems(
    blocks: Blocks, data: Mapping[str, Any], old: Mapping[str, Table], new: Mapping[str, Table], app: App
) -> None:
    given, added = data.get("systems", {}), {}
    for system in app.systems:
        name, default = system.name, shown_system(system, {})
        if new[name] == old[name]:
            continue
        if isinstance(given.get(name), dict):
            change(blocks, ("systems", name), old[name], new[name])
            continue
        differs = {key: value for key, value in new[name].items() if value != default[key]}
        added[name] = new[name]["enabled"] if differs.keys() <= {"enabled"} else differs
    _change_table(blocks, data, "systems", {}, added)


def _change_named(blocks: Blocks, key: str, old: Mapping[str, Table], new: Mapping[str, Table]) -> None:
    for name in old.keys() - new.keys():
        blocks.delete((key, name))
    for name, values in new.items():
        if name in old:
            change(blocks, (key, name), old[name], values)
        else:
            _append(blocks, table((key, name), values))


def _change_table(blocks: Blocks, data: Mapping[str, Any], key: str, old: Table, new: Table) -> None:
    """Like `change`, but for a table that may not be in the text."""
    if key in data:
        change(blocks, (key,), old, new)
    elif new:
        _append(blocks, table((key,), new))


def _append(blocks: Blocks, text: str) -> None:
    blocks.blocks[-1].after.append(f"\n{text}")
