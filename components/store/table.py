"""One row per entity, one numpy column per field, and a mask of which components each row has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count as counter
from mmap import ACCESS_COPY, mmap
from types import MappingProxyType
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from components.store.entity_rows import EntityRows
from components.store.fields import Component, Field, older_field
from components.store.limits import limits

ComponentType = type[Any]
Column = NDArray[Any]
FIRST_CAPACITY = 64
MOST_PREFABS = 64  # a set of them is a mask
FEW = 1024  # rows: up to so many changes what is known of all others is kept
_versions = counter(1)  # of all tables together: none is given twice


class EntityTable:
    """The data of all entities of a world.

    Attributes:
        size: rows in use; every column is longer than that, so slice `[:table.size]`.
        columns: by field key ("Velocity.x"), shape (capacity,), dtype by the field's kind.
        serial: int64 (capacity,), the project's own number of each entity; never reused.
        entity: int64 (capacity,), its esper id.
        prefab: int32 (capacity,), index into the world's prefabs.
        presence: uint64 (capacity,), bit `bit_of[component]` is set where the row has the component.
        versions: by component's name, a number that changes when values of a serial may have changed; equal numbers
            mean equal values of those who are in both states, also in another table. Who writes into columns or
            records says so: a system by what it declares, everyone else by `write` or `changed`.
        rows_version: a number that changes when rows come, go, move, or have other components.

    Values of a component in rows that lack it are rubbish: they are neither written nor moved, and take no memory.
    Growth replaces the arrays: fetch columns every tick, keep none.
    """

    def __init__(self) -> None:
        self.size = 0
        self.columns: dict[str, Column] = {}
        self.components: dict[str, ComponentType] = {}
        self.bit_of: dict[ComponentType, int] = {}
        self.versions: dict[str, int] = {}
        self.rows_version = next(_versions)
        self._defaults: dict[str, Column] = {}
        self._records: dict[str, NDArray[np.void]] = {}
        self._masks: dict[tuple[ComponentType, ...], int] = {}
        self._rows: dict[int, NDArray[np.int32]] = {}
        self._rows_presence = np.zeros(FIRST_CAPACITY, np.uint64)
        self._changed: list[Sequence[int] | NDArray[np.int64]] = []
        self._row_of_entity = EntityRows()
        self.serial = np.zeros(FIRST_CAPACITY, np.int64)
        self.entity = np.zeros(FIRST_CAPACITY, np.int64)
        self.prefab = np.zeros(FIRST_CAPACITY, np.int32)
        self.presence = np.zeros(FIRST_CAPACITY, np.uint64)

    def declare(self, component: ComponentType) -> None:
        """Make the columns of a component type.

        Raises:
            ValueError: when another component of that name is declared, or 64 are.
        """
        name = component.__name__
        if self.components.get(name, component) is not component:
            raise ValueError(f"two components are called {name}: rename one")
        if component in self.bit_of:
            return
        if len(self.bit_of) == 64:
            raise ValueError(f"{name} is the 65th component; a world has room for 64")
        self.components[name] = component
        self.bit_of[component] = len(self.bit_of)
        self._defaults[name] = _default_of(component)
        self._keep(component, _untouched(len(self.serial), component.record))

    def redeclare(self, component: ComponentType) -> ComponentType:
        """Take a newer declaration of a component: values are kept by the names of fields of one kind, within bounds.

        Returns:
            the older one.
        Raises:
            KeyError: there is none of that name.
        """
        name = component.__name__
        older, records, rows = self.components[name], self._records[name], self.rows(self.components[name])
        columns = {field.name: field.columns for field in fields_of(older)}
        for key in (key for keys in columns.values() for key in keys):
            del self.columns[key]
        self.bit_of = {component if known is older else known: bit for known, bit in self.bit_of.items()}
        self._masks.clear()
        del self.components[name]
        self.components[name] = component
        self._defaults[name] = _default_of(component)
        self._keep(component, _untouched(len(self.serial), component.record))
        fresh = self._records[name]
        as_bytes(fresh)[rows] = as_bytes(self._defaults[name])
        for field in fields_of(component):
            known = older_field(field, older.fields)
            if known is not None:
                bounds = limits(field, MOST_PREFABS)
                for key, was in zip(field.columns, known.columns, strict=True):
                    fresh[item_of(key)][rows] = np.clip(records[item_of(was)][rows], bounds.low, bounds.high)
        self.changed(name)
        return older

    def mask(self, components: Iterable[ComponentType]) -> int:
        """The presence bits of these components."""
        return sum(1 << self.bit_of[component] for component in set(components))

    def components_in(self, presence: np.uint64 | int) -> list[ComponentType]:
        """The components whose bits are set."""
        return [component for component, bit in self.bit_of.items() if int(presence) >> bit & 1]

    def records(self, component: ComponentType) -> NDArray[np.void]:
        """All values of a component as records, shape (capacity,): what kernels take, `flocker[row].cohesion_limit`.

        The columns are views of these: what one entity's kernel reads lies side by side in memory.
        """
        return self._records[component.__name__]

    def changed(self, *names: str) -> None:
        """Records of these components were written: their versions change."""
        for name in names:
            self.versions[name] = next(_versions)

    def write(self, key: str, rows: Any, values: Any) -> None:
        """Set values of a column ("Velocity.x") in these rows."""
        self.columns[key][rows] = values
        self.changed(key.split(".", 1)[0])

    @overload
    def has(self, rows: int, *components: ComponentType) -> bool: ...
    @overload
    def has(self, rows: NDArray[np.integer[Any]], *components: ComponentType) -> NDArray[np.bool_]: ...
    def has(self, rows: Any, *components: ComponentType) -> Any:
        """Which of these rows have all these components, or whether one row has."""
        bits = np.uint64(self.mask(components))
        found = self.presence[rows] & bits == bits
        return found if isinstance(found, np.ndarray) else bool(found)

    def rows(self, *components: ComponentType) -> NDArray[np.int32]:
        """The rows of the entities that have all these components, ascending, int32; right until rows move."""
        if self._changed:
            self._follow_changes()
        mask = self._masks.get(components)
        if mask is None:
            mask = self._masks[components] = self.mask(components)
        rows = self._rows.get(mask)
        if rows is not None:
            return rows
        if not mask:
            return np.arange(self.size, dtype=np.int32)
        bits = np.uint64(mask)
        rows = self._rows[mask] = np.flatnonzero(self.presence[: self.size] & bits == bits).astype(np.int32)
        return rows

    def rows_by_serial(self, *components: ComponentType) -> NDArray[np.int32]:
        """The rows of the entities that have all these components, by ascending serial."""
        rows = self.rows(*components)
        return rows[np.argsort(self.serial[rows])]

    def row(self, entity: int) -> int:
        """The row of an esper entity.

        Raises:
            KeyError: when the entity has no row: it is gone, or was not made by `world.spawn`.
        """
        row = self._row_of_entity.one(entity)
        if row < 0:
            raise KeyError(f"entity {entity} has no row: it is gone, or was not made by world.spawn")
        return row

    def serial_of(self, entity: int) -> int:
        """The serial of an esper entity; -1 when it has no row."""
        row = self._row_of_entity.one(entity)
        return self.serial.item(row) if row >= 0 else -1

    def rows_of(self, serials: NDArray[np.int64]) -> NDArray[np.int64]:
        """The row of each of these serials; -1 for one that no longer lives."""
        if not len(serials):
            return np.zeros(0, np.int64)
        low, high, known = serials.min(), serials.max(), self.serial[: self.size]
        near = known == low if low == high else (known >= low) & (known <= high)
        rows = np.flatnonzero(near)
        if high - low < 8 * len(rows):  # a table of all serials between the two is quicker than sorting
            row_of: NDArray[np.int64] = np.full(high - low + 1, -1)
            row_of[known[rows] - low] = rows
            found: NDArray[np.int64] = row_of[serials - low]
            return found
        rows = rows[np.isin(self.serial[rows], serials)]
        if not len(rows):
            return np.full(len(serials), -1, np.int64)
        rows = rows[np.argsort(self.serial[rows])]
        living = self.serial[rows]
        place = np.minimum(np.searchsorted(living, serials), len(rows) - 1)
        return np.where(living[place] == serials, rows[place], -1)

    def living(self, serials: NDArray[np.int64]) -> NDArray[np.int64]:
        """The rows of those of these serials who live, in the order of these."""
        rows = self.rows_of(serials)
        return rows[rows >= 0]

    def row_of(self, serial: int) -> int:
        """The row of one serial; -1 when it no longer lives."""
        return int(self.rows_of(np.array([serial], np.int64))[0])

    def rows_of_entities(self, entities: NDArray[np.int64]) -> NDArray[np.int32]:
        """The row of each of these esper entities, all of which live."""
        return self._row_of_entity.of(entities)

    def reserve(self, count: int) -> None:
        """Make room for so many more rows."""
        if self.size + count > len(self.serial):
            self._grow(self.size, max(self.size + count, 2 * len(self.serial)))

    def append(self, count: int) -> slice:
        """Add rows without any component; returns them as a slice."""
        self.reserve(count)
        first, self.size = self.size, self.size + count
        self.rows_version = next(_versions)
        return slice(first, self.size)

    def bind(self, rows: slice, entities: NDArray[np.int64]) -> None:
        """Note which esper entities these rows are."""
        self.entity[rows] = entities
        self._row_of_entity.add(entities, np.arange(rows.start, rows.stop))

    def default(self, component: ComponentType) -> NDArray[np.void]:
        """A record of a component, shape (1,), each field at its default."""
        return self._defaults[component.__name__].copy()

    def set_presence(
        self,
        rows: Any,
        components: Iterable[ComponentType],
        present: bool = True,
        records: Mapping[ComponentType, NDArray[np.void]] = MappingProxyType({}),
    ) -> None:
        """Give these rows the components, every field at its default, or take the components from them.

        Args:
            records: of some components, what is to stand in all these rows instead of the defaults, shape (1,).
        """
        components = list(components)
        bits = np.uint64(self.mask(components))
        self.presence[rows] = self.presence[rows] | bits if present else self.presence[rows] & ~bits
        self._changed.append(range(rows.start, rows.stop) if isinstance(rows, slice) else rows)
        self.rows_version = next(_versions)
        if present:
            for component in components:
                record = records.get(component, self._defaults[component.__name__])
                as_bytes(self.records(component))[rows] = as_bytes(record)

    def remove(self, rows: NDArray[np.int64]) -> None:
        """Drop these rows, ascending and each once; the last rows move into their places."""
        self._row_of_entity.drop(self.entity[rows])
        left = self.size - len(rows)
        holes = rows[: np.searchsorted(rows, left)]
        stays = np.ones(len(rows), bool)
        stays[rows[len(holes) :] - left] = False
        movers = left + np.flatnonzero(stays)
        presence = self.presence[movers]
        for name, who in self._owners(presence):
            records = as_bytes(self._records[name])
            records[holes[who]] = records[movers[who]]
        for column in (self.serial, self.entity, self.prefab, self.presence):
            column[holes] = column[movers]
        self._row_of_entity.move(self.entity[holes], holes)
        self.presence[left : self.size] = 0
        self._changed += [holes, range(left, self.size)]
        self.size = left
        self.rows_version = next(_versions)

    def reorder(self, order: NDArray[np.integer[Any]]) -> None:
        """Put the rows into this order, a permutation of all of them: row i becomes what row order[i] was."""
        for name, who in self._owners(self.presence[order]):
            records = as_bytes(self._records[name])
            records[: self.size][who] = records.take(order[who])
        for column in (self.serial, self.entity, self.prefab, self.presence):
            column[: self.size] = column.take(order)
        self._row_of_entity.move(self.entity[: self.size], np.arange(self.size))
        self._changed.append(range(self.size))
        self.rows_version = next(_versions)

    def assign(
        self,
        rows: NDArray[np.int64],
        entities: NDArray[np.int64],
        prefabs: NDArray[np.int32],
        presence: NDArray[np.uint64],
    ) -> None:
        """Let these be the rows, instead of all that were there; `serial` and the records are to be set then.

        Args:
            rows: where each of them was, -1 for one that is new.
        """
        count, before = len(rows), self.size
        stays = rows >= 0
        gone = np.ones(before, bool)
        gone[rows[stays]] = False
        self._row_of_entity.drop(self.entity[:before][gone])
        self.reserve(max(count - before, 0))
        self.presence[count:before] = 0
        self.entity[:count], self.prefab[:count], self.presence[:count] = entities, prefabs, presence
        self.size = count
        self._row_of_entity.move(entities[stays], np.flatnonzero(stays))
        self._row_of_entity.add(entities[~stays], np.flatnonzero(~stays))
        self._changed.append(range(max(count, before)))
        self.rows_version = next(_versions)

    def _follow_changes(self) -> None:
        """Bring what `rows` keeps up to date, at little cost where few rows changed.

        Arrays once handed out never change: who still holds one sees the rows as they were.
        """
        changes, self._changed = self._changed, []
        if sum(map(len, changes)) > FEW:
            self._rows.clear()
            self._rows_presence[:] = self.presence
            return
        changed = np.array(sorted({int(row) for rows in changes for row in rows}), np.int64)
        before, after = self._rows_presence[changed], self.presence[changed]
        self._rows_presence[changed] = after
        masks = list(self._rows)
        bits = np.array(masks, np.uint64)[:, None]
        differs = (before & bits == bits) != (after & bits == bits)
        for n in np.flatnonzero(differs.any(axis=1)).tolist():
            rows, flipped = self._rows.pop(masks[n]), changed[differs[n]].astype(np.int32)
            same = int(np.searchsorted(rows, flipped[0]))
            if len(rows) - same <= FEW:
                end = np.setxor1d(rows[same:], flipped, assume_unique=True)
                self._rows[masks[n]] = np.concatenate([rows[:same], end])

    def _owners(self, presence: NDArray[np.uint64]) -> Iterator[tuple[str, Any]]:
        """The name of each component with fields that one of these rows has, and an index of those that do.

        Where most have it the index is all of them: it is cheaper to move some rubbish too than to pick.
        """
        someone, everyone = int(np.bitwise_or.reduce(presence)), int(np.bitwise_and.reduce(presence))
        for component, bit in self.bit_of.items():
            if not component.record.itemsize or not someone >> bit & 1:
                continue
            who = None if everyone >> bit & 1 else np.flatnonzero(presence & np.uint64(1 << bit))
            yield component.__name__, slice(None) if who is None or 2 * len(who) > len(presence) else who

    def _grow(self, size: int, capacity: int) -> None:
        def grown(column: Column, who: Any = slice(None)) -> Column:
            larger = _untouched(capacity, column.dtype)
            larger[:size][who] = column[:size][who]
            return larger

        had = dict(self._owners(self.presence[:size]))
        for name, component in self.components.items():
            self._keep(component, grown(self._records[name], had.get(name, slice(0))))
        self.serial, self.entity = grown(self.serial), grown(self.entity)
        self.prefab, self.presence = grown(self.prefab), grown(self.presence)
        self._rows_presence = np.append(self._rows_presence, np.zeros(capacity - len(self._rows_presence), np.uint64))

    def _keep(self, component: ComponentType, records: Column) -> None:
        """Take these as the records of a component; its columns are views of them."""
        self.versions.setdefault(component.__name__, next(_versions))
        self._records[component.__name__] = records
        for field in fields_of(component):
            for key in field.columns:
                self.columns[key] = records[item_of(key)]


def fields_of(component: type[Component] | ComponentType) -> tuple[Field, ...]:
    """The declared fields of a component type, in order."""
    return tuple(component.fields.values())


def _default_of(component: ComponentType) -> Column:
    """One record, each field at its default."""
    record: Column = np.zeros(1, component.record)
    for field in fields_of(component):
        for key in field.columns:
            record[item_of(key)] = field.default
    return record


def item_of(key: str) -> str:
    """What a column is called in its component's records: "Position.previous.x" is `previous_x`."""
    return key.split(".", 1)[1].replace(".", "_")


def as_bytes(records: Column) -> Column:
    """Records as plain bytes, which numpy moves ten times faster."""
    return records.view(f"V{records.itemsize}") if records.itemsize else records


def _untouched(count: int, dtype: np.dtype[Any]) -> Column:
    """Zeros that take memory only where they are written; `np.zeros` may clear memory that was in use before."""
    pages = mmap(-1, max(count * dtype.itemsize, 1), access=ACCESS_COPY)
    return np.frombuffer(pages, dtype, count) if dtype.itemsize else np.zeros(count, dtype)
