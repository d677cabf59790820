"""Savepoints that are kept in large numbers: arrays that are equal in two successive ones are shared."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.store.entities import Records
from components.store.new_rows import starts
from components.store.records import ComponentType, fields_of, item_of
from components.store.savepoint import Savepoint, words
from components.store.table import EntityTable
from components.store.world import World


def lasting_savepoint(world: World, before: Savepoint | None = None) -> Savepoint:
    """Take a savepoint with rows by ascending serial, and transient values as in new rows.

    From one second to the next most values stay the same, but rows move: arrays can be shared only if their order is
    independent of the rows.

    Args:
        before: an earlier savepoint of the same world, from this function: equal arrays are shared with it.
    """
    table = world.table
    rows = table.rows_of(before.serial) if before is not None and len(before) == table.size else np.array([-1])
    if before is None or (rows < 0).any():
        rows = np.argsort(table.serial[: table.size])
        serial, known = table.serial[rows], None
    else:
        serial, known = before.serial, before
    prefab = _shared(table.prefab[rows], known.prefab if known else None)
    presence = _shared(table.presence[rows], known.presence if known else None)
    if known and (presence is not known.presence or known.components != tuple(table.bit_of)):
        known = None
    records = {}
    for name, component in table.components.items():
        was = known.records[name] if known else None
        if was is None or was.clock != table.value_clocks[name]:
            records[name] = _records(table, component, rows, presence, was)
        else:
            records[name] = was
    return Savepoint.of(world, {}, serial, prefab, presence, records)


def _records(
    table: EntityTable,
    component: ComponentType,
    rows: NDArray[np.int64],
    presence: NDArray[np.uint64],
    was: Records | None,
) -> Records:
    """Return the records of a component in these rows; `was`, the earlier ones, is reused if they are equal."""
    has = presence & np.uint64(1 << table.bit_of[component]) != 0
    places: slice | NDArray[np.int64] = slice(0, len(rows)) if has.all() else np.flatnonzero(has)
    values = table.plain[component.__name__].take(rows[places]).view(component.record)
    for field in fields_of(component):
        for key in field.columns if field.transient else ():
            values[item_of(key)] = field.default
    for key, first in starts(component):
        values[item_of(key)] = values[item_of(first)]
    clock = table.value_clocks[component.__name__]
    if was is not None and _same(values, was.values):
        return was._replace(clock=clock)
    return Records(clock, places, values)


def _shared(now: NDArray[Any], before: NDArray[Any] | None) -> NDArray[Any]:
    return before if before is not None and np.array_equal(now, before) else now


def _same(one: NDArray[np.void], other: NDArray[np.void]) -> bool:
    return one.dtype == other.dtype and (not one.nbytes or np.array_equal(words(one), words(other)))
