"""Changes that restore values in columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.store.records import ComponentType, fields_of, item_of
from components.store.savepoint import Changed, words
from components.store.world import World
from sandbox.design.borders import PLACE

Serials = NDArray[np.int64]
Column = NDArray[Any]
Columns = tuple[Column, ...]


@dataclass(frozen=True, eq=False)
class Values:
    """Restores values of some columns of some entities, together, unless they have changed since.

    Attributes:
        keys: the columns. The first `firm` of them decide whether an entity is still as it was left.
        serials: int64 (n,), each once; those that no longer live are ignored.
        left: for each column, shape (n,): the values that the command left. Entities with others are not changed.
        value: for each column, shape (n,): the values to restore.
    """

    keys: tuple[str, ...]
    firm: int
    serials: Serials
    left: Columns
    value: Columns

    @property
    def about(self) -> tuple[str, ...]:
        """The columns; changes of the same ones in a step are merged."""
        return self.keys

    def apply(self, world: World) -> None:
        table = world.table
        rows = table.rows_of(self.serials)
        owner = table.components[self.keys[0].split(".", 1)[0]]
        columns = [table.columns[key] for key in self.keys]
        stays = (rows >= 0) & table.has(rows, owner)
        for column, left in zip(columns[: self.firm], self.left, strict=False):
            stays &= words(column[rows]) == words(left)
        for key, value in zip(self.keys, self.value, strict=True):
            table.write(key, rows[stays], value[stays])

    def merged_with(self, later: Values) -> Values | None:
        """Return one change that restores `later`'s values, and then its own where these are the ones it left."""
        own = _places(self.serials, later.serials)
        both = self.serials[own] == later.serials
        chain = both.copy()
        for n in range(self.firm):
            chain &= words(self.left[n][own]) == words(later.value[n])
        rest = np.ones(len(self.serials), bool)
        rest[own[both]] = False
        serials = np.concatenate([later.serials, self.serials[rest]])
        left = [np.concatenate([later.left[n], self.left[n][rest]]) for n in range(len(self.keys))]
        value = [np.where(chain, self.value[n][own], later.value[n]) for n in range(len(self.keys))]
        value = [np.concatenate([value[n], self.value[n][rest]]) for n in range(len(self.keys))]
        stays = np.ones(len(serials), bool)
        for n in range(self.firm):
            stays &= words(left[n]) == words(value[n])
        if stays.all():
            return None
        if stays.any():
            serials, left, value = serials[~stays], [c[~stays] for c in left], [c[~stays] for c in value]
        return Values(self.keys, self.firm, serials, _compact(left), _compact(value))

    def renumbered(self, first: int, by: int) -> Values:
        return Values(self.keys, self.firm, renumbered(self.serials, first, by), self.left, self.value)


def values_before(changed: Changed) -> Iterator[Values]:
    """Yield the changes that restore the earlier values of some records."""
    for keys in _groups(changed.component):
        firm = sum(not changed.component.fields[key.split(".")[1]].transient for key in keys)
        if not (masks := [changed.columns[key] for key in keys[:firm] if key in changed.columns]):
            continue
        differs = np.logical_or.reduce(masks)
        left, value = ([each[item_of(key)][differs] for key in keys] for each in (changed.now, changed.then))
        yield Values(keys, firm, changed.serials[differs], _compact(left), _compact(value))


def _groups(component: ComponentType) -> list[tuple[str, ...]]:
    """Return groups of columns restored together: place with previous place, other stored fields; stored ones first."""
    fields = [field for field in fields_of(component) if not field.transient]
    return sorted({PLACE if field.key in PLACE else field.columns for field in fields})


def _places(known: Serials, wanted: Serials) -> NDArray[np.int64]:
    """Return the index of each serial among the known ones; any index if it is not one of them."""
    if np.array_equal(known, wanted):  # frequent while a slider is dragged
        return np.arange(len(known))
    order = np.argsort(known)
    places = np.searchsorted(known, wanted, sorter=order)
    return order[np.minimum(places, len(order) - 1)]


def renumbered(serials: Serials, first: int, by: int) -> Serials:
    """Add `by` to all serials from `first` on."""
    return np.where(serials >= first, serials + by, serials)


def _compact(columns: Sequence[Column]) -> Columns:
    """Store columns in which all values are equal as one value, broadcast."""
    return tuple(
        np.broadcast_to(column[:1].copy(), len(column))
        if len(column) > 1 and (words(column) == words(column[:1])).all()
        else column
        for column in columns
    )
