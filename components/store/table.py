"""One row per entity, one numpy column per field, and a mask of which components each row has."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.store.fields import Component, Field

ComponentType = type[Any]
Column = NDArray[Any]
FIRST_CAPACITY = 64


class EntityTable:
    """The data of all entities of a world.

    Attributes:
        size: rows in use; every column is longer than that, so slice `[:table.size]`.
        columns: by field key ("Velocity.x"), shape (capacity,), dtype by the field's kind.
        serial: int64 (capacity,), the project's own number of each entity; never reused.
        entity: int64 (capacity,), its esper id.
        prefab: int32 (capacity,), index into the world's prefabs.
        presence: uint64 (capacity,), bit `bit_of[component]` is set where the row has the component.

    Growth replaces the arrays: fetch columns every tick, keep none.
    """

    def __init__(self) -> None:
        self.size = 0
        self.columns: dict[str, Column] = {}
        self.components: dict[str, ComponentType] = {}
        self.bit_of: dict[ComponentType, int] = {}
        self._defaults: dict[str, Any] = {}
        self._records: dict[str, NDArray[np.void]] = {}
        self._rows: dict[int, NDArray[np.int32]] = {}
        self._row_of_entity = np.full(FIRST_CAPACITY, -1, np.int32)
        self.serial = np.zeros(FIRST_CAPACITY, np.int64)
        self.entity = np.zeros(FIRST_CAPACITY, np.int64)
        self.prefab = np.zeros(FIRST_CAPACITY, np.int32)
        self.presence = np.zeros(FIRST_CAPACITY, np.uint64)

    def declare(self, component: ComponentType) -> None:
        """Make the columns of a component type, at their defaults.

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
        for field in fields_of(component):
            for key in field.columns:
                self._defaults[key] = field.default
        self._keep(component, np.zeros(len(self.serial), component.record))
        for field in fields_of(component):
            for key in field.columns:
                self.columns[key][:] = field.default

    def mask(self, components: Iterable[ComponentType]) -> int:
        """The presence bits of these components."""
        return sum(1 << self.bit_of[component] for component in set(components))

    def records(self, component: ComponentType) -> NDArray[np.void]:
        """All values of a component as records, shape (capacity,): what kernels take, `flocker[row].cohesion_limit`.

        The columns are views of these: what one entity's kernel reads lies side by side in memory.
        """
        return self._records[component.__name__]

    def rows(self, *components: ComponentType) -> NDArray[np.int32]:
        """The rows of the entities that have all these components, ascending, int32; kept until rows move."""
        mask = self.mask(components)
        if mask not in self._rows:
            bits = np.uint64(mask)
            self._rows[mask] = np.flatnonzero(self.presence[: self.size] & bits == bits).astype(np.int32)
        return self._rows[mask]

    def row(self, entity: int) -> int:
        """The row of an esper entity.

        Raises:
            KeyError: when the entity has no row: it is gone, or was not made by `world.spawn`.
        """
        row = int(self._row_of_entity[entity]) if 0 <= entity < len(self._row_of_entity) else -1
        if row < 0:
            raise KeyError(f"entity {entity} has no row: it is gone, or was not made by world.spawn")
        return row

    def rows_of(self, serials: NDArray[np.int64]) -> NDArray[np.int64]:
        """The row of each of these serials; -1 for one that no longer lives."""
        order = np.argsort(self.serial[: self.size])
        living = self.serial[order]
        place = np.minimum(np.searchsorted(living, serials), max(len(living) - 1, 0))
        if not len(living):
            return np.full(len(serials), -1, np.int64)
        return np.where(living[place] == serials, order[place], -1)

    def append(self, count: int) -> slice:
        """Add rows with every field at its default and no component; returns them as a slice."""
        first, self.size = self.size, self.size + count
        if self.size > len(self.serial):
            self._grow(max(self.size, 2 * len(self.serial)))
        rows = slice(first, self.size)
        self.presence[rows] = 0
        for key, column in self.columns.items():
            column[rows] = self._defaults[key]
        self._rows.clear()
        return rows

    def bind(self, rows: slice, entities: NDArray[np.int64]) -> None:
        """Note which esper entities these rows are."""
        self.entity[rows] = entities
        if len(entities) and entities.max() >= len(self._row_of_entity):
            larger = np.full(int(2 * entities.max() + 2), -1, np.int32)
            larger[: len(self._row_of_entity)] = self._row_of_entity
            self._row_of_entity = larger
        self._row_of_entity[entities] = np.arange(rows.start, rows.stop)

    def set_presence(self, rows: Any, components: Iterable[ComponentType], present: bool = True) -> None:
        """Say that these rows have, or no longer have, the components."""
        bits = np.uint64(self.mask(components))
        self.presence[rows] = self.presence[rows] | bits if present else self.presence[rows] & ~bits
        self._rows.clear()

    def remove(self, rows: NDArray[np.int64]) -> None:
        """Drop rows; the last rows move into their places."""
        self._row_of_entity[self.entity[rows]] = -1
        left = self.size - len(rows)
        gone = np.zeros(self.size, bool)
        gone[rows] = True
        holes = np.flatnonzero(gone[:left])
        movers = left + np.flatnonzero(~gone[left:])
        for column in self._arrays():
            column[holes] = column[movers]
        self._row_of_entity[self.entity[holes]] = holes
        self.size = left
        self._rows.clear()

    def reorder(self, order: NDArray[np.integer[Any]]) -> None:
        """Put the rows into this order, a permutation of all of them: row i becomes what row order[i] was."""
        for column in self._arrays():
            column[: self.size] = column.take(order)
        self._row_of_entity[self.entity[: self.size]] = np.arange(self.size)
        self._rows.clear()

    def _arrays(self) -> list[Column]:
        """All there is of each row; records as plain bytes, which numpy moves ten times faster."""
        records = [records.view(f"V{records.itemsize}") for records in self._records.values() if records.itemsize]
        return [self.serial, self.entity, self.prefab, self.presence, *records]

    def _grow(self, capacity: int) -> None:
        def grown(column: Column) -> Column:
            larger = np.zeros(capacity, column.dtype)
            larger[: len(column)] = column
            return larger

        self.serial, self.entity = grown(self.serial), grown(self.entity)
        self.prefab, self.presence = grown(self.prefab), grown(self.presence)
        for name, component in self.components.items():
            self._keep(component, grown(self._records[name]))

    def _keep(self, component: ComponentType, records: Column) -> None:
        """Take these as the records of a component; its columns are views of them."""
        self._records[component.__name__] = records
        for field in fields_of(component):
            for key in field.columns:
                self.columns[key] = records[key.split(".", 1)[1].replace(".", "_")]


def fields_of(component: type[Component] | ComponentType) -> tuple[Field, ...]:
    """The declared fields of a component type, in order."""
    return tuple(component.fields.values())
