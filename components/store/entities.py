"""Copies of entities with their whole state, independent of a world: for undo, and for copy and paste."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from components.store.prefab import Batch, Prefab
from components.store.records import ComponentType, as_bytes, item_of
from components.store.table import EntityTable

Serials = NDArray[np.int64]
Rows = slice | NDArray[np.integer[Any]]


class Records(NamedTuple):
    """The records of one component.

    Attributes:
        clock: the clock of the component's values in the table when they were copied.
        rows: their rows, ascending.
        values: the records of these rows, shape (n,).
    """

    clock: int
    rows: Rows
    values: NDArray[np.void]

    def at(self, rows: NDArray[np.integer[Any]]) -> NDArray[np.void]:
        """Return a copy of the records of some of these rows."""
        places = rows - self.rows.start if isinstance(self.rows, slice) else np.searchsorted(self.rows, rows)
        return cast(NDArray[np.void], as_bytes(self.values)[places].view(self.values.dtype))


@dataclass(frozen=True, eq=False, kw_only=True)
class Entities:
    """The state of some entities of a world, copied: later changes of the world don't affect it.

    Attributes:
        components: the components that the table had, in the order of their bits.
        prefabs: the prefabs of the world, in their order.
        serial, prefab, presence: the values of each row, shape (n,).
        records: the records of each component by its name, with transient values.
    """

    components: tuple[ComponentType, ...]
    prefabs: tuple[Prefab, ...]
    serial: Serials
    prefab: NDArray[np.int32]
    presence: NDArray[np.uint64]
    records: Mapping[str, Records]

    def __len__(self) -> int:
        return len(self.serial)

    def column(self, key: str) -> NDArray[Any]:
        """Return the values of a column ("Velocity.x") for the entities that have it, by row; don't write to it."""
        return self.records[key.split(".", 1)[0]].values[item_of(key)]

    def only(self, rows: NDArray[np.integer[Any]]) -> Entities:
        """Return the entities in these rows, which must be distinct, by ascending serial."""
        rows = rows[np.argsort(self.serial[rows])]
        records = {}
        for bit, component in enumerate(self.components):
            own = np.flatnonzero(self.presence[rows] >> np.uint64(bit) & np.uint64(1))
            if len(own):
                kept = self.records[component.__name__]
                records[component.__name__] = Records(kept.clock, own, kept.at(rows[own]))
        return Entities(
            components=self.components,
            prefabs=self.prefabs,
            serial=self.serial[rows],
            prefab=self.prefab[rows],
            presence=self.presence[rows],
            records=records,
        )

    def batch(self, table: EntityTable) -> Batch:
        """Return these entities, with their serials and their state, for the world of this table.

        Raises:
            KeyError: the table lacks a component.
        """
        records = {name: (rows, as_bytes(values)) for name, (_, rows, values) in self.records.items()}
        return Batch(self.serial, self.prefab, self.presence_in(table), records)

    def presence_in(self, table: EntityTable) -> NDArray[np.uint64]:
        """Return the presence of each row in the bits of `table`, which may order components differently."""
        if tuple(table.bit_of)[: len(self.components)] == self.components:
            return self.presence
        presence = np.zeros_like(self.presence)
        for bit, component in enumerate(self.components):
            has = self.presence >> np.uint64(bit) & np.uint64(1)
            if has.any():
                presence |= has << np.uint64(table.bit_of[table.components[component.__name__]])
        return presence
