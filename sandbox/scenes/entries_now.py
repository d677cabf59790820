"""Returns the entries of a running world, from which its `[[spawn]]` tables are written.

Entities that were placed, moved or edited individually get an entry each; a crowd keeps one, with the number of the
living as count. Movement by itself is not saved: an entity that the scene placed starts at the same place again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.store.fields import GIVEN_BY_KEYS, Stored
from components.store.world import World
from sandbox.design.entries import FROM_POINTS, WALL_ENDS
from sandbox.design.origins import Origins
from sandbox.design.scene import Entry
from sandbox.simulation import Simulation

Rows = NDArray[np.int64]


def entries_now(simulation: Simulation) -> list[tuple[int | None, Entry]]:
    """Return each entry with the index of the scene's entry that it comes from, or None."""
    world = simulation.world
    origins = world.resource(Origins)
    rows = np.argsort(world.table.serial[: world.table.size])
    serials = world.table.serial[rows]
    edited = np.isin(serials, origins.edited_alone.array)
    ranges = [slice(*np.searchsorted(serials, (first, last)).tolist()) for first, last, _ in origins.entries]
    alone = np.ones(len(rows), bool)  # entities that get an entry of their own, behind all others
    for members in ranges:
        alone[members] = edited[members]
    young = _count_born(simulation, ranges, rows, edited, alone)
    in_scene = [index if index < len(simulation.scene.entries) else None for index in range(len(ranges))]

    found: list[tuple[int | None, Entry]] = []
    for index, ((_, _, entry), members) in enumerate(zip(origins.entries, ranges)):
        living, theirs = rows[members], edited[members]
        is_whole = len(living) == entry.population and not theirs.any()
        if len(living) and not is_whole and (entry.points or entry.population == 1):
            alone[members] = False
            entries = entries_of(world, living, always=entry.values)
            found += [(in_scene[index] if n == 0 else None, each) for n, each in enumerate(entries)]
            continue
        count = int((~theirs).sum()) + young[index]
        if count or not entry.population:
            found.append((in_scene[index], entry if entry.points else replace(entry, count=count)))
    return found + [(None, each) for each in entries_of(world, rows[alone])]


def _count_born(
    simulation: Simulation, ranges: list[slice], rows: Rows, edited: NDArray[np.bool_], alone: NDArray[np.bool_]
) -> Counter[int]:
    """Count entities that were born, by the entry that includes them: the first crowd of their prefab, if any."""
    world, entries = simulation.world, simulation.world.resource(Origins).entries
    crowds: dict[int, int] = {}
    for index, ((_, _, entry), members) in enumerate(zip(entries, ranges)):
        is_crowd = entry.population and not entry.points and not entry.at
        if is_crowd and not (entry.population == 1 and edited[members].any()):
            crowds.setdefault(world.prefab_index(entry.prefab), index)
    counted: Counter[int] = Counter()
    for n in np.flatnonzero(alone & ~edited).tolist():
        prefab = int(world.table.prefab[rows[n]])
        if prefab in crowds:
            counted[crowds[prefab]] += 1
            alone[n] = False
    return counted


def entries_of(world: World, rows: Rows, always: Collection[str] = ()) -> list[Entry]:
    """Return an entry for each of these rows; connected segments of a wall share one.

    A component that an entity has lost comes back, because a file can't take a component of the prefab away.

    Args:
        always: the keys of fields that are included even if they have the prefab's value.
    """
    kinds = np.stack([world.table.prefab[rows].astype(np.uint64), world.table.presence[rows]], axis=1)
    found, which = np.unique(kinds, axis=0, return_inverse=True)
    entries = [Entry("")] * len(rows)
    for n, (prefab, presence) in enumerate(found.tolist()):
        members = np.flatnonzero(which.ravel() == n)
        for member, entry in zip(members.tolist(), _alike(world, prefab, presence, rows[members], always), strict=True):
            entries[member] = entry
    if "Wall" not in world.table.components:
        return entries
    return _joined(entries, world.table.columns["Wall.group"][rows])


def _alike(world: World, index: int, presence: int, rows: Rows, always: Collection[str]) -> list[Entry]:
    """Return the entries of entities that have the same prefab and components."""
    table, prefab = world.table, list(world.prefabs.values())[index]
    values: list[dict[str, Stored]] = [{} for _ in rows]
    has = [component for component in table.components.values() if presence >> table.bit_of[component] & 1]
    for component in has:
        own = prefab.components.get(component.__name__)
        for field in (field for field in table.form(component).fields if field.in_files):
            column = table.columns[field.key][rows]
            if field.owner in GIVEN_BY_KEYS:
                told = np.arange(len(rows) if own is None else 0)
                column = np.full(len(rows), field.default)
            elif own is None or field.key in always:
                told = np.arange(len(rows))
            else:
                told = np.flatnonzero(column != field.dtype.type(own.get(field.name, field.default)))
            for member, value in zip(told.tolist(), column[told].tolist(), strict=True):
                values[member][field.key] = value
    names, axes = {component.__name__ for component in has}, table.axes
    at, velocity = (
        _tuples(world, owner, axes, rows) if owner in names else [None] * len(rows) for owner in GIVEN_BY_KEYS
    )
    entries = [Entry(prefab.name, at=at[n], velocity=velocity[n], values=own) for n, own in enumerate(values)]
    if "Wall" in names:
        return [*map(_with_ends, entries, _tuples(world, "Wall", WALL_ENDS, rows))]
    return entries


def _tuples(world: World, owner: str, names: Collection[str], rows: Rows) -> list[Any]:
    """Return columns of these rows as files write them, a tuple for each row."""
    fields = [world.table.field(f"{owner}.{name}") for name in names]
    columns = [[field.within(field.show(value)) for value in world.table.columns[field.key][rows]] for field in fields]
    return list(zip(*columns, strict=True))


def _with_ends(entry: Entry, ends: tuple[float, float, float, float]) -> Entry:
    """Give the ends of a wall either as points or, if it has no length, as fields of Wall."""
    points = ends[:2], ends[2:]
    if points[0] == points[1]:
        names = dict(zip(WALL_ENDS, ends, strict=True))
        return replace(entry, values={**entry.values, **{f"Wall.{name}": value for name, value in names.items()}})
    values = {key: value for key, value in entry.values.items() if key not in FROM_POINTS}
    return replace(entry, points=points, values=values)


def _joined(entries: list[Entry], groups: NDArray[Any]) -> list[Entry]:
    """Join segments of one group with equal values into one wall if each begins where the last one ends."""
    joined: list[tuple[int | None, Entry]] = []
    for group, entry in zip(groups.tolist(), entries, strict=True):
        before, wall = joined[-1] if joined else (None, entry)
        follows = before == group and entry.points and wall.points and wall.points[-1] == entry.points[0]
        if follows and replace(wall, points=()) == replace(entry, points=()):
            joined[-1] = group, replace(wall, points=(*wall.points, entry.points[1]))
        else:
            joined.append((group, entry))
    return [_closed(entry) for _, entry in joined]


def _closed(wall: Entry) -> Entry:
    points = wall.points
    is_closed = len(points) > 3 and points[0] == points[-1]
    return replace(wall, points=points[:-1], closed=True) if is_closed else wall
