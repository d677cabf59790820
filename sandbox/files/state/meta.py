"""Makes `meta`, the JSON part of a state beside its arrays."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from components.store.fields import Field, Kind
from components.store.prefab import Prefab
from components.store.records import ComponentType
from components.store.world import World
from sandbox.design.kept_kinds import KEPT
from sandbox.design.resource_tables import shown_resource
from sandbox.design.scene import Scene
from sandbox.files.state.grids import shown_grids
from sandbox.mods.run.host import ModHost
from sandbox.mods.run.needed import mods_of, needed_prefabs, shown_shapes
from systems.engine.pipeline import Pipeline
from systems.engine.settings import Settings
from systems.engine.system import Phase, System

FORMAT = 1  # of states; digests depend on it
NOT_DIGESTED = "name", "description", "versions", "usual", *KEPT
NAMING = Kind.CHOICE, Kind.PREFABS  # a usual value of these may name what is gone when the file is read
MOST_KEPT = 256  # kept tables of prefabs


def meta_of(world: World, *, drawn: bool = True, prefabs: bool = True) -> dict[str, Any]:
    """Return all of a state that is in no column; `drawn`: also fields of resources that matter only for drawing."""
    scene, resources = world.resource(Scene), _shown_resources(world, drawn=drawn)
    components, names = world.table.components, tuple(world.prefabs)
    systems = {system.name: _shown_system(system) for system in world.resource(Pipeline).systems}
    return {
        "format": FORMAT,
        "name": scene.name,
        "description": scene.description,
        "tick": world.tick,
        "seed": world.seed,
        "next_serial": world.next_serial,
        "world": resources.pop("Settings"),
        "prefabs": [_shown_prefab(prefab, components, names) for prefab in needed_prefabs(world) if prefabs],
        "systems": {name: shown for name, shown in systems.items() if shown},
        "resources": resources,
        **({"grids": grids} if (grids := shown_grids(world, drawn=drawn)) else {}),
        **{table: shown for table, kind in KEPT.items() if (shown := kind.shown(world.resource(kind).kept))},
        **({"usual": usual} if drawn and (usual := _shown_usual(world)) else {}),
        **({"shapes": shapes} if (shapes := shown_shapes(world)) else {}),
        "mods": mods_of(world, scene.mods),
        "versions": {name: str(mod.manifest.version) for name, mod in world.resource(ModHost).mods.items()},
    }


def canonical(world: World, *, prefabs: bool = True) -> bytes:
    """Serialise `meta` canonically, without names, versions, tables of `KEPT` and all that matters only for drawing.

    Args:
        prefabs: include prefabs, which are most of the text.
    """
    meta = meta_of(world, drawn=False, prefabs=prefabs)
    rest = {key: value for key, value in meta.items() if key not in NOT_DIGESTED}
    rest["prefabs"] = [{key: value for key, value in table.items() if key != "help"} for table in meta["prefabs"]]
    drawing = {system.name for system in world.resource(Pipeline).systems if system.phase is Phase.RENDER}
    rest["systems"] = {name: table for name, table in meta["systems"].items() if name not in drawing}
    return json.dumps(rest, sort_keys=True, separators=(",", ":"), allow_nan=False).encode()


def _shown_prefab(prefab: Prefab, components: Mapping[str, ComponentType], names: tuple[str, ...]) -> dict[str, Any]:
    kinds = [components[owner] for owner in prefab.components]
    known = _prefab_cache.get(prefab.name)
    if known is not None and known[0] is prefab and known[1:3] == (names, kinds):
        return known[3]
    tables = {
        kind.__name__: {name: kind.fields[name].show(value, names) for name, value in values.items()}
        for kind, values in zip(kinds, prefab.components.values(), strict=True)
    }
    shown = {"name": prefab.name, "help": prefab.help, **tables}
    if len(_prefab_cache) > MOST_KEPT:
        _prefab_cache.clear()
    _prefab_cache[prefab.name] = prefab, names, kinds, shown
    return shown


def _shown_usual(world: World) -> dict[str, dict[str, dict[str, Any]]]:
    """Return the values at 100 % of fields of prefabs that have another value now, by prefab and component."""
    components, found = world.table.components, dict[str, dict[str, dict[str, Any]]]()
    for before, now in zip(world.resource(Scene).usual_prefabs.values(), needed_prefabs(world)):  # in the same order
        if before.components == now.components:
            continue
        for owner, values in now.components.items():
            usual, fields = before.components.get(owner, {}), components[owner].fields
            other = {
                name: fields[name].within(_shown_in_full(fields[name], usual[name]))
                for name, value in values.items()
                if usual.get(name, value) != value and fields[name].kind not in NAMING
            }
            if other:
                found.setdefault(now.name, {})[owner] = other
    return found


_prefab_cache: dict[str, tuple[Prefab, tuple[str, ...], list[ComponentType], dict[str, Any]]] = {}
"""A cache by name: prefabs seldom change, and most worlds have the same ones."""


def _shown_system(system: System) -> dict[str, Any]:
    """Return the values of a system that differ from its declaration."""
    stored = {name: value for name, value in system.stored.items() if name in system.parameters}
    changed = {
        name: _shown_in_full(system.parameters[name], value)
        for name, value in stored.items()
        if value != system.parameters[name].default
    }
    return changed if system.enabled else {"enabled": False, **changed}


def _shown_resources(world: World, *, drawn: bool) -> dict[str, dict[str, Any]]:
    """Return the tables of declared resources by name; except Settings, those with only default values are left out.

    `drawn`: also what matters only for drawing.
    """
    names, found = tuple(world.prefabs), {}
    for name, kind in world.declared.items():
        resource = world.resource(kind)
        if not drawn and all(field.drawn for field in kind.fields.values()):
            continue
        if name == Settings.__name__ or resource != kind():
            shown = shown_resource(kind, resource.stored, names)
            found[name] = {key: value for key, value in shown.items() if drawn or not kind.fields[key].drawn}
    return found


def _shown_in_full(field: Field, value: Any) -> Any:
    """Convert a value to a file's, with numbers in full precision: values outside of columns are float64."""
    return float(value) if field.kind is Kind.NUMBER else field.show(value)
