"""Changes that restore values in columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.store.entities import Entities
from components.store.fields import DEEP, FLAT
from components.store.records import Form, form_of, item_of
from components.store.savepoint import Changed, words
from components.store.world import World
from sandbox.design.borders import place_columns

Serials = NDArray[np.int64]
Array = NDArray[Any]
Columns = tuple[Array, ...]


@dataclass(frozen=True, eq=False)
class Values:
    """Restores values of some columns of some entities, together, unless they have changed since.

    Attributes:
        keys: the columns; those that the world lacks, because it is flat, are ignored. The first `firm` of them decide
            whether an entity is still as it was left.
        serials: int64 (n,), each once; those that no longer live are ignored.
        left: for each column, shape (n,): the values that the command left. Entities with others are not changed.
        value: for each column, shape (n,): the values to restore.
    """

    keys: tuple[str, ...]
    firm: int
    serials: Serials
    left: Columns
    value: Columns

    def apply(self, world: World, given: int) -> None:
        table = world.table
        rows = table.rows_of(self.serials)
        owner = table.components[self.keys[0].split(".", 1)[0]]
        stays = (rows >= 0) & (self.serials < given) & table.has(rows, owner)
        for key, left in zip(self.keys[: self.firm], self.left, strict=False):
            if key in table.columns:
                stays &= words(table.columns[key][rows]) == words(left)
        for key, value in zip(self.keys, self.value, strict=True):
            if key in table.columns:
                table.write(key, rows[stays], value[stays])

    def continued(self, later: Values) -> Values | None:
        """Return the change that undoes this and a later one of exactly the same values, if that left no gap."""
        if self.keys != later.keys or len(self.serials) != len(later.serials):
            return None
        same_rows = np.array_equal(self.serials, later.serials)
        own, others = (slice(None) if same_rows else np.argsort(each.serials) for each in (self, later))
        if not np.array_equal(self.serials[own], later.serials[others]):
            return None
        if not all(same_bits(self.left[n][own], later.value[n][others]) for n in range(self.firm)):
            return None
        left, value = ((column[others] for column in later.left), (column[own] for column in self.value))
        return Values(self.keys, self.firm, self.serials[own], _compact(left), _compact(value))


def values_before(changed: Changed) -> Iterator[Values]:
    """Yield the changes that restore the earlier values of some records."""
    for keys in _groups(changed.form):
        firm = sum(not changed.form.columns[key].transient for key in keys)
        if not (masks := [changed.columns[key] for key in keys[:firm] if key in changed.columns]):
            continue
        differs = np.logical_or.reduce(masks)
        left, value = ([each[item_of(key)][differs] for key in keys] for each in (changed.now, changed.then))
        yield Values(keys, firm, changed.serials[differs], _compact(left), _compact(value))


def values_lost(before: Entities) -> Iterator[Values]:
    """Yield the changes that restore what entities of a world with depth have more than those of a flat one."""
    for component in before.components:
        flat, own = form_of(component, FLAT).columns, before.records[component.__name__]
        for group in _groups(form_of(component, DEEP)):
            if keys := tuple(key for key in group if key not in flat):
                value = _compact(own.values[item_of(key)].copy() for key in keys)
                yield Values(keys, 0, before.serial[own.rows], (), value)


def _groups(form: Form) -> list[tuple[str, ...]]:
    """Return groups of columns restored together: place with previous place, other stored fields; stored ones first."""
    place = tuple(key for keys in place_columns(form.axes) for key in keys)
    fields = [field for field in form.fields if not field.transient]
    return sorted({place if field.key in place else field.columns(form.axes) for field in fields})


def same_bits(one: Array, other: Array) -> bool:
    """Return whether two columns have the same values, bit by bit."""
    return np.array_equal(words(one), words(other))


def _compact(columns: Iterable[Array]) -> Columns:
    """Store columns in which all values are equal as one value, broadcast."""
    return tuple(
        np.broadcast_to(column[:1].copy(), len(column))
        if len(column) > 1 and (words(column) == words(column[:1])).all()
        else column
        for column in columns
    )
