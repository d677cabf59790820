"""Entities apart from a world: their whole state, as compact arrays, to bring them back or to make others like them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from components.store.table import ComponentType, fields_of, item_of
from components.store.world import World
from sandbox.serials import Serials


@dataclass(frozen=True, eq=False)
class Kin:
    """Those of one prefab with the same components.

    Attributes:
        prefab: its place among the prefabs.
        serials: int64 (n,), ascending.
        records: by component's name, all its values, transient ones too, as the table's records, shape (n,).
    """

    prefab: int
    serials: NDArray[np.int64]
    records: Mapping[str, NDArray[np.void]]

    def column(self, key: str) -> NDArray[Any]:
        """The values of a column ("Velocity.x"), shape (n,): to be read only."""
        return self.records[key.split(".", 1)[0]][item_of(key)]

    def only(self, which: NDArray[Any]) -> Kin:
        """Some of them: indices, or a bool for each."""
        records = {name: records[which] for name, records in self.records.items()}
        return Kin(self.prefab, self.serials[which], records)


@dataclass(frozen=True, eq=False)
class Beings:
    """Entities with their whole state, and the names of the prefabs of their world, in order."""

    kin: tuple[Kin, ...]
    prefabs: tuple[str, ...]

    def __len__(self) -> int:
        return sum(len(kin.serials) for kin in self.kin)

    @property
    def serials(self) -> NDArray[np.int64]:
        """All their serials, ascending."""
        return np.sort(np.concatenate([np.zeros(0, np.int64), *(kin.serials for kin in self.kin)]))

    def at_most(self, count: int) -> Beings:
        """So many of them, those with the lowest serials."""
        if len(self) <= count:
            return self
        end = self.serials[count]
        return Beings(tuple(kin.only(kin.serials < end) for kin in self.kin), self.prefabs)


def copy_of(world: World, serials: Iterable[int] | NDArray[np.int64]) -> Beings:
    """Those of these serials who live, as they are now: what `Paste` makes others of."""
    return beings_in(world, world.table.living(Serials(serials).array))


def beings_in(world: World, rows: NDArray[np.integer[Any]]) -> Beings:
    """The entities in these rows, each once, as they are now."""
    table = world.table
    rows = rows[np.argsort(table.serial[rows])]
    kinds, presence = table.prefab[rows], table.presence[rows]
    kin = []
    for prefab, bits in _each_once(kinds, presence):
        own = rows[(kinds == prefab) & (presence == bits)]
        components = [c for c, bit in table.bit_of.items() if bits >> bit & 1]
        kin.append(Kin(prefab, table.serial[own], {c.__name__: _copied(table.records(c), own) for c in components}))
    return Beings(tuple(kin), tuple(world.prefabs))


def bring_back(world: World, beings: Beings) -> None:
    """Let them live, with their serials and in the state they are in."""
    names = list(world.prefabs)
    for kin in beings.kin:
        components = [world.table.components[name] for name in kin.records]
        world.restore(names[kin.prefab], kin.serials, components, values_of(components, kin))


def values_of(components: list[ComponentType], kin: Kin) -> dict[str, ArrayLike]:
    """All values by column."""
    return {key: kin.column(key) for component in components for field in fields_of(component) for key in field.columns}


def _each_once(kinds: NDArray[np.int32], presence: NDArray[np.uint64]) -> Iterator[tuple[int, int]]:
    """Every pair of prefab and components that occurs, in order."""
    for prefab in np.unique(kinds).tolist():
        for bits in np.unique(presence[kinds == prefab]).tolist():
            yield prefab, bits


def _copied(records: NDArray[np.void], rows: NDArray[np.integer[Any]]) -> NDArray[np.void]:
    """As plain bytes, which numpy picks ten times faster."""
    if not records.itemsize:
        return np.zeros(len(rows), records.dtype)
    copied: NDArray[np.void] = records.view(f"V{records.itemsize}")[rows].view(records.dtype)
    return copied
