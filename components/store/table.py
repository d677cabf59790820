"""The data of all entities: one row per entity, one numpy column per field, and which components each row has."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from itertools import count as counter
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from components.store.fields import FLAT, Field, older_field
from components.store.records import (
    Array,
    ComponentType,
    Form,
    as_bytes,
    form_of,
    item_of,
    limits,
    read_only,
    untouched,
)
from components.store.row_lists import RowLists, RowOfSerial, Rows
from components.store.words import did_you_mean

FIRST_CAPACITY = 64
NOBODY = -1  # the serial in a vacant row
NEW = -1  # in a `row_column`: nothing was computed for this row yet
MOST_PREFABS = 64  # a set of prefabs is a mask of 64 bits
MOST_COMPONENTS = 64  # a row's presence is a mask of 64 bits
ALL_ROWS = ""  # stands for a component that each row has
_moves = counter(1)  # of the clocks of all tables, so that no number is given twice


@cache
def _axes_of(key: str, axes: str) -> tuple[str, ...]:
    return tuple(f"{key}.{axis}" for axis in axes)


class Columns(dict[str, Array]):
    """The columns of a table by field key; a wrong key is told with the nearest."""

    def __missing__(self, key: str) -> Array:
        raise KeyError(f"no component has a column {key!r}{did_you_mean(str(key), self)}")


class EntityTable:
    """The data of all entities of a world.

    Attributes:
        axes: those of the world: "xy", or "xyz" if it has depth.
        forms: by component's name, how its values are stored.
        size: number of rows in use. Columns have room for more rows, their capacity: slice them with `[:table.size]`.
        columns: by field key ("Velocity.x"), shape (capacity,), dtype by the field's kind.
        serial: int64 (capacity,), the serial of each entity. esper knows the entity by the same number.
        prefab: int32 (capacity,), index into the world's prefabs.
        presence: uint64 (capacity,), bit `bit_of[component]` is set where the row has the component.
        structured: by component's name, all its values as records, shape (capacity,), see `records`.
        plain: the same as plain bytes, shape (capacity,), for fast copying: see `as_bytes`.
        value_clocks: by component's name, a number that changes when the values of an entity may have changed. Equal
            numbers mean equal values of each serial that is in both states, even in different tables. Code that writes
            into columns or records reports it: a system by its declaration, all other code by `write` or `changed`.
        membership_clocks: by component's name, a number that changes when its membership may have changed: rows with it
            were added, removed or moved, or gained or lost it. By ALL_ROWS, one that changes with any of these.
        derived: by function, what it last computed from the table (see `systems/engine/cached.py`).

    In rows that lack a component its values are undefined: they are neither written nor moved, and take no memory.
    Growth replaces the arrays: fetch columns in every tick, and keep no reference.
    """

    def __init__(self, axes: str = FLAT) -> None:
        self.axes, self.size = axes, 0
        self.forms: dict[str, Form] = {}
        self.columns = Columns()
        self.components: dict[str, ComponentType] = {}
        self.bit_of: dict[ComponentType, int] = {}
        self.plain: dict[str, Array] = {}
        self.value_clocks: dict[str, int] = {}
        self.membership_clocks = {ALL_ROWS: next(_moves)}
        self.derived: dict[Callable[..., Any], Any] = {}
        self.structured: dict[str, NDArray[np.void]] = {}
        self._masks: dict[tuple[ComponentType, ...], int] = {}
        self._by_mask: dict[int, tuple[ComponentType, ...]] = {}
        self._row_lists = RowLists()
        self._rows: dict[tuple[ComponentType, ...], NDArray[np.int32]] = {}
        self._by_serial: dict[tuple[ComponentType, ...], NDArray[np.int32]] = {}
        self._row_columns: dict[str, NDArray[np.int32]] = {}
        self._row_of_serial = RowOfSerial()
        self._vacant = np.zeros(0, np.int64)  # rows, ascending: see `vacate`
        self._fixed: dict[str, Any] = {}  # read-only views of the arrays: see `showing`
        self.serial = np.zeros(FIRST_CAPACITY, np.int64)
        self.prefab = np.zeros(FIRST_CAPACITY, np.int32)
        self.presence = np.zeros(FIRST_CAPACITY, np.uint64)

    def clocks(self, *components: ComponentType, membership: Iterable[ComponentType] = ()) -> tuple[int, ...]:
        """Return numbers that change whenever what was computed from these components may have.

        Args:
            components: those whose values and membership were used.
            membership: those of which only the membership was used. Without any components: all rows were used.
        Returns:
            the clocks of the values of `components`, then those of their membership and of that of `membership`.
        """
        values = [self.value_clocks[component.__name__] for component in components]
        names = [component.__name__ for component in (*components, *membership)] or [ALL_ROWS]
        return (*values, *[self.membership_clocks[name] for name in names])

    def declare(self, component: ComponentType) -> None:
        """Make the columns of a component type, if it has none yet.

        Raises:
            ValueError: another component of that name, or 64 components, are declared already.
        """
        name = component.__name__
        if self.components.get(name, component) is not component:
            raise ValueError(f"two components are called {name}: rename one")
        if component in self.bit_of:
            return
        if len(self.bit_of) == MOST_COMPONENTS:
            raise ValueError(f"{name} is the {MOST_COMPONENTS + 1}th component; a world has room for {MOST_COMPONENTS}")
        self.components[name] = component
        self.bit_of[component] = len(self.bit_of)
        self._begin(component)

    def redeclare(self, component: ComponentType) -> ComponentType:
        """Replace the declaration of a component by a newer one of the same name.

        The values of fields that have the same name and kind in both are kept, clipped to the new bounds.

        Returns:
            The older declaration.
        Raises:
            KeyError: no component of that name is declared.
        """
        name = component.__name__
        older, records, rows = self.components[name], self.structured[name], self.rows(self.components[name])
        self.bit_of = {component if known is older else known: bit for known, bit in self.bit_of.items()}
        self._masks.clear()
        self._by_mask.clear()
        self._rows.clear()
        self._by_serial.clear()
        del self.components[name]
        self.components[name] = component
        fresh = self._begin_anew(component, rows)
        for field in self.forms[name].fields:
            known = older_field(field, older.fields)
            if known is not None:
                bounds = limits(field, MOST_PREFABS)
                for key, was in zip(field.columns(self.axes), known.columns(self.axes), strict=True):
                    fresh[item_of(key)][rows] = np.clip(records[item_of(was)][rows], bounds.low, bounds.high)
        self.changed(name)
        return older

    def reform(self, axes: str) -> None:
        """Store all values as in worlds with these axes; what such worlds have more starts at its default."""
        self.axes = axes
        for name, component in self.components.items():
            older, rows = self.plain[name], self.rows(component)
            was = older[rows].view(self.form(component).record)
            self._begin_anew(component, rows)
            self.plain[name][rows] = as_bytes(self.form(component).fitted(was))
        self._row_columns.clear()
        self.derived.clear()
        self.changed(*self.components)

    def field(self, column: str) -> Field:
        """Return the declaration of the field to which a column ("Velocity.x") belongs.

        Raises:
            KeyError: there is no such column.
        """
        if column not in self.columns:
            raise KeyError(f"there is no field {column!r}")
        return self.forms[column.split(".")[0]].columns[column]

    def mask(self, components: Iterable[ComponentType]) -> int:
        """Return the presence mask of these components.

        Raises:
            KeyError: one of them is no component of the table.
        """
        asked = tuple(components)
        if asked not in self._masks:
            if strange := [component for component in asked if component not in self.bit_of]:
                raise KeyError(f"{strange[0]!r} is no component of this world: pass the class itself, such as Position")
            self._masks[asked] = sum(1 << self.bit_of[component] for component in set(asked))
        return self._masks[asked]

    def components_in(self, presence: np.uint64 | int) -> tuple[ComponentType, ...]:
        """Return the components whose bits are set."""
        bits = int(presence)
        if bits not in self._by_mask:
            self._by_mask[bits] = tuple(component for component, bit in self.bit_of.items() if bits >> bit & 1)
        return self._by_mask[bits]

    def form(self, component: ComponentType) -> Form:
        """Return how the values of a component are stored."""
        return self.forms[component.__name__]

    def records(self, component: ComponentType) -> NDArray[np.void]:
        """Return all values of a component as records, shape (capacity,), for kernels: `flocker[row].cohesion_limit`.

        The columns are views of these records, so the values of one entity are adjacent in memory.
        """
        return self.structured[component.__name__]

    def vectors(self, key: str) -> tuple[Array, ...]:
        """Return the columns of "Position", "Velocity", "Motion.acceleration" and such, one for each axis."""
        return tuple([self.columns[name] for name in _axes_of(key, self.axes)])

    def stacked(self, key: str, rows: NDArray[np.integer[Any]]) -> NDArray[np.float32]:
        """Return "Position", "Velocity", "Motion.acceleration" and such in these rows, float32 (n, 2) or (n, 3)."""
        return np.stack([column[rows] for column in self.vectors(key)], axis=1)

    def row_column(self, name: str) -> NDArray[np.int32]:
        """Return a column that a system keeps for itself, int32 (capacity,); it is made when it is first asked for.

        The state does not contain it. A value moves with its row into a gap, and is NEW in an added row. When all rows
        were replaced or permuted, it is another array in which all are NEW: what they refer to can be put into the
        order of the rows too.
        """
        if name not in self._row_columns:
            self._row_columns[name] = np.full(len(self.serial), NEW, np.int32)
        return self._row_columns[name]

    def changed(self, *names: str) -> None:
        """Report that values of these components, by name, were written: move their clocks."""
        for name in names:
            self.value_clocks[name] = next(_moves)

    def write(self, key: str, rows: Any, values: Any) -> None:
        """Set values of a column ("Velocity.x") in these rows, and report it as `changed` does."""
        self.columns[key][rows] = values
        self.changed(key.split(".", 1)[0])

    @contextmanager
    def showing(self, records: Mapping[str, NDArray[np.void]], columns: Mapping[str, Array]) -> Iterator[None]:
        """In this block, show these records and columns instead of the table's own, and all others read-only."""
        if not self._fixed:
            self._fixed = {
                "structured": {name: read_only(own) for name, own in self.structured.items()},
                "columns": {key: read_only(own) for key, own in self.columns.items()},
                "plain": {name: read_only(own) for name, own in self.plain.items()},
                **{name: read_only(getattr(self, name)) for name in ("serial", "prefab", "presence")},
            }
        own = {name: vars(self)[name] for name in self._fixed}
        shown = {
            "structured": {**self._fixed["structured"], **records},
            "columns": Columns({**self._fixed["columns"], **columns}),
        }
        vars(self).update(self._fixed | shown)
        try:
            yield
        finally:
            vars(self).update(own)

    @overload
    def has(self, rows: int, *components: ComponentType) -> bool: ...
    @overload
    def has(self, rows: NDArray[np.integer[Any]], *components: ComponentType) -> NDArray[np.bool_]: ...
    def has(self, rows: Any, *components: ComponentType) -> Any:
        """Return whether rows have all these components: bool for one row, else an array (n,)."""
        bits = np.uint64(self.mask(components))
        found = self.presence[rows] & bits == bits
        return found if isinstance(found, np.ndarray) else bool(found)

    def rows(self, *components: ComponentType) -> NDArray[np.int32]:
        """Return the rows of the entities that have all these components, ascending, int32; valid until rows move."""
        found = self._rows.get(components)
        if found is None:
            mask = self.mask(components)
            every = np.arange(self.size, dtype=np.int32)
            found = self._row_lists.of(mask, self.presence, self.size) if mask else every
            self._rows[components] = found
        return found

    def rows_by_serial(self, *components: ComponentType) -> NDArray[np.int32]:
        """Return the rows of the entities that have all these components, by ascending serial."""
        found = self._by_serial.get(components)
        if found is None:
            rows = self.rows(*components)
            found = self._by_serial[components] = rows[np.argsort(self.serial[rows])] if len(rows) > 1 else rows
        return found

    def row(self, serial: int) -> int:
        """Return the row of an entity.

        Raises:
            KeyError: the entity has no row: it is gone, or was not made by `world.spawn`.
        """
        row = self.row_of(serial)
        if row < 0:
            raise KeyError(f"entity {serial} has no row: it is gone, or was not made by world.spawn")
        return row

    def rows_of(self, serials: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the row of each serial, int64 (n,); -1 if the entity no longer lives."""
        return self._row_of_serial.of(serials)

    def living(self, serials: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the rows of those serials whose entities live, in the given order."""
        rows = self.rows_of(serials)
        return rows[rows >= 0]

    def row_of(self, serial: int) -> int:
        """Return the row of one serial; -1 if the entity no longer lives."""
        return self._row_of_serial.one(serial)

    def reserve(self, count: int) -> None:
        """Make room for `count` more rows."""
        if self.size + count > len(self.serial):
            self._grow(self.size, max(self.size + count, 2 * len(self.serial)))

    def append(self, count: int, presence: NDArray[np.uint64] | int = 0) -> NDArray[np.int64]:
        """Add rows with these components, vacant rows first, and return them; the caller sets their records."""
        vacant = self._vacant[:count]
        self.reserve(count - len(vacant))
        first, self.size = self.size, self.size + count - len(vacant)
        self._vacant = self._vacant[count:]
        rows = np.append(vacant, np.arange(first, self.size)) if self.size > first else vacant
        had = self.presence[rows]
        self.presence[rows] = presence
        for column in self._row_columns.values():
            column[rows] = NEW
        if count:
            self._rows_changed(rows[had != presence], had, self.presence[rows])
        return rows

    def bind(self, rows: NDArray[np.int64], serials: NDArray[np.int64]) -> None:
        """Set the serial of each of these new rows."""
        self.serial[rows] = serials
        self._row_of_serial.add(serials, rows)

    def default(self, component: ComponentType) -> NDArray[np.void]:
        """Return a new record of a component, shape (1,), with every field at its default."""
        return self.form(component).default.copy()

    def set_presence(self, rows: Any, components: Iterable[ComponentType], present: bool = True) -> None:
        """Add components to these rows, with every field at its default; or remove them, if not `present`."""
        components = list(components)
        bits = np.uint64(self.mask(components))
        self.presence[rows] = self.presence[rows] | bits if present else self.presence[rows] & ~bits
        self._rows_changed(rows, bits)
        if present:
            for component in components:
                self.plain[component.__name__][rows] = as_bytes(self.form(component).default)

    def vacate(self, rows: NDArray[np.int64]) -> None:
        """Clear these rows, which must be ascending and distinct. Until `close_gaps` is called, new entities are put
        into them.
        """
        self._row_of_serial.drop(self.serial[rows])
        self._vacant = np.union1d(self._vacant, rows) if len(self._vacant) else rows
        self.serial[rows] = NOBODY

    def close_gaps(self) -> None:
        """Move the last rows into the rows that are still vacant."""
        rows, self._vacant = self._vacant, self._vacant[:0]
        if not len(rows):
            return
        left = self.size - len(rows)
        holes = rows[: np.searchsorted(rows, left)]
        movers = np.setdiff1d(np.arange(left, self.size), rows, assume_unique=True)
        presence = self.presence[movers]
        for name, who in self._owners(presence):
            records = self.plain[name]
            records[holes[who]] = records[movers[who]]
        had = self.presence[rows]
        columns: list[Array] = [self.serial, self.prefab, self.presence, *self._row_columns.values()]
        for column in columns:
            column[holes] = column[movers]
        self._row_of_serial.move(self.serial[holes], holes)
        self.presence[left : self.size] = 0
        self._rows_changed(np.append(holes, np.arange(left, self.size)), had, presence)
        self.size = left

    def reorder(self, order: NDArray[np.integer[Any]]) -> None:
        """Permute all rows: row order[i] becomes row i."""
        for name, who in self._owners(self.presence[order]):
            records = self.plain[name]
            records[: self.size][who] = records.take(order[who])
        for column in (self.serial, self.prefab, self.presence):
            column[: self.size] = column.take(order)
        self._row_columns.clear()
        self._row_of_serial.move(self.serial[: self.size], np.arange(self.size))
        self._rows_changed(range(self.size), self.presence[: self.size])

    def assign(
        self,
        serials: NDArray[np.int64],
        prefabs: NDArray[np.int32],
        presence: NDArray[np.uint64],
        rows: NDArray[np.int64],
    ) -> None:
        """Replace all rows; the caller sets the records afterwards.

        Args:
            rows: the present row of each entity, int64 (n,); -1 for those that have none.
        """
        count, before = len(serials), self.size
        had = self.presence[:before].copy()
        self.reserve(max(count - before, 0))
        self.presence[count:before] = 0
        self.prefab[:count], self.presence[:count] = prefabs, presence
        self.size = count
        self._row_columns.clear()
        if count == before and (rows >= 0).all():
            self.serial[:count] = serials
            self._row_of_serial.move(serials, np.arange(count))
        else:
            self._row_of_serial = RowOfSerial()
            self.bind(np.arange(count), serials)
        self._rows_changed(range(max(count, before)), had, presence)

    def follow(self, other: EntityTable) -> None:
        """Become equal to a table with the same components or more; only what its clocks say has changed is copied.

        Raises:
            ValueError: it has another component of the same name.
        """
        for component in other.bit_of:
            self.declare(component)
        size = other.size
        if self.membership_clocks[ALL_ROWS] != other.membership_clocks[ALL_ROWS]:
            known = dict(self.membership_clocks)
            serials = other.serial[:size]
            self.assign(serials, other.prefab[:size], other.presence[:size], self.rows_of(serials))
            self.membership_clocks = known
        for name, component in other.components.items():
            clocks = other.value_clocks[name], other.membership_clocks[name]
            if (self.value_clocks[name], self.membership_clocks[name]) != clocks:
                rows = other.rows(component)
                which = slice(size) if 2 * len(rows) > size else rows
                self.plain[name][which] = other.plain[name][which]
                self.value_clocks[name], self.membership_clocks[name] = clocks
        self.membership_clocks[ALL_ROWS] = other.membership_clocks[ALL_ROWS]

    def _rows_changed(self, rows: range | Rows, *presence: NDArray[np.uint64] | np.uint64) -> None:
        """Move the membership clocks of components.

        Args:
            rows: those that may have other components now.
            presence: the presence, before or afterwards, of all rows that were added, removed or moved; and the bits of
                components that rows gained or lost.
        """
        self._row_lists.add(rows)
        self._rows.clear()
        self._by_serial.clear()
        bits, now = 0, next(_moves)
        for some in presence:
            bits |= int(np.bitwise_or.reduce(some, axis=None))
        for component in self.components_in(bits):
            self.membership_clocks[component.__name__] = now
        self.membership_clocks[ALL_ROWS] = now

    def _owners(self, presence: NDArray[np.uint64]) -> Iterator[tuple[str, Any]]:
        """Yield, for each component with fields that any of these rows has, its name and what selects the rows with it.

        If more than half have it, that is all rows: copying undefined values is cheaper than selecting.
        """
        someone, everyone = int(np.bitwise_or.reduce(presence)), int(np.bitwise_and.reduce(presence))
        for component, bit in self.bit_of.items():
            if not self.form(component).record.itemsize or not someone >> bit & 1:
                continue
            who = None if everyone >> bit & 1 else np.flatnonzero(presence & np.uint64(1 << bit))
            yield component.__name__, slice(None) if who is None or 2 * len(who) > len(presence) else who

    def _grow(self, size: int, capacity: int) -> None:
        def grown(column: Array, who: Any = slice(None)) -> Array:
            larger = untouched(capacity, column.dtype)
            larger[:size][who] = column[:size][who]
            return larger

        had = dict(self._owners(self.presence[:size]))
        for name, component in self.components.items():
            self._keep(component, grown(self.structured[name], had.get(name, slice(0))))
        self.serial, self.prefab, self.presence = grown(self.serial), grown(self.prefab), grown(self.presence)
        self._row_columns = {name: grown(column) for name, column in self._row_columns.items()}
        self._fixed = {}

    def _begin(self, component: ComponentType) -> None:
        """Make the columns of a component."""
        form = self.forms[component.__name__] = form_of(component, self.axes)
        self._keep(component, untouched(len(self.serial), form.record))

    def _begin_anew(self, component: ComponentType, rows: Rows) -> NDArray[np.void]:
        """Make the columns of a component in place of those it had; return the records, with the default in `rows`."""
        for key in self.forms[component.__name__].columns:
            del self.columns[key]
        self._begin(component)
        self.plain[component.__name__][rows] = as_bytes(self.form(component).default)
        return self.records(component)

    def _keep(self, component: ComponentType, records: Array) -> None:
        """Store the records of a component, and make its columns views of them."""
        self._fixed = {}
        self.value_clocks.setdefault(component.__name__, next(_moves))
        self.membership_clocks.setdefault(component.__name__, next(_moves))
        self.structured[component.__name__], self.plain[component.__name__] = records, as_bytes(records)
        for key in self.form(component).columns:
            self.columns[key] = records[item_of(key)]
