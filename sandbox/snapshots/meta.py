"""What a snapshot says beside its arrays, as JSON: made from a simulation, and checked before one is made of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from components.store.fields import Field, Kind, Stored, declared, nearest
from components.store.resources import Resource
from components.store.table import ComponentType
from components.store.world import Prefab
from sandbox.mods.loaded_mods import LoadedMods
from sandbox.mods.needed import mods_of, needed_prefabs
from sandbox.mods.versions import Requirement
from sandbox.reading.scene_format import MOST_PREFABS, Keys
from sandbox.scene import Scene
from sandbox.simulation import Simulation
from systems.core.hand import FIELDS as HAND
from systems.core.hand import Hand
from systems.core.install import App
from systems.core.ledger import Ledger
from systems.core.pipeline import System
from systems.core.settings import BACKDROPS, EDGES, Settings

FORMAT = 1
MOST_TEXT = 4096
MOST_NUMBER = 2**62  # so that serials never leave int64
KEYS = declared(Keys)  # the bounds are those of a scene file
SETTINGS = tuple(field.name for field in fields(Settings))
MOST_BOOKED = 2**100  # Python's whole numbers have no end, and a file should


@dataclass(frozen=True)
class Meta:
    """What `meta` says: the scene (without entries), how far it ran, what was counted, and what mods keep."""

    scene: Scene
    tick: int
    next_serial: int
    ledger: Ledger
    hand: Hand | None
    resources: Mapping[type, Resource]


def meta_of(simulation: Simulation) -> dict[str, Any]:
    """All that is state, or a name, and in no column."""
    world = simulation.world
    components, names = world.table.components, tuple(world.prefabs)
    return {
        "format": FORMAT,
        "name": simulation.scene.name,
        "description": simulation.scene.description,
        "tick": world.tick,
        "seed": world.seed,
        "next_serial": world.next_serial,
        "world": _shown_settings(world.resource(Settings)),
        "prefabs": [_shown_prefab(prefab, components, names) for prefab in needed_prefabs(world)],
        "systems": {system.name: shown for system in simulation.pipeline.systems if (shown := _shown_system(system))},
        "resources": {
            **_shown_ledger(world.resources.get(Ledger, Ledger())),
            **_shown_hand(world.resources.get(Hand)),
            **_shown_declared(simulation),
        },
        "mods": mods_of(simulation),
    }


def canonical(meta: Mapping[str, Any]) -> bytes:
    """`meta` without names and descriptions, as the one JSON text that means it."""
    rest = {key: value for key, value in meta.items() if key not in ("name", "description")}
    rest["prefabs"] = [{key: value for key, value in table.items() if key != "help"} for table in meta["prefabs"]]
    return json.dumps(rest, sort_keys=True, separators=(",", ":"), allow_nan=False).encode()


def read_meta(text: bytes, app: App, mods: LoadedMods) -> Meta:
    """Check everything that `meta` says.

    Args:
        app: the parts there are, those of `mods` among them.
    Raises:
        ValueError: what is wrong and what would be right.
    """
    try:
        meta = json.loads(text.decode(), object_pairs_hook=_unique, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise ValueError("meta is not a JSON text") from None
    newest = _get(_table("meta", meta), "format", int)
    if newest > FORMAT:
        raise ValueError(f"has format {newest}, and this version reads up to {FORMAT}: a newer version opens it")
    if newest < 1:
        raise ValueError(f"meta: format = {newest}: must be 1 to {FORMAT}")
    named = _mods(_get(meta, "mods", dict), mods)
    resources, by_name = _get(meta, "resources", dict), {kind.__name__: kind for kind in app.resources}
    if others := resources.keys() - {"Ledger", "Hand", *by_name}:
        raise ValueError(f"holds resources that this version does not know: {', '.join(sorted(others))}")
    scene = Scene(
        name=_text(meta, "name"),
        description=_text(meta, "description"),
        seed=_whole(meta, "seed"),
        settings=_settings(_get(meta, "world", dict)),
        prefabs=_prefabs(_get(meta, "prefabs", list), {component.__name__: component for component in app.components}),
        systems=_systems(_get(meta, "systems", dict), {system.name: system for system in app.systems}),
        mods=named,
        loaded=mods.loaded,
    )
    ledger = _ledger(_table("resources.Ledger", resources.get("Ledger", {})))
    hand = _hand(_table("resources.Hand", resources["Hand"])) if "Hand" in resources else None
    kept = {
        kind: _declared(kind, _table(f"resources.{name}", resources[name]))
        for name, kind in by_name.items()
        if name in resources
    }
    return Meta(scene, _whole(meta, "tick"), _whole(meta, "next_serial"), ledger, hand, kept)


def _shown_prefab(prefab: Prefab, components: Mapping[str, ComponentType], names: tuple[str, ...]) -> dict[str, Any]:
    tables = {
        owner: {name: components[owner].fields[name].show(value, names) for name, value in values.items()}
        for owner, values in prefab.components.items()
    }
    return {"name": prefab.name, "help": prefab.help, **tables}


def _shown_settings(settings: Settings) -> dict[str, Any]:
    values = {name: getattr(settings, name) for name in SETTINGS}
    return {name: value if isinstance(value, str) else _exactly(KEYS[name], value) for name, value in values.items()}


def _exactly(field: Field, value: Any) -> Any:
    """A value as files write it, but a number in full: what is in no column was never rounded to float32."""
    return float(value) if field.kind is Kind.NUMBER else field.show(value)


def _shown_system(system: System) -> dict[str, Any]:
    """What of a system differs from its declaration."""
    stored = {name: getattr(system, name) for name in system.parameters}
    changed = {
        name: _exactly(system.parameters[name], value)
        for name, value in stored.items()
        if value != system.parameters[name].default
    }
    return changed if system.enabled else {"enabled": False, **changed}


def _shown_ledger(ledger: Ledger) -> dict[str, dict[str, int]]:
    booked = asdict(ledger)
    return {"Ledger": booked} if any(booked.values()) else {}


def _ledger(values: Mapping[str, Any]) -> Ledger:
    known = [field.name for field in fields(Ledger)]
    for name in values:
        if name not in known:
            near = f"; did you mean {close!r}?" if (close := nearest(name, known)) else ""
            raise ValueError(f"resources.Ledger: there is no field {_short(name)}{near}")
    return Ledger(**{name: _whole(values, name, MOST_BOOKED) for name in values})


def _shown_declared(simulation: Simulation) -> dict[str, dict[str, Any]]:
    """What the resources that mods declared hold, where it is not what they began with."""
    found = {}
    for kind in (kind for part in simulation.mods.parts.values() for kind in part.resources):
        stored = simulation.world.resource(kind).stored
        changed = {
            field.name: _many(field, [_exactly(field, stored[column]) for column in field.columns])
            for field in kind.fields.values()
            if not field.transient and any(stored[column] != field.default for column in field.columns)
        }
        if changed:
            found[kind.__name__] = changed
    return found


def _many(field: Field, values: list[Any]) -> Any:
    """Both values of a vector, or the one of anything else."""
    return values if field.kind is Kind.VECTOR else values[0]


def _declared(kind: type[Resource], values: Mapping[str, Any]) -> Resource:
    made, where = kind(), f"resources.{kind.__name__}"
    for name, value in values.items():
        field = kind.fields.get(name)
        if field is None or field.transient:
            near = f"; did you mean {close!r}?" if (close := nearest(name, tuple(kind.fields))) else ""
            raise ValueError(f"{where}: there is no field {_short(name)}{near}")
        parts = value if field.kind is Kind.VECTOR else [value]
        if not isinstance(parts, list) or len(parts) != len(field.columns):
            raise ValueError(f"{where}.{name} = {_short(value)}: must be two numbers")
        try:
            made.stored |= {key: field.parse(part) for key, part in zip(field.columns, parts, strict=True)}
        except (ValueError, OverflowError) as error:
            raise ValueError(f"{where}.{name} = {_short(value)}: {error}") from None
    return made


def _shown_hand(hand: Hand | None) -> dict[str, dict[str, float]]:
    return {"Hand": asdict(hand)} if hand else {}


def _hand(values: Mapping[str, Any]) -> Hand:
    found = _values(values, HAND, {}, "resources.")
    if missing := [name for name in HAND if name not in found]:
        raise ValueError(f"meta: resources.Hand.{missing[0]} is missing")
    return Hand(**found)


def _settings(values: Mapping[str, Any]) -> Settings:
    if missing := [name for name in SETTINGS if name not in values]:
        raise ValueError(f"meta: world.{missing[0]} is missing")
    found: dict[str, Any] = _values(values, {name: KEYS[name] for name in SETTINGS}, {}, "world: ")
    return Settings(**{**found, "edges": EDGES[found["edges"]], "backdrop": BACKDROPS[found["backdrop"]]})


def _prefabs(tables: list[Any], components: Mapping[str, ComponentType]) -> dict[str, Prefab]:
    names = [_text(_table("a prefab", table), "name") for table in tables]
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
                owner: _values(_table(where + owner, values), known_component(owner, components).fields, index, where)
                for owner, values in rest.items()
            },
            _text(table, "help"),
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


def _systems(tables: Mapping[str, Any], systems: Mapping[str, System]) -> dict[str, dict[str, Stored]]:
    found = {}
    for name, table in tables.items():
        if name not in systems:
            raise ValueError(f"needs the system {name!r}, which this program lacks: enable the mod that brings it")
        values = dict(_table(f"system {name}", table))
        enabled = {"enabled": _get(values, "enabled", bool)} if "enabled" in values else {}
        values.pop("enabled", None)
        if systems[name].essential and not enabled.get("enabled", True):
            raise ValueError(f"system {name} can't be switched off: the world needs it")
        found[name] = enabled | _values(values, systems[name].parameters, {}, "system ")
    return found


def _values(
    values: Mapping[str, Any], declared: Mapping[str, Field], prefabs: Mapping[str, int], where: str
) -> dict[str, Stored]:
    """Stored values of the declared fields that a table names."""
    found = {}
    for name, value in values.items():
        if name not in declared or declared[name].transient:
            near = f"; did you mean {close!r}?" if (close := nearest(name, tuple(declared))) else ""
            raise ValueError(f"{where}there is no field {name!r}{near}")
        try:
            found[name] = declared[name].parse(value, prefabs)
        except (ValueError, OverflowError) as error:
            raise ValueError(f"{where}{declared[name].key} = {_short(value)}: {error}") from None
    return found


def _mods(tables: Mapping[str, Any], mods: LoadedMods) -> dict[str, list[str]]:
    for key, names in tables.items():
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise ValueError(f"mods.{key}: must be a list of texts")
    for name in tables.get("required", ()):
        if reason := mods.lacks(Requirement.read(name)):
            raise ValueError(reason)
    return dict(tables)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice")
    return found


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number of JSON")


def _table(what: str, value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"{what}: must be a table")
    return value


def _get(table: Mapping[str, Any], key: str, kind: type) -> Any:
    """A value of the table that must be there and of this kind."""
    if key not in table:
        raise ValueError(f"meta: {key} is missing")
    if type(table[key]) is not kind:
        raise ValueError(f"meta: {key} must be a {kind.__name__}, not {_short(table[key])}")
    return table[key]


def _whole(table: Mapping[str, Any], key: str, most: int = MOST_NUMBER) -> int:
    value: int = _get(table, key, int)
    if not 0 <= value <= most:
        raise ValueError(f"meta: {key} = {_short(value)}: must be 0 to {most}")
    return value


def _short(value: object) -> str:
    return json.dumps(value)[:40]


def _text(table: Mapping[str, Any], key: str) -> str:
    value: str = _get(table, key, str)
    if len(value) > MOST_TEXT:
        raise ValueError(f"meta: {key} must have at most {MOST_TEXT} characters")
    return value
