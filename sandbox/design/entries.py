"""Makes entries from the `[[spawn]]` tables of scene files and scripts, and the tables of entries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from numbers import Integral, Real
from typing import Any

from components.store.fields import FLAT, GIVEN_BY_KEYS, Field, Kind, Stored
from components.store.prefab import Prefab
from components.store.records import limits
from components.store.words import did_you_mean
from components.store.world import MOST_ENTITIES, World
from sandbox.design.field_rules import NO_DEPTH, refuse_broken
from sandbox.design.prefabs import component_defaults
from sandbox.design.scene import (
    Area,
    Ball,
    Box,
    Circle,
    Entry,
    Rect,
    Stream,
    corner_mistakes,
    refuse_far_area,
    written_area,
)
from sandbox.design.scene_schema import spawn_schema
from sandbox.toml.key_places import KeyPath
from sandbox.toml.schemas import SPREADS, Many, Spread, refuse
from sandbox.toml.source import TomlSource
from sandbox.toml.value_source import ValueSource, plain
from systems.engine.app import App
from systems.engine.settings import Settings

Table = Mapping[str, Any]
WALL_ENDS = ("ax", "ay", "bx", "by")  # of a wall of one segment
FROM_POINTS = {f"Wall.{name}" for name in (*WALL_ENDS, "group")}  # left out if there are `points`, which determine them
AS_WRITTEN = (Kind.INTEGER, Kind.SWITCH)  # stored as files write them
NOT_BOTH = (("at", "area"), ("velocity", "speed"), ("velocity", "heading"), ("points", "count"))
AREAS: Mapping[str, Callable[..., Area]] = {"circle": Circle, "rect": Rect, "ball": Ball, "box": Box}
NEEDS = {"Position": ("at", "area"), "Velocity": ("velocity", "speed", "heading"), "Wall": ("points", "closed")}


def made_entries(
    source: TomlSource, app: App, axes: str, spawns: Iterable[tuple[KeyPath, Table]], prefabs: Mapping[str, Prefab]
) -> list[Entry]:
    """Make an entry from each `[[spawn]]`, for a world with these axes, and note mistakes."""
    total, entries = 0, []
    for path, spawn in spawns:
        entries.append(_entry(source, app, path, spawn, prefabs[spawn["prefab"]]))
        if axes == FLAT:
            _refuse_depth(source, path, entries[-1])
            refuse_deep_fields(source, app, path, spawn)
        before, total = total, total + entries[-1].population
        if before <= MOST_ENTITIES < total:
            source.mistake((*path, "count"), f"with these the scene has more than {MOST_ENTITIES:,} entities")
    return entries


def read_entry(world: World, table: Table) -> Entry:
    """Make an entry from one `[[spawn]]` table for this world.

    Raises:
        ValueError: a value is invalid; the message says what would be right.
    """
    own = [component for name, component in world.table.components.items() if name in table]
    source, app = ValueSource({"spawn": [table]}), App(components=own)
    spawns = Many(spawn_schema(app, tuple(world.prefabs)), "[[spawn]] tables").read(source, ("spawn",), [table])
    entries = made_entries(source, app, world.table.axes, spawns, world.prefabs)
    source.refuse_mistakes()
    (entry,) = entries
    refuse_broken(world.resource(Settings).edges, *entry.body(world.prefabs[entry.prefab]))
    return entry


def written_entry(entry: Entry, known: Mapping[str, Field], prefabs: tuple[str, ...]) -> dict[str, Any]:
    """Return the `[[spawn]]` table that makes an entry, as `read_entry` reads it.

    Args:
        known: all fields by key.
        prefabs: the names of all prefabs, in order.
    Raises:
        ValueError: it has a value that no file can have; other wrong values are written as they are.
    """
    given = {each.name: getattr(entry, each.name) for each in fields(entry) if each.name not in ("area", "values")}
    unsaid = [key for key in ("at", "velocity", "speed", "heading") if given[key] is None]
    unsaid += ["points"] * (not entry.points) + ["closed"] * (entry.closed is False)
    unsaid += ["count"] * bool(entry.points and entry.count == 1)
    table = {key: value for key, value in given.items() if key not in unsaid}
    if entry.area is not None:
        if not isinstance(entry.area, Area):
            raise ValueError(f"area = {entry.area!r}: must be a Circle, Rect, Stream, Ball or Box")
        table["area"] = written_area(entry.area)
    if not isinstance(entry.values, Mapping):
        raise ValueError(f"values = {entry.values!r}: must be a table of stored values by field key")
    for key, value in entry.values.items():
        if (field := known.get(key)) is None or not field.in_files:
            raise ValueError(f"there is no field {key!r}{did_you_mean(str(key), known)}")
        if entry.points and key in FROM_POINTS:
            continue
        own = table.setdefault(field.owner, {})
        if is_written(field) or value != field.default:
            own[field.name] = written_value(field, value, prefabs)
    try:
        written: dict[str, Any] = plain(table)
    except TypeError as error:
        raise ValueError(str(error)) from None
    return written


def is_written(field: Field) -> bool:
    """Return whether a table of the component can set this field."""
    return field.in_files and field.owner not in GIVEN_BY_KEYS


def written_value(field: Field, value: Any, prefabs: tuple[str, ...] = ()) -> Any:
    """Convert a stored value or spread to a file's; a wrong number stays as it is.

    Raises:
        ValueError: no file can have it.
    """
    if isinstance(value, Spread):
        if field.kind not in SPREADS:
            raise ValueError(f"{field.key} = {value!r}: must be one value for all")
        return {"mean": value.mean, "sd": value.sd}
    if field.kind in AS_WRITTEN:
        return value
    allowed = limits(field, len(prefabs))
    if field.kind is Kind.NUMBER:
        is_good = isinstance(value, Real) and allowed.low <= value <= allowed.high
        return field.within(field.show(value)) if is_good and not isinstance(value, bool) else value
    if not isinstance(value, Integral) or not allowed.low <= int(value) <= allowed.high:
        raise ValueError(f"{field.key} = {value!r}: {allowed.must}, as it is stored")
    shown = field.show(value, prefabs)
    return sorted(shown) if field.kind is Kind.PREFABS else shown  # a file may define the prefabs in another order


def refuse_places(source: TomlSource, path: KeyPath, components: Table) -> None:
    """Note values of Position and Velocity as mistakes: they come from the [[spawn]]'s own keys."""
    for component in GIVEN_BY_KEYS:
        for name in components.get(component, ()):
            keys = " or ".join(NEEDS[component])
            source.mistake((*path, component, name), f"in a [[spawn]], give this with {keys}")


def refuse_deep_fields(source: TomlSource, app: App, path: KeyPath, components: Table) -> None:
    """Note values of fields that only worlds with depth have as mistakes."""
    for component in app.components:
        for name in components.get(component.__name__, ()):
            if component.fields[name].deep:
                refuse(source, (*path, component.__name__, name), NO_DEPTH)


def _entry(source: TomlSource, app: App, path: KeyPath, spawn: Table, prefab: Prefab) -> Entry:
    components = {key: table for key, table in spawn.items() if key[0].isupper()}
    for one, other in NOT_BOTH:
        if one in spawn and other in spawn:
            source.mistake((*path, other), f"give {one} or {other}, not both")
    for component, keys in NEEDS.items():
        for key in spawn.keys() & set(keys):
            if component not in prefab.components and component not in components:
                source.mistake((*path, key), f"prefab {prefab.name} has no {component}")
    refuse_places(source, path, components)
    speed = spawn.get("speed")
    if speed and speed[0] > speed[1]:
        refuse(source, (*path, "speed"), "must be [slowest, fastest]")
    values: dict[str, Stored | Spread] = {}
    for component, table in components.items():
        defaults = {} if component in prefab.components else component_defaults(app, component)
        values |= {f"{component}.{name}": value for name, value in {**defaults, **table}.items()}
    return Entry(
        prefab=prefab.name,
        count=spawn.get("count", 1),
        at=spawn.get("at"),
        area=_area(source, (*path, "area"), spawn["area"]) if "area" in spawn else None,
        velocity=spawn.get("velocity"),
        speed=speed,
        heading=spawn.get("heading"),
        points=_corners(source, path, spawn, "Wall" in prefab.components or "Wall" in components),
        closed=spawn.get("closed", False),
        values=values,
    )


def _refuse_depth(source: TomlSource, path: KeyPath, entry: Entry) -> None:
    """Note as a mistake what only a world with depth has."""
    deep = [key for key in ("at", "velocity") if len(getattr(entry, key) or ()) > len(FLAT)]
    for key in deep + ["area"] * isinstance(entry.area, Ball | Box):
        refuse(source, (*path, key), NO_DEPTH)


def _corners(source: TomlSource, path: KeyPath, spawn: Table, wall: bool) -> tuple[tuple[float, float], ...]:
    """Return the corners of a wall; note two equal ones in a row as a mistake."""
    written = source.data["spawn"][path[-1]].get("points")
    if written is None and wall and not spawn.get("Wall", {}).keys() >= {*WALL_ENDS}:
        source.mistake(path, "a wall must have points: [[x, y], [x, y], ...]")
    points = spawn.get("points", [])
    if not isinstance(written, list) or len(points) != len(written):  # their mistakes are noted already
        return ()
    corners = tuple(point for _, point in points)
    for index, sentence in corner_mistakes(corners, spawn.get("closed", False)):
        source.mistake((*path, "points", *(() if index is None else (index,))), sentence)
    return corners


def _area(source: TomlSource, path: KeyPath, area: Table) -> Area:
    made: Area
    if "stream" in area:
        made = Stream(tuple(point for _, point in area["stream"]))
        if not made.points:
            refuse(source, (*path, "stream"), "must be one point or more: [[x, y, radius], [x, y, radius], ...]")
            return made
    else:
        ((kind, numbers),) = area.items()
        made = AREAS[kind](*numbers)
    try:
        refuse_far_area(made)
    except ValueError as error:
        refuse(source, path, str(error))
    return made
