"""What a snapshot says beside its arrays, as JSON: made from a simulation, and checked before one is made of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from components.store.fields import Stored
from components.store.table import ComponentType
from components.store.world import Prefab
from sandbox.design.format import MOST_PREFABS
from sandbox.design.prefabs import brought_names
from sandbox.design.scene import MOST_SEED, Scene
from sandbox.mods.find.versions import Requirement, Version
from sandbox.mods.load.loaded_mods import LoadedMods
from sandbox.mods.run.needed import mods_of, needed_prefabs
from sandbox.simulation import Simulation
from sandbox.state.json_values import exactly, read_json, table_of, text_in, value_in, values_of, whole_in
from sandbox.state.resources import read_resources, shown_resources
from systems.engine.app import App
from systems.engine.pipeline import Phase, System
from systems.engine.settings import Settings

FORMAT = 1


@dataclass(frozen=True)
class Meta:
    """What `meta` says: the scene (without entries), and how far it ran."""

    scene: Scene
    tick: int
    next_serial: int


def meta_of(simulation: Simulation, *, drawn: bool = True) -> dict[str, Any]:
    """All that is state, or a name, and in no column; `drawn`: also of resources what is only for eyes."""
    world = simulation.world
    resources = shown_resources(world, drawn=drawn)
    components, names = world.table.components, tuple(world.prefabs)
    return {
        "format": FORMAT,
        "name": simulation.scene.name,
        "description": simulation.scene.description,
        "tick": world.tick,
        "seed": world.seed,
        "next_serial": world.next_serial,
        "world": resources.pop("Settings"),
        "prefabs": [_shown_prefab(prefab, components, names) for prefab in needed_prefabs(world)],
        "systems": {system.name: shown for system in simulation.pipeline.systems if (shown := _shown_system(system))},
        "resources": resources,
        "mods": mods_of(simulation.world, simulation.scene.mods),
        "versions": {name: str(mod.manifest.version) for name, mod in simulation.mods.mods.items()},
    }


def canonical(simulation: Simulation) -> bytes:
    """`meta` without names, descriptions, versions and what is only for eyes, as the one JSON text that means it."""
    meta = meta_of(simulation, drawn=False)
    rest = {key: value for key, value in meta.items() if key not in ("name", "description", "versions")}
    rest["prefabs"] = [{key: value for key, value in table.items() if key != "help"} for table in meta["prefabs"]]
    drawing = {system.name for system in simulation.pipeline.systems if system.phase is Phase.RENDER}
    rest["systems"] = {name: table for name, table in meta["systems"].items() if name not in drawing}
    return json.dumps(rest, sort_keys=True, separators=(",", ":"), allow_nan=False).encode()


def read_meta(text: bytes, app: App, mods: LoadedMods) -> Meta:
    """Check everything that `meta` says.

    Args:
        app: the parts there are, those of `mods` among them.
    Raises:
        ValueError: what is wrong and what would be right.
    """
    meta = read_json(text)
    newest = value_in(table_of("meta", meta), "format", int)
    if newest > FORMAT:
        raise ValueError(f"has format {newest}, and this version reads up to {FORMAT}: a newer version opens it")
    if newest < 1:
        raise ValueError(f"meta: format = {newest}: must be 1 to {FORMAT}")
    named = _mods(value_in(meta, "mods", dict), mods)
    prefabs = _prefabs(value_in(meta, "prefabs", list), {component.__name__: component for component in app.components})
    index = {name: place for place, name in enumerate(prefabs)}
    resources = read_resources(value_in(meta, "world", dict), value_in(meta, "resources", dict), app, index)
    settings: Any = Settings()
    settings.stored = {**settings.stored, **resources.pop(Settings.__name__)}
    scene = Scene(
        name=text_in(meta, "name"),
        description=text_in(meta, "description"),
        seed=whole_in(meta, "seed", MOST_SEED),
        settings=settings,
        prefabs=prefabs,
        systems=_systems(value_in(meta, "systems", dict), {system.name: system for system in app.systems}),
        resources=resources,
        mods=named,
        loaded=mods.loaded,
    )
    if len({*scene.prefabs, *brought_names(app)}) > MOST_PREFABS:
        raise ValueError(f"with the mods that are on there are more than {MOST_PREFABS} prefabs: disable one")
    return Meta(scene, whole_in(meta, "tick"), whole_in(meta, "next_serial"))


def other_versions(text: bytes, mods: LoadedMods) -> str:
    """Which mods have another version than a snapshot was written with, to stand behind an error; maybe none."""
    now = {mod.id: mod.manifest.version for mod in mods.loaded}
    try:
        meta = json.loads(text)
        required = {Requirement.read(name).id for name in meta["mods"].get("required", ())}
        then = {mod: Version.read(meta["versions"][mod]) for mod in sorted(required & now.keys())}
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return ""
    others = [f"{mod} {was}, and there is {now[mod]}" for mod, was in then.items() if was != now[mod]]
    return f" (written with {'; '.join(others)}: a field that was renamed must say was = ...)" if others else ""


def _shown_prefab(prefab: Prefab, components: Mapping[str, ComponentType], names: tuple[str, ...]) -> dict[str, Any]:
    tables = {
        owner: {name: components[owner].fields[name].show(value, names) for name, value in values.items()}
        for owner, values in prefab.components.items()
    }
    return {"name": prefab.name, "help": prefab.help, **tables}


def _shown_system(system: System) -> dict[str, Any]:
    """What of a system differs from its declaration."""
    stored = {name: getattr(system, name) for name in system.parameters}
    changed = {
        name: exactly(system.parameters[name], value)
        for name, value in stored.items()
        if value != system.parameters[name].default
    }
    return changed if system.enabled else {"enabled": False, **changed}


def _prefabs(tables: list[Any], components: Mapping[str, ComponentType]) -> dict[str, Prefab]:
    names = [text_in(table_of("a prefab", table), "name") for table in tables]
    if len(names) > MOST_PREFABS or len(set(names)) < len(names):
        raise ValueError(f"prefabs: must be at most {MOST_PREFABS}, each of another name")
    index = {name: place for place, name in enumerate(names)}
    found = {}
    for table in tables:
        rest = {key: value for key, value in table.items() if key not in ("name", "help")}
        where = f"prefab {table['name']!r}: "
        found[table["name"]] = Prefab(
            table["name"],
            {
                owner: values_of(
                    table_of(where + owner, values), known_component(owner, components).fields, index, where
                )
                for owner, values in rest.items()
            },
            text_in(table, "help"),
        )
    return found


def known_component(name: str, components: Mapping[str, ComponentType]) -> ComponentType:
    """The component of that name.

    Raises:
        ValueError: when the program has none.
    """
    if name not in components:
        raise ValueError(f"needs the component {name!r}, which this program lacks: enable the mod that brings it")
    return components[name]


def _systems(tables: Mapping[str, Any], systems: Mapping[str, type[System]]) -> dict[str, dict[str, Stored]]:
    found = {}
    for name, table in tables.items():
        if name not in systems:
            raise ValueError(f"needs the system {name!r}, which this program lacks: enable the mod that brings it")
        values = dict(table_of(f"system {name}", table))
        enabled = {"enabled": value_in(values, "enabled", bool)} if "enabled" in values else {}
        values.pop("enabled", None)
        if systems[name].essential and not enabled.get("enabled", True):
            raise ValueError(f"system {name} can't be switched off: the world needs it")
        found[name] = enabled | values_of(values, systems[name].parameters, {}, "system ")
    return found


def _mods(tables: Mapping[str, Any], mods: LoadedMods) -> dict[str, list[str]]:
    for key, names in tables.items():
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise ValueError(f"mods.{key}: must be a list of texts")
    for name in tables.get("required", ()):
        if reason := mods.lacks(Requirement.read(name)):
            raise ValueError(reason)
    return dict(tables)
