"""Reading a scene file: every mistake is found, or the scene is whole."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from components.flock import EVERYONE
from components.store.fields import Stored
from components.store.world import Prefab
from sandbox.mistakes import Mistake, SceneError
from sandbox.parts import BUILT_IN
from sandbox.scene import Circle, Entry, Rect, Scene, Spread
from sandbox.scene_format import FARTHEST, FORMAT, MODS, MOST_ENTITIES, prefabs_shape, scene_shape
from sandbox.shapes import WRONG, Anything, refuse
from sandbox.toml_places import KeyPath
from sandbox.toml_source import TomlSource, label, read_toml
from systems.core.install import App, installed
from systems.core.settings import EDGES, Settings

__all__ = ["Mistake", "SceneError", "read_scene", "scene_of"]

_MOD = re.compile(r"\s*([A-Za-z][A-Za-z0-9_-]{0,63})\s*((>=|<=|==|>|<)\s*\d+(\.\d+){0,3}\s*)?")
_BY_SPAWN = {"Position": "at or area", "Velocity": "velocity, or speed and heading"}

Components = dict[str, dict[str, Any]]


def read_scene(path: Path | str) -> Scene:
    """Read and check a scene file.

    Raises:
        SceneError: with every mistake in the file, each with its place.
    """
    return scene_of(read_toml(path))


def scene_of(source: TomlSource) -> Scene:
    """The scene that a parsed file describes.

    Raises:
        SceneError: with every mistake in the file, each with its place.
    """
    _refuse_newer_format(source)
    app = installed(BUILT_IN)
    built_in = TomlSource("prefabs.toml", (files("sandbox") / "prefabs.toml").read_bytes())
    own = source.data.get("prefabs", {})
    names = dict.fromkeys([*(own if isinstance(own, dict) else ()), *built_in.data["prefabs"]])
    shape = scene_shape(app, names)
    kept = _optional_mods(source.data) - set(shape.keys)
    shape.keys = {**shape.keys, **dict.fromkeys(kept, Anything())}
    read = shape.read(source, (), source.data)
    given = {} if read is WRONG else read
    built_in_prefabs = prefabs_shape(app, tuple(names)).read(built_in, ("prefabs",), built_in.data["prefabs"])
    built_in.refuse_mistakes()
    prefabs = _prefabs(source, app, given.get("prefabs", {}), built_in_prefabs)
    settings = _settings(given.get("world", {}))
    if settings.edges == "wrap":
        _refuse_everyone_on_a_torus(source, given)
    _check_mods(source, given.get("mods", {}))
    entries = [_entry(source, path, spawn, app, prefabs) for path, spawn in given.get("spawn", ())]
    _refuse_crowd(source, given.get("spawn", ()))
    source.refuse_mistakes()
    return Scene(
        name=given.get("name", Path(source.file).stem),
        description=given.get("description", ""),
        seed=given.get("seed", 0),
        settings=settings,
        prefabs=prefabs,
        entries=entries,
        systems=given.get("systems", {}),
        mods={key: [name for _, name in mods] for key, mods in given.get("mods", {}).items()},
        kept={key: given[key] for key in source.data if key in kept},
    )


def _refuse_newer_format(source: TomlSource) -> None:
    """In a newer format other keys mean other things: say only that."""
    value = source.data.get("format")
    if isinstance(value, int) and value > FORMAT:
        refuse(source, ("format",), f"this version reads format {FORMAT}; a newer version of boids-sandbox reads it")
        source.refuse_mistakes()


def _optional_mods(data: Mapping[str, Any]) -> set[str]:
    mods = data.get("mods")
    optional = mods.get("optional") if isinstance(mods, dict) else ()
    names = [name for name in optional if isinstance(name, str)] if isinstance(optional, list) else []
    return {match[1] for name in names if (match := _MOD.fullmatch(name))}


def _check_mods(source: TomlSource, mods: Mapping[str, list[tuple[KeyPath, str]]]) -> None:
    for key in MODS:
        for path, name in mods.get(key, ()):
            match = _MOD.fullmatch(name)
            if not match:
                refuse(source, path, 'must be a mod\'s name, maybe with a version: "magnet >= 1.0"')
            elif key == "required":
                refuse(
                    source,
                    path,
                    f"the mod {match[1]} is not enabled. This version of boids-sandbox loads no mods yet: "
                    "move it to `optional` to open the scene without it",
                )


def _settings(world: Mapping[str, Any]) -> Settings:
    plain = {key: value for key, value in world.items() if key not in ("size", "turn", "edges")}
    settings = Settings(**plain, **world.get("turn", {}))
    settings.width, settings.height = world.get("size", (settings.width, settings.height))
    settings.edges = EDGES[world["edges"]] if "edges" in world else settings.edges
    return settings


def _prefabs(source: TomlSource, app: App, own: Mapping[str, Any], built_in: Mapping[str, Any]) -> dict[str, Prefab]:
    """The file's prefabs in its order, then the built-in ones it does not redefine."""
    made: dict[str, Prefab] = {}
    for name in [*own, *(name for name in built_in if name not in own)]:
        chain = _chain(source, name, own, built_in)
        components: Components = {}
        for table in reversed(chain):
            for component, fields in table.items():
                if component not in ("extends", "help"):
                    components.setdefault(component, _defaults(app, component)).update(fields)
        made[name] = Prefab(name, components, chain[0].get("help", ""))
    for name, table in own.items():
        for component in table.keys() & _BY_SPAWN:
            _refuse_by_spawn(source, ("prefabs", name, component), table[component])
    return made


def _chain(source: TomlSource, name: str, own: Mapping[str, Any], built_in: Mapping[str, Any]) -> list[Any]:
    """A prefab's table and those it extends, up to the first. One that extends its own name means the built-in."""
    chain, seen = [], []
    tables: Mapping[str, Any] = own if name in own else built_in
    while True:
        seen.append(name)
        table = tables.get(name, {})
        chain.append(table)
        other = table.get("extends")
        if other is None:
            return chain
        if other == name and name in built_in and tables is own:
            tables = built_in
        elif other in seen:
            circle = " -> ".join([*seen[seen.index(other) :], other])
            refuse(source, ("prefabs", seen[0], "extends"), f"prefabs extend each other in a circle: {circle}")
            return chain
        else:
            tables = own if other in own and tables is own else built_in
            name = other
            continue
        seen.pop()


def _defaults(app: App, component: str) -> dict[str, Stored]:
    declared = next(c for c in app.components if c.__name__ == component).fields.values()
    return {field.name: field.default for field in declared if not field.transient}


def _refuse_by_spawn(source: TomlSource, path: KeyPath, fields: Mapping[str, Any]) -> None:
    for name in fields:
        source.mistake((*path, name), f"{label((*path, name))}: a [[spawn]] says this with {_BY_SPAWN[str(path[-1])]}")


def _entry(
    source: TomlSource, path: KeyPath, spawn: Mapping[str, Any], app: App, prefabs: Mapping[str, Prefab]
) -> Entry:
    prefab = prefabs[spawn["prefab"]]
    for one, others in (("at", ("area",)), ("velocity", ("speed", "heading"))):
        for other in others:
            if one in spawn and other in spawn:
                source.mistake((*path, other), f"{other}: give {one} or {other}, not both")
    for keys, component in ((("at", "area"), "Position"), (("velocity", "speed", "heading"), "Velocity")):
        for key in keys:
            if key in spawn and component not in prefab.components:
                source.mistake((*path, key), f"{key}: prefab {prefab.name} has no {component}")
    speed = spawn.get("speed")
    if speed and speed[0] > speed[1]:
        refuse(source, (*path, "speed"), "must be [slowest, fastest]")
    values: dict[str, Stored | Spread] = {}
    for component, fields in spawn.items():
        if not isinstance(fields, dict) or component == "area":
            continue
        if component in _BY_SPAWN:
            _refuse_by_spawn(source, (*path, component), fields)
        if component not in prefab.components:
            fields = {**_defaults(app, component), **fields}
        values |= {f"{component}.{name}": value for name, value in fields.items()}
    return Entry(
        prefab=prefab.name,
        count=spawn.get("count", 1),
        at=spawn.get("at"),
        area=_area(source, (*path, "area"), spawn.get("area")),
        velocity=spawn.get("velocity"),
        speed=speed,
        heading=spawn.get("heading"),
        values=values,
    )


def _area(source: TomlSource, path: KeyPath, area: Mapping[str, Any] | None) -> Circle | Rect | None:
    if area is None:
        return None
    if len(area) != 1:
        if not any(source.is_mistaken((*path, key)) for key in ("circle", "rect")):
            source.mistake(path, "area: must say circle = [x, y, radius] or rect = [x, y, w, h]")
        return None
    made = Circle(*area["circle"]) if "circle" in area else Rect(*area["rect"])
    if isinstance(made, Circle):
        corners = [made.x - made.radius, made.x + made.radius, made.y - made.radius, made.y + made.radius]
    else:
        corners = [made.x, made.x + made.width, made.y, made.y + made.height]
    if max(abs(corner) for corner in corners) > FARTHEST:
        refuse(source, path, f"must lie within {FARTHEST:g} u of the origin")
    return made


def _refuse_everyone_on_a_torus(source: TomlSource, given: Mapping[str, Any]) -> None:
    """Whoever sees everyone steers by mean positions, and a world without borders has none."""
    tables: Iterable[tuple[KeyPath, Any]] = [
        *((("prefabs", name), table) for name, table in given.get("prefabs", {}).items()),
        *given.get("spawn", ()),
    ]
    for path, table in tables:
        if table.get("Perception", {}).get("reach") == EVERYONE:
            refuse(
                source,
                (*path, "Perception", "reach"),
                'a mean position has no meaning where edges = "wrap": choose other edges or another reach',
            )


def _refuse_crowd(source: TomlSource, spawns: Iterable[tuple[KeyPath, Mapping[str, Any]]]) -> None:
    total = 0
    for path, spawn in spawns:
        total += spawn.get("count", 1)
        if total > MOST_ENTITIES:
            source.mistake((*path, "count"), f"more than {MOST_ENTITIES:,} entities in the whole scene")
            return
