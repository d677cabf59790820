"""Converts entities to `[[spawn]]` tables: their place, velocity, and the values that differ from the prefab's."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.store.prefab import Prefab
from components.store.world import World
from sandbox.scenes.design import GIVEN_BY_KEYS, WALL_ENDS, Table, is_written, shown_value

Rows = NDArray[np.int64]


def shown_entities(world: World, rows: Rows, always: Collection[str] = ()) -> list[Table]:
    """Return a table for each of these rows; connected segments of a wall share one.

    A component that an entity has lost comes back, because a file can't take a component of the prefab away.

    Args:
        always: the keys of fields that are included even if they have the prefab's value.
    """
    tables: list[Table] = [{} for _ in rows]
    kinds = np.stack([world.table.prefab[rows].astype(np.uint64), world.table.presence[rows]], axis=1)
    found, which = np.unique(kinds, axis=0, return_inverse=True)
    prefabs = list(world.prefabs.items())
    for n, (index, presence) in enumerate(found.tolist()):
        members = np.flatnonzero(which.ravel() == n)
        name, prefab = prefabs[index]
        for member in members.tolist():
            tables[member]["prefab"] = name
        _show(world, prefab, presence, rows[members], [tables[member] for member in members.tolist()], always)
    if "Wall" not in world.table.components:
        return tables
    return _joined(tables, world.table.columns["Wall.group"][rows])


def _show(
    world: World, prefab: Prefab, presence: int, rows: Rows, tables: list[Table], always: Collection[str]
) -> None:
    """Fill the tables of entities that have the same prefab and components."""
    has = [name for name, component in world.table.components.items() if presence >> world.table.bit_of[component] & 1]
    for owner, key in zip(GIVEN_BY_KEYS, ("at", "velocity")):
        if owner in has:
            for table, *place in zip(tables, _shown(world, f"{owner}.x", rows), _shown(world, f"{owner}.y", rows)):
                table[key] = place
    if "Wall" in has:
        ends = [_shown(world, f"Wall.{name}", rows) for name in WALL_ENDS]
        for table, ax, ay, bx, by in zip(tables, *ends):
            table["points"] = [[ax, ay], [bx, by]]
    for owner in has:
        own = prefab.components.get(owner)
        for field in filter(is_written, world.table.components[owner].fields.values()):
            column = world.table.columns[field.key][rows]
            if own is None or field.key in always:
                told = np.arange(len(rows))
            else:
                told = np.flatnonzero(column != field.dtype.type(own.get(field.name, field.default)))
            values = _shown(world, field.key, rows[told])
            for member, value in zip(told.tolist(), values):
                tables[member].setdefault(owner, {})[field.name] = value
        if own is None:
            for table in tables:
                table.setdefault(owner, {})
    for table in tables:
        _choose_ends(table)


def _choose_ends(table: Table) -> None:
    """Give the ends of a wall either in `points` or, if it has no length, as fields of Wall."""
    if "points" not in table:
        return
    start, end = table["points"]
    wall = table.pop("Wall", {})
    if start == end:
        del table["points"]
        wall |= dict(zip(WALL_ENDS, (*start, *end)))
    else:
        wall = {key: value for key, value in wall.items() if key not in (*WALL_ENDS, "group")}
    if wall:
        table["Wall"] = wall


def _joined(tables: list[Table], groups: NDArray[Any]) -> list[Table]:
    """Join segments of one group with equal values into one wall if each begins where the last one ends."""
    joined: list[tuple[int, Table]] = []
    for group, table in zip(groups.tolist(), tables):
        before, wall = joined[-1] if joined else (None, {})
        follows = before == group and "points" in table and wall.get("points", [()])[-1] == table["points"][0]
        if follows and {**wall, "points": ()} == {**table, "points": ()}:
            wall["points"].append(table["points"][1])
        else:
            joined.append((group, table))
    for _, table in joined:
        points = table.get("points", ())
        if len(points) > 3 and points[0] == points[-1]:
            points.pop()
            table["closed"] = True
    return [table for _, table in joined]


def _shown(world: World, key: str, rows: Rows) -> list[Any]:
    """Return the values of a column as files write them."""
    field, names = world.table.field(key), tuple(world.prefabs)
    return [shown_value(field, value, names) for value in world.table.columns[key][rows]]
