"""Savepoints: take and restore the state of a running world, and compute what has changed since."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from components.store.entities import Entities, Records
from components.store.fields import FLAT
from components.store.records import ComponentType, Form, as_bytes, form_of, item_of
from components.store.row_lists import Rows, Serials
from components.store.table import ALL_ROWS, EntityTable
from components.store.world import World

WORDS = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}


@dataclass(frozen=True, eq=False, kw_only=True)
class Savepoint(Entities):
    """A copy of the whole state of a world between two ticks.

    It does not contain data that systems compute anew in every tick, such as spatial indexes, nor waiting commands, the
    log and the undo history.

    Attributes:
        membership_clocks, value_clocks: those of the table; no `membership_clocks` if its rows were in another order.
        stored: the `stored` values of resources, by the resource's type and by name.
    """

    tick: int
    seed: int
    next_serial: int
    membership_clocks: Mapping[str, int]
    value_clocks: Mapping[str, int]
    stored: Mapping[type, Mapping[str, Any]]

    @classmethod
    def take(cls, world: World, before: Savepoint | None = None) -> Savepoint:
        """Copy the present state, without structural changes that wait for `World.commit`.

        Args:
            before: an earlier savepoint: what has not changed since is shared with it, not copied.
        """
        table, size = world.table, world.table.size
        if before is not None and before.has_rows_of(table):
            serial, prefab, presence = before.serial, before.prefab, before.presence
        else:
            serial, prefab = table.serial[:size].copy(), table.prefab[:size].copy()
            presence = table.presence[:size].copy()
        records = {
            name: before.records[name] if before and before._has_records_of(table, name) else _copied(table, component)
            for name, component in table.components.items()
        }
        return cls.of(world, table.membership_clocks, serial, prefab, presence, records)

    @classmethod
    def of(
        cls,
        world: World,
        membership_clocks: Mapping[str, int],
        serial: Serials,
        prefab: NDArray[np.int32],
        presence: NDArray[np.uint64],
        records: Mapping[str, Records],
    ) -> Savepoint:
        """Make a savepoint of the present world with these rows and records."""
        things = (thing for kind, thing in world.resources.items() if type(thing) is kind)  # some have two names
        return cls(
            axes=world.table.axes,
            tick=world.tick,
            seed=world.seed,
            next_serial=world.next_serial,
            prefabs=tuple(world.prefabs.values()),
            components=tuple(world.table.bit_of),
            membership_clocks=dict(membership_clocks),
            value_clocks=dict(world.table.value_clocks),
            serial=serial,
            prefab=prefab,
            presence=presence,
            records=records,
            stored={type(thing): dict(thing.stored) for thing in things if hasattr(thing, "stored")},
        )

    def has_rows_of(self, table: EntityTable) -> bool:
        """Return whether a table has the same entities in the same rows, with the same bits of components."""
        same_bits = tuple(table.bit_of)[: len(self.components)] == self.components
        return same_bits and self.membership_clocks.get(ALL_ROWS) == table.membership_clocks[ALL_ROWS]

    def _has_records_of(self, table: EntityTable, name: str) -> bool:
        """Return whether the same rows of a table have this component, with the same values."""
        clocks = self.membership_clocks.get(name), self.value_clocks.get(name)
        return clocks == (table.membership_clocks[name], table.value_clocks[name])

    def restore(self, world: World) -> None:
        """Restore the state, in the same world or another one with the same components and systems.

        A component redeclared since with other fields keeps the present values of each entity, or gets its defaults for
        those who do not have it now. Queued structural changes are dropped.
        """
        table = world.table
        world.cancel()
        others = self.axes != table.axes or not self.has_rows_of(table)
        if self.axes != table.axes:
            world.reform(self.axes)
        if others:
            world.repopulate(self._with_redeclared(table))
            table.membership_clocks.update(self.membership_clocks)
        for name, (rows, values) in self.records.items():
            known = table.components.get(name)
            if known and table.forms[name].record == values.dtype:
                if not others and table.value_clocks[name] != self.value_clocks[name]:
                    table.plain[name][rows] = as_bytes(values)
                table.value_clocks[name] = self.value_clocks[name]
        world.tick, world.seed, world.next_serial = self.tick, self.seed, self.next_serial
        world.prefabs.clear()
        world.prefabs.update({prefab.name: prefab for prefab in self.prefabs})
        for kind, stored in self.stored.items():
            if kind in world.resources:
                world.resources[kind].stored = dict(stored)

    def _with_redeclared(self, table: EntityTable) -> Entities:
        """Return the entities; of components redeclared since then with their present values, or the defaults."""
        fitted = self.fitted(table)
        records = dict(fitted.records)
        for name, old in fitted.records.items():
            component = table.components[name]
            if table.forms[name].record != old.values.dtype:
                rows = table.rows_of(self.serial[old.rows])
                values = table.default(component).repeat(len(rows))
                who = np.flatnonzero(rows >= 0)
                who = who[table.has(rows[who], component)]
                as_bytes(values)[who] = table.plain[name][rows[who]]
                records[name] = Records(old.rows, values)
        return replace(fitted, records=records)


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
        if known and known.value_clocks[name] == table.value_clocks[name]:
            records[name] = known.records[name]
        else:
            records[name] = _lasting_records(table, component, rows, presence, known.records[name] if known else None)
    return Savepoint.of(world, {}, serial, prefab, presence, records)


class Changed(NamedTuple):
    """The changed records of a component; valid until the world changes again.

    Attributes:
        form: how their values are stored.
        serials, then, now: the serials of the entities, their earlier and their present records, each of shape (n,).
        columns: for each column with changes, a mask of the changed entities, bool (n,): only entities that live and
            still have the component.
    """

    form: Form
    serials: Serials
    then: NDArray[np.void]
    now: NDArray[np.void]
    columns: Mapping[str, NDArray[np.bool_]]


@dataclass(frozen=True, eq=False)
class Difference:
    """The changes of a world's entities since a savepoint.

    Attributes:
        went: the rows, in the savepoint, of entities that no longer live.
        came: the serials of entities that did not live then, ascending.
        changed: the components with changed records.
    """

    went: NDArray[np.int64]
    came: Serials
    changed: tuple[Changed, ...]


def difference(before: Savepoint, world: World) -> Difference:
    """Return the changes of a world's entities since a savepoint of it; values are compared bit by bit.

    Where the world has got or lost depth, only what flat worlds have too is compared.
    """
    table = world.table
    same_rows = before.has_rows_of(table)
    rows = np.arange(table.size) if same_rows else table.rows_of(before.serial)
    presence = before.presence if same_rows else np.where(rows >= 0, table.presence[rows], 0)
    born = np.ones(table.size, bool)
    born[rows[rows >= 0]] = False
    axes = table.axes if before.axes == table.axes else FLAT
    known = (c for c in before.components if c in table.bit_of)
    written = [c for c in known if table.value_clocks[c.__name__] != before.value_clocks[c.__name__]]
    changed = (_changed(before.records[c.__name__], table, form_of(c, axes), c, rows, presence) for c in written)
    came = np.sort(table.serial[: table.size][born])
    return Difference(np.flatnonzero(rows < 0), came, tuple(each for each in changed if each is not None))


def stored_difference(before: Savepoint, world: World) -> dict[tuple[type, str], tuple[Any, Any]]:
    """Return the changed values of resources as (earlier, present), by the resource's type and by name."""
    return {
        (kind, name): (then, now)
        for kind, values in before.stored.items()
        if kind in world.resources
        for name, now in world.resources[kind].stored.items()
        if name in values and not same(then := values[name], now)
    }


def same(one: object, other: object) -> bool:
    """Return whether two values have the same bits: unlike with `==`, 0.0 differs from -0.0, and NaN equals NaN."""
    return one is other or (repr(one) == repr(other) and (one == other or one != one))


def words(column: NDArray[Any]) -> NDArray[Any]:
    """View values as unsigned integers, to compare them bit by bit."""
    return column.view(WORDS[column.dtype.alignment])


def _copied(table: EntityTable, component: ComponentType) -> Records:
    rows = _span(table.rows(component))
    values = table.plain[component.__name__][rows].copy().view(table.form(component).record)
    return Records(rows, values)


def _span(rows: Rows) -> slice | Rows:
    """Return ascending rows as a slice if they are consecutive: numpy copies slices ten times faster."""
    if len(rows) and rows[-1] - rows[0] == len(rows) - 1:
        return slice(int(rows[0]), int(rows[-1]) + 1)
    return rows


def _picked(records: NDArray[np.void], rows: NDArray[np.integer[Any]]) -> NDArray[np.void]:
    """Return the records in these rows; fast if most rows are consecutive."""
    middle, plain = len(rows) // 2, as_bytes(records)
    first = max(int(rows[middle]) - middle, 0) if len(rows) else 0
    span = plain[first : first + len(rows)]
    elsewhere = np.flatnonzero(rows != np.arange(first, first + len(rows)))
    if len(span) < len(rows) or 2 * len(elsewhere) > len(rows):
        span = plain[rows]
    elif len(elsewhere):
        span = span.copy()
        span[elsewhere] = plain[rows[elsewhere]]
    return cast(NDArray[np.void], span.view(records.dtype))


def _changed(
    old: Records,
    table: EntityTable,
    form: Form,
    component: ComponentType,
    rows: NDArray[np.int64],
    presence: NDArray[np.uint64],
) -> Changed | None:
    """Return the changed records of a component, or None if there are none.

    Args:
        form: in which they are compared.
        rows, presence: for each row of the savepoint, the entity's present row (-1: gone) and its components (0: gone).
    """
    present, then = rows[old.rows], form.fitted(old.values)
    now = form.fitted(_picked(table.records(component), present))
    if np.array_equal(words(then), words(now)):
        return None
    stays = presence[old.rows] & np.uint64(1 << table.bit_of[component]) != 0
    found = {}
    for key in form.columns:
        differs = (words(then[item_of(key)]) != words(now[item_of(key)])) & stays
        if differs.any():
            found[key] = differs
    return Changed(form, table.serial[present], then, now, found) if found else None


def _lasting_records(
    table: EntityTable,
    component: ComponentType,
    rows: NDArray[np.int64],
    presence: NDArray[np.uint64],
    was: Records | None,
) -> Records:
    """Return the records of a component in these rows; `was`, the earlier ones, is reused if they are equal."""
    has = presence & np.uint64(1 << table.bit_of[component]) != 0
    own: slice | NDArray[np.int64] = slice(0, len(rows)) if has.all() else np.flatnonzero(has)
    form = table.form(component)
    values = table.plain[component.__name__].take(rows[own]).view(form.record)
    for key, field in form.columns.items():
        if field.transient:
            values[item_of(key)] = field.default
    for key, first in form.starts:
        values[item_of(key)] = values[item_of(first)]
    return was if was is not None and _same(values, was.values) else Records(own, values)


def _shared(now: NDArray[Any], before: NDArray[Any] | None) -> NDArray[Any]:
    return before if before is not None and np.array_equal(now, before) else now


def _same(one: NDArray[np.void], other: NDArray[np.void]) -> bool:
    return one.dtype == other.dtype and (not one.nbytes or np.array_equal(words(one), words(other)))
