"""Entities with all their values, independent of a world: copied from one, made from a prefab, or born."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from components.store.prefab import Prefab, column_of, refuse_unknown_fields
from components.store.records import ComponentType, as_bytes, form_of, item_of
from components.store.row_lists import Rows, Serials
from components.store.table import EntityTable


class Records(NamedTuple):
    """The records of one component.

    Attributes:
        rows: their rows, ascending.
        values: the records of these rows, shape (n,), or the same as plain bytes.
    """

    rows: slice | Rows
    values: NDArray[np.void]

    def at(self, rows: Rows) -> NDArray[np.void]:
        """Return a copy of the records of some of these rows."""
        found = rows - self.rows.start if isinstance(self.rows, slice) else np.searchsorted(self.rows, rows)
        return cast(NDArray[np.void], as_bytes(self.values)[found].view(self.values.dtype))


@dataclass(frozen=True, eq=False, kw_only=True)
class Entities:
    """Entities, one in each row; `World.bring` lets them enter a world, whose later changes don't affect these.

    Attributes:
        axes: those of their world.
        components: the components of a table, in the order of their bits.
        prefabs: the prefabs of a world, in their order.
        serial, prefab, presence: the values of each row, shape (n,).
        records: the records of each component by its name, with transient values.
        parents: the serial of each one's parent, shape (n,), if they are born.
    """

    axes: str
    components: tuple[ComponentType, ...]
    prefabs: tuple[Prefab, ...]
    serial: Serials
    prefab: NDArray[np.int32]
    presence: NDArray[np.uint64]
    records: Mapping[str, Records]
    parents: Serials | None = None

    def __len__(self) -> int:
        return len(self.serial)

    def column(self, key: str) -> NDArray[Any]:
        """Return the values of a column ("Velocity.x") for the entities that have it, by row; don't write to it."""
        return self.records[key.split(".", 1)[0]].values[item_of(key)]

    def only(self, rows: Rows) -> Entities:
        """Return the entities in these rows, which must be distinct, by ascending serial."""
        rows = rows[np.argsort(self.serial[rows])]
        records = {}
        for bit, component in enumerate(self.components):
            own = np.flatnonzero(self.presence[rows] >> np.uint64(bit) & np.uint64(1))
            if len(own):
                records[component.__name__] = Records(own, self.records[component.__name__].at(rows[own]))
        return Entities(
            axes=self.axes,
            components=self.components,
            prefabs=self.prefabs,
            serial=self.serial[rows],
            prefab=self.prefab[rows],
            presence=self.presence[rows],
            records=records,
        )

    def fitted(self, table: EntityTable) -> Entities:
        """Return these entities with the components of `table`, which may be others, in another order.

        In a world with other axes, they lose what it lacks, and what it has more is at its default.

        Raises:
            KeyError: the table lacks a component that one of them has.
        """
        if self.axes != table.axes:
            records = {
                component.__name__: own._replace(values=form_of(component, table.axes).fitted(own.values))
                for component in self.components
                if (own := self.records.get(component.__name__))
            }
            return replace(self, axes=table.axes, records=records).fitted(table)
        components = tuple(table.bit_of)
        if components[: len(self.components)] == self.components:
            return self
        presence = np.zeros_like(self.presence)
        for bit, component in enumerate(self.components):
            has = self.presence >> np.uint64(bit) & np.uint64(1)
            if has.any():
                presence |= has << np.uint64(table.bit_of[table.components[component.__name__]])
        records = {name: own for name, own in self.records.items() if name in table.components}
        return replace(self, components=components, presence=presence, records=records)


def made_of(
    table: EntityTable,
    prefabs: Iterable[Prefab],
    prefab: int,
    serials: Serials,
    records: Mapping[ComponentType, NDArray[np.void]],
    values: Mapping[str, ArrayLike],
) -> Entities:
    """Return entities of one prefab with copies of the same records, shape (1,), except for some values.

    Args:
        prefabs: those of the world.
        prefab: the index of theirs.
        values: by column key ("Velocity.x"), one stored value or one for each entity. A component without a record is
            added if one of its fields is given.
    Raises:
        KeyError: a field is unknown.
        ValueError: a column can't hold a value, or the number of values is not that of the serials.
    """
    refuse_unknown_fields(table, values)
    components = dict.fromkeys([*records, *(table.components[key.split(".")[0]] for key in values)])
    count, made = len(serials), {}
    for component in components:
        made[component.__name__] = records.get(component, table.default(component)).repeat(count)
    for key, value in values.items():
        made[key.split(".")[0]][item_of(key)] = column_of(table, key, value, count)
    for component in components:
        for key, first in table.form(component).starts:
            if key not in values:
                made[component.__name__][item_of(key)] = made[component.__name__][item_of(first)]
    return Entities(
        axes=table.axes,
        components=tuple(table.bit_of),
        prefabs=tuple(prefabs),
        serial=serials,
        prefab=np.full(count, prefab, np.int32),
        presence=np.full(count, table.mask(components), np.uint64),
        records={name: Records(slice(0, count), own) for name, own in made.items()},
    )
