"""Entities with their whole state, apart from a world: to bring them back, or to make others like them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from components.store.prefab import Prefab
from components.store.records import ComponentType, as_bytes, item_of
from components.store.table import EntityTable
from components.store.world import World

Serials = NDArray[np.int64]
Rows = slice | NDArray[np.integer[Any]]


class Records(NamedTuple):
    """The records of one component.

    Attributes:
        version: that of the component in the table.
        rows: where they stood, ascending.
        values: shape (n,), one for each of these rows.
    """

    version: int
    rows: Rows
    values: NDArray[np.void]

    def at(self, rows: NDArray[np.integer[Any]]) -> NDArray[np.void]:
        """A copy of the records of some of these rows."""
        places = rows - self.rows.start if isinstance(self.rows, slice) else np.searchsorted(self.rows, rows)
        return cast(NDArray[np.void], as_bytes(self.values)[places].view(self.values.dtype))


@dataclass(frozen=True, eq=False, kw_only=True)
class Entities:
    """Some entities of a world; nothing that happens to it changes them.

    Attributes:
        components: those that the table knew, in the order of their bits.
        prefabs: those of the world, in their order.
        serial, prefab, presence: of each row, shape (n,).
        records: by component's name, all its values, transient ones too.
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
        """The values of a column ("Velocity.x") of those who have it, by row: to be read only."""
        return self.records[key.split(".", 1)[0]].values[item_of(key)]

    def only(self, rows: NDArray[np.integer[Any]]) -> Entities:
        """Those in these rows, each once; by ascending serial."""
        rows = rows[np.argsort(self.serial[rows])]
        records = {}
        for bit, component in enumerate(self.components):
            own = np.flatnonzero(self.presence[rows] >> np.uint64(bit) & np.uint64(1))
            if len(own):
                kept = self.records[component.__name__]
                records[component.__name__] = Records(kept.version, own, kept.at(rows[own]))
        return Entities(
            components=self.components,
            prefabs=self.prefabs,
            serial=self.serial[rows],
            prefab=self.prefab[rows],
            presence=self.presence[rows],
            records=records,
        )

    def come(self, world: World) -> None:
        """Let them live in a world, with their serials and in the state they are in.

        Raises:
            KeyError: the world lacks a component.
            ValueError: there is no room for so many.
        """
        records = {name: (rows, as_bytes(values)) for name, (_, rows, values) in self.records.items()}
        world.bring(self.serial, self.prefab, self.presence_in(world.table), records)

    def presence_in(self, table: EntityTable) -> NDArray[np.uint64]:
        """The presence of each row by a table's bits: another one may have declared components in another order."""
        if tuple(table.bit_of)[: len(self.components)] == self.components:
            return self.presence
        presence = np.zeros_like(self.presence)
        for bit, component in enumerate(self.components):
            has = self.presence >> np.uint64(bit) & np.uint64(1)
            if has.any():
                presence |= has << np.uint64(table.bit_of[table.components[component.__name__]])
        return presence
