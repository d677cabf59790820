"""Copies of entities apart from a world, to bring them back or to make others like them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from components.store.savepoint import Savepoint
from components.store.table import ComponentType, fields_of, item_of
from components.store.world import World
from sandbox.serials import Serials


@dataclass(frozen=True, eq=False)
class ArchetypeGroup:
    """Copies of entities of one prefab with the same components.

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

    def only(self, which: NDArray[Any]) -> ArchetypeGroup:
        """Some of them: indices, or a bool for each."""
        records = {name: records[which] for name, records in self.records.items()}
        return ArchetypeGroup(self.prefab, self.serials[which], records)

    def values(self, components: Iterable[ComponentType]) -> dict[str, ArrayLike]:
        """All values of these components by column."""
        fields = (field for component in components for field in fields_of(component))
        return {key: self.column(key) for field in fields for key in field.columns}


@dataclass(frozen=True, eq=False)
class EntityCopies:
    """Copies of entities with their whole state, and the names of the prefabs of their world, in order."""

    groups: tuple[ArchetypeGroup, ...]
    prefabs: tuple[str, ...]

    def __len__(self) -> int:
        return sum(len(group.serials) for group in self.groups)

    @property
    def serials(self) -> NDArray[np.int64]:
        """All their serials, ascending."""
        return np.sort(np.concatenate([np.zeros(0, np.int64), *(group.serials for group in self.groups)]))

    def at_most(self, count: int) -> EntityCopies:
        """So many of them, those with the lowest serials."""
        if len(self) <= count:
            return self
        end = self.serials[count]
        return EntityCopies(tuple(group.only(group.serials < end) for group in self.groups), self.prefabs)


def copy_of(world: World, serials: Iterable[int] | NDArray[np.int64]) -> EntityCopies:
    """Copies of those of these serials who live: what `Paste` makes others of."""
    return copies_in(Savepoint.take(world), world.table.living(Serials(serials).array))


def copies_in(savepoint: Savepoint, rows: NDArray[np.integer[Any]]) -> EntityCopies:
    """Copies of the entities in these rows of a savepoint, each once."""
    rows = rows[np.argsort(savepoint.serial[rows])]
    kinds, presence, groups = savepoint.prefab[rows], savepoint.presence[rows], []
    for prefab in np.unique(kinds).tolist():
        for bits in np.unique(presence[kinds == prefab]).tolist():
            own = rows[(kinds == prefab) & (presence == bits)]
            names = (component.__name__ for bit, component in enumerate(savepoint.components) if bits >> bit & 1)
            records = {name: savepoint.records[name].at(own) for name in names}
            groups.append(ArchetypeGroup(prefab, savepoint.serial[own], records))
    return EntityCopies(tuple(groups), tuple(prefab.name for prefab in savepoint.prefabs))


def bring_back(world: World, copies: EntityCopies) -> None:
    """Let them live, with their serials and in the state they are in."""
    names = list(world.prefabs)
    for group in copies.groups:
        components = [world.table.components[name] for name in group.records]
        world.restore(names[group.prefab], group.serials, components, group.values(components))
