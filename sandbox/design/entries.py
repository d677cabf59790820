"""Makes entries from the `[[spawn]]` tables of scene files, scripts and commands; the prefabs must be known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from components.store.fields import Stored
from components.store.prefab import Prefab
from components.store.world import MOST_ENTITIES, World
from sandbox.design.format import spawn_shape
from sandbox.design.prefabs import component_defaults
from sandbox.design.rules import refuse_broken
from sandbox.design.scene import Area, Circle, Entry, Rect, Stream, corner_mistakes, refuse_far_area
from sandbox.toml.places import KeyPath
from sandbox.toml.shapes import Many, Spread, refuse
from sandbox.toml.source import TomlSource
from sandbox.toml.value_source import ValueSource
from systems.engine.app import App
from systems.engine.settings import Settings

Table = Mapping[str, Any]
ENDS = {"ax", "ay", "bx", "by"}  # of a wall of one segment
NOT_BOTH = (("at", "area"), ("velocity", "speed"), ("velocity", "heading"), ("points", "count"))
NEEDS = {"Position": ("at", "area"), "Velocity": ("velocity", "speed", "heading"), "Wall": ("points", "closed")}
SAID_BY = {"Position": NEEDS["Position"], "Velocity": NEEDS["Velocity"]}


def made_entries(
    source: TomlSource, app: App, spawns: Iterable[tuple[KeyPath, Table]], prefabs: Mapping[str, Prefab]
) -> list[Entry]:
    """Make an entry from each `[[spawn]]`, and note mistakes."""
    total, entries = 0, []
    for path, spawn in spawns:
        entries.append(_entry(source, app, path, spawn, prefabs[spawn["prefab"]]))
        before, total = total, total + entries[-1].entities
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
    spawns = Many(spawn_shape(app, tuple(world.prefabs)), "[[spawn]] tables").read(source, ("spawn",), [table])
    entries = made_entries(source, app, spawns, world.prefabs)
    source.refuse_mistakes()
    (entry,) = entries
    refuse_broken(world.resource(Settings).edges, *entry.body(world.prefabs[entry.prefab]))
    return entry


def refuse_places(source: TomlSource, path: KeyPath, components: Table) -> None:
    """Note values of Position and Velocity as mistakes: they come from the [[spawn]]'s own keys."""
    for component, keys in SAID_BY.items():
        for name in components.get(component, ()):
            source.mistake((*path, component, name), f"in a [[spawn]], give this with {' or '.join(keys)}")


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


def _corners(source: TomlSource, path: KeyPath, spawn: Table, wall: bool) -> tuple[tuple[float, float], ...]:
    """Return the corners of a wall; note two equal ones in a row as a mistake."""
    written = source.data["spawn"][path[-1]].get("points")
    if written is None and wall and not spawn.get("Wall", {}).keys() >= ENDS:
        source.mistake(path, "a wall must have points: [[x, y], [x, y], ...]")
    points = spawn.get("points", [])
    if not isinstance(written, list) or len(points) != len(written):  # their mistakes are noted already
        return ()
    corners = tuple(point for _, point in points)
    for place, sentence in corner_mistakes(corners, spawn.get("closed", False)):
        source.mistake((*path, "points", *(() if place is None else (place,))), sentence)
    return corners


def _area(source: TomlSource, path: KeyPath, area: Table) -> Area:
    made: Area
    if "stream" in area:
        made = Stream(tuple(point for _, point in area["stream"]))
        if not made.points:
            refuse(source, (*path, "stream"), "must be one point or more: [[x, y, radius], [x, y, radius], ...]")
            return made
    else:
        made = Circle(*area["circle"]) if "circle" in area else Rect(*area["rect"])
    try:
        refuse_far_area(made)
    except ValueError as error:
        refuse(source, path, str(error))
    return made
