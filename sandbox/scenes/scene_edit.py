"""Edits the data of a scene file so that it describes other contents; what means the same stays as it was written."""

from __future__ import annotations

from collections.abc import Mapping, Set

from components.store.fields import DEEP, Kind
from components.store.records import ComponentType
from sandbox.design.resource_tables import declared_resources
from sandbox.mods.load.loaded_mods import LoadedMods
from sandbox.scenes.contents import Table, component_table, contents_of, system_table
from sandbox.scenes.reader import axes_of, scene_of
from sandbox.toml.source import DEEPEST
from sandbox.toml.value_source import ValueSource
from systems.engine.app import App

ORDER = "world", "prefabs", "spawn"  # of new tables; others come behind all that are there
OWN_WAY = "prefabs", "spawn", "systems"  # how these are edited
KEYS = ("prefab", "count", "at", "area", "velocity", "speed", "heading", "points", "closed")


def edit(data: Table, now: Table, origins: list[int | None], renamed: Mapping[str, str], mods: LoadedMods) -> Table:
    """Return the data of a scene file, edited so that it describes the contents `now`.

    Args:
        data: that of a valid file; its tables are edited in place.
        origins: for each `[[spawn]]` of the contents, the index of the one in the data from which it comes, or None.
        renamed: the names in the contents of the data's prefabs.
    """
    app = mods.assembly.app
    components = {component.__name__: component for component in app.components}
    defaults = {name: component_table(component, DEEP) for name, component in components.items()}
    renamed = {name: new for name, new in renamed.items() if name != new}
    before = contents_of(scene_of(ValueSource(data), mods, axes_of(now)), app, renamed)
    if "name" not in data:
        before["name"] = now["name"]  # the name is that of the file then
    if before == now and not renamed and origins == [*range(len(before["spawn"]))]:
        return data
    old = {key: bool(value) for key, value in data.items()}
    data |= {"prefabs": data.get("prefabs", {}), "spawn": data.get("spawn", []), "systems": data.get("systems", {})}
    _rename_fields(data, app)
    _rename_prefabs(data, renamed, components)
    _change(data, *({key: value for key, value in each.items() if key not in OWN_WAY} for each in (before, now)))
    _change_prefabs(data, now["prefabs"], defaults, mods)
    _change_spawns(data, before["spawn"], now, origins, defaults)
    _change_systems(data["systems"], before["systems"], now["systems"], app)
    emptied = {key for key, value in data.items() if value in ({}, []) and old.get(key, True)}
    return _in_order({key: value for key, value in data.items() if key not in emptied}, old)


def _in_order(data: Table, old: Mapping[str, bool]) -> Table:
    """Move new tables behind those that usually stand above them."""
    keys = [key for key in data if key in old or key not in ORDER]
    for n, key in enumerate(ORDER):
        if key in data and key not in old:
            keys.insert(max((keys.index(above) + 1 for above in ORDER[:n] if above in data), default=0), key)
    return {key: data[key] for key in keys}


def _change(data: Table, before: Table, now: Table) -> None:
    """Set the values of a table that differ, and delete keys that `now` lacks."""
    for key in before.keys() - now.keys():
        data.pop(key, None)
    for key, value in now.items():
        old = before.get(key, {} if isinstance(value, dict) else None)
        if isinstance(value, dict) and isinstance(old, dict) and "mean" not in {**value, **old}:
            inner = data.get(key, {})
            _change(inner, old, value)
            if inner or key not in before:
                data[key] = inner
        elif old != value:
            data[key] = value


def _rename_prefabs(data: Table, renamed: Mapping[str, str], components: Mapping[str, ComponentType]) -> None:
    """Rename prefabs wherever the data names them, except built-in ones in `extends`."""
    tables = data["prefabs"]
    for name, own in tables.items():
        extends = own.get("extends")
        if extends != name and extends in renamed and extends in tables:
            own["extends"] = renamed[extends]
    for own in data["spawn"]:
        own["prefab"] = renamed.get(own["prefab"], own["prefab"])
    for own in (*tables.values(), *data["spawn"]):
        for owner, component in components.items():
            for field in component.fields.values():
                named = own.get(owner, {}).get(field.name, []) if field.kind is Kind.PREFABS else []
                if not renamed.keys().isdisjoint(named):
                    own[owner][field.name] = [renamed.get(name, name) for name in named]
    data["prefabs"] = {renamed.get(name, name): own for name, own in tables.items()}


def _rename_fields(data: Table, app: App) -> None:
    """Rename fields to their present names if the data has those of an earlier version."""
    bodies = [*data["prefabs"].values(), *data["spawn"]]
    groups = [
        *((own, {kind.__name__: kind.fields for kind in app.components}) for own in bodies),
        (data.get("resources", {}), {name: kind.fields for name, kind in declared_resources(app).items()}),
        (data["systems"], {kind.name: kind.parameters for kind in app.systems}),
    ]
    for tables, declared in groups:
        for owner in (name for name in declared if isinstance(tables.get(name), dict)):
            for field in declared[owner].values():
                if field.was in tables[owner] and field.was not in declared[owner]:
                    tables[owner][field.name] = tables[owner].pop(field.was)


def _change_prefabs(data: Table, wanted: Table, defaults: Mapping[str, Table], mods: LoadedMods) -> None:
    """Edit `[prefabs]` until it defines the prefabs in `wanted`; other built-in ones stay as they are.

    Prefabs extend each other: in the file, a change in one is inherited by those that extend it, which did not happen
    in the running world. So they are made anew in each round, and those that differ are corrected, bases first.
    """
    tables, rest = data["prefabs"], {key: data[key] for key in ("format", "world", "mods") if key in data}
    for _ in range(2 * DEEPEST):
        made = contents_of(scene_of(ValueSource(rest | {"prefabs": tables}), mods), mods.assembly.app)["prefabs"]
        wrong = [name for name in wanted if made.get(name) != wanted[name]]
        gone = tables.keys() - wanted.keys()
        if not gone and not wrong:
            return
        for name in gone:
            del tables[name]
        bases = {name: made[name] for name in made if name not in tables and name not in wrong}
        for name in wrong:
            heir_of = tables.get(name, {}).get("extends")
            if heir_of in wrong and heir_of != name:
                continue
            if name not in tables:
                own = {name: made[name]} if name in made else {}
                tables[name] = _shortest(wanted[name], {**own, **bases}, defaults)
            elif made[name].keys() - wanted[name].keys():
                tables[name] = _shortest(wanted[name], {}, defaults)
            else:
                for key, value in _differing(wanted[name], made[name], defaults).items():
                    if isinstance(value, dict):
                        tables[name].setdefault(key, {}).update(value)
                    elif value:
                        tables[name][key] = value
                    else:
                        del tables[name][key]


def _shortest(wanted: Table, bases: Mapping[str, Table], defaults: Mapping[str, Table]) -> Table:
    """Return a table for a prefab that extends the one of these that makes it shortest, or none."""
    fitting = {base: made for base, made in bases.items() if made.keys() <= wanted.keys()}
    told = [{"extends": base, **_differing(wanted, {**made, "help": ""}, defaults)} for base, made in fitting.items()]
    told.append(_differing(wanted, {"help": ""}, defaults))
    return min(told, key=lambda table: sum(len(value) if isinstance(value, dict) else 0 for value in table.values()))


def _differing(wanted: Table, made: Table, defaults: Mapping[str, Table]) -> Table:
    """Return the part of `wanted` that differs from `made`, for the prefab's table."""
    told: Table = {"help": wanted["help"]} if wanted["help"] != made["help"] else {}
    for name, fields in wanted.items():
        if name != "help":
            known = made.get(name, defaults[name])
            differs = {key: value for key, value in fields.items() if value != known[key]}
            if differs or name not in made:
                told[name] = differs
    return told


def _change_spawns(
    data: Table, before: list[Table], now: Table, origins: list[int | None], defaults: Mapping[str, Table]
) -> None:
    found = []
    for origin, spawn in zip(origins, now["spawn"], strict=True):
        if origin is None:
            found.append(_short(spawn, defaults.keys() - now["prefabs"][spawn["prefab"]].keys(), defaults))
        else:
            _change(data["spawn"][origin], before[origin], spawn)
            found.append(data["spawn"][origin])
    data["spawn"] = found


def _short(spawn: Table, beyond: Set[str], defaults: Mapping[str, Table]) -> Table:
    """Return a table in the usual order, without the defaults of components that the prefab lacks."""
    ordered = {key: spawn[key] for key in KEYS if key in spawn} | spawn
    for name in beyond & spawn.keys():
        ordered[name] = {key: value for key, value in ordered[name].items() if value != defaults[name][key]}
    if ordered.get("count") == 1:
        del ordered["count"]
    return ordered


def _change_systems(given: Table, before: Table, now: Table, app: App) -> None:
    for system in app.systems:
        name, default = system.name, system_table(system, {})
        if isinstance(given.get(name), dict):
            _change(given[name], before[name], now[name])
        elif now[name] != before[name]:
            differs = {key: value for key, value in now[name].items() if value != default[key]}
            given[name] = now[name]["enabled"] if differs.keys() <= {"enabled"} else differs
