"""What changed in columns: copies of them from before, and values to give back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.store.fields import Field
from components.store.table import EntityTable
from components.store.world import World
from sandbox.edit.borders import PLACE

Serials = NDArray[np.int64]
Column = NDArray[Any]
Columns = tuple[Column, ...]
WORDS = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}


@dataclass(frozen=True, eq=False)
class Values:
    """Some columns of some entities are to have these values again, together, where they still have others.

    Attributes:
        keys: the columns; the first `firm` of them tell whether an entity is as it was left, the others go along.
        serials: int64 (n,), each once; those who no longer live are passed over.
        left: of each column, shape (n,): how it was left. Where something changed it since, it stays.
        value: of each column, shape (n,): what it becomes.
    """

    keys: tuple[str, ...]
    firm: int
    serials: Serials
    left: Columns
    value: Columns

    @property
    def about(self) -> tuple[str, ...]:
        """What it gives back: two of a step that are about the same become one."""
        return self.keys

    def apply(self, world: World) -> Values | None:
        table = world.table
        rows = table.rows_of(self.serials)
        owner = table.components[self.keys[0].split(".", 1)[0]]
        columns = [table.columns[key] for key in self.keys]
        stays = (rows >= 0) & table.has(rows, owner)
        for column, left in zip(columns[: self.firm], self.left, strict=False):
            stays &= _words(column[rows]) == _words(left)
        if not stays.any():
            return None
        rows, value = rows[stays], tuple(value[stays] for value in self.value)
        now = tuple(column[rows] for column in columns)
        for column, one in zip(columns, value, strict=True):
            column[rows] = one
        return Values(self.keys, self.firm, self.serials[stays], _compact(value), _compact(now))

    def followed_by(self, later: Values) -> Values | None:
        """What gives back the values of both: first those of `later`, then its own where these are as it left them."""
        own = _places(self.serials, later.serials)
        both = self.serials[own] == later.serials
        chain = both.copy()
        for n in range(self.firm):
            chain &= _words(self.left[n][own]) == _words(later.value[n])
        rest = np.ones(len(self.serials), bool)
        rest[own[both]] = False
        serials = np.concatenate([later.serials, self.serials[rest]])
        left = [np.concatenate([later.left[n], self.left[n][rest]]) for n in range(len(self.keys))]
        value = [np.where(chain, self.value[n][own], later.value[n]) for n in range(len(self.keys))]
        value = [np.concatenate([value[n], self.value[n][rest]]) for n in range(len(self.keys))]
        stays = np.ones(len(serials), bool)
        for n in range(self.firm):
            stays &= _words(left[n]) == _words(value[n])
        if stays.all():
            return None
        if stays.any():
            serials, left, value = serials[~stays], [c[~stays] for c in left], [c[~stays] for c in value]
        return Values(self.keys, self.firm, serials, _compact(left), _compact(value))

    def renumbered(self, first: int, by: int) -> Values:
        return Values(self.keys, self.firm, renumbered(self.serials, first, by), self.left, self.value)


class Before:
    """Copies of columns of some rows, or of all, to see later what changed in them; rows must not move."""

    def __init__(self, table: EntityTable, keys: Iterable[str], rows: NDArray[Any] | None = None) -> None:
        self._table, self._rows = table, slice(table.size) if rows is None else rows
        self._copies = {
            group: tuple(table.columns[key][self._rows].copy() for key in group) for group in _groups(table, keys)
        }

    def values(self) -> list[Values]:
        """What gives back the values that were changed since."""
        found = []
        for group, copies in self._copies.items():
            columns = [self._table.columns[key][self._rows] for key in group]
            firm = sum(not _field(self._table, key).transient for key in group)
            differs = np.zeros(len(copies[0]), bool)
            for column, copy in zip(columns[:firm], copies, strict=False):
                differs |= _words(column) != _words(copy)
            changed = np.flatnonzero(differs)
            if len(changed):
                serials = self._table.serial[self._rows][changed]
                left, value = (tuple(column[changed] for column in each) for each in (columns, copies))
                found.append(Values(group, firm, serials, _compact(left), _compact(value)))
        return found


def _places(known: Serials, wanted: Serials) -> NDArray[np.int64]:
    """Where each of these serials stands among the known ones; somewhere where it is none of them."""
    if np.array_equal(known, wanted):  # a slider is dragged
        return np.arange(len(known))
    order = np.argsort(known)
    places = np.searchsorted(known, wanted, sorter=order)
    return order[np.minimum(places, len(order) - 1)]


def renumbered(serials: Serials, first: int, by: int) -> Serials:
    """Serials from `first` on, each so many higher."""
    return np.where(serials >= first, serials + by, serials)


def _groups(table: EntityTable, keys: Iterable[str]) -> list[tuple[str, ...]]:
    """Columns that mean something together alone: a place, and each other field; firm ones first, none transient."""
    groups = {
        PLACE if key in PLACE else field.columns
        for key in keys
        if key in PLACE or not (field := _field(table, key)).transient
    }
    return sorted(groups)


def _field(table: EntityTable, key: str) -> Field:
    owner, name = key.split(".")[:2]
    found: Field = table.components[owner].fields[name]
    return found


def _words(column: Column) -> Column:
    """The bits of values: to compare them exactly, -0 with 0 too."""
    return column.view(WORDS[column.itemsize])


def _compact(columns: Sequence[Column]) -> Columns:
    """Of a column with one value for all, that value alone."""
    return tuple(
        np.broadcast_to(column[:1].copy(), len(column))
        if len(column) > 1 and (_words(column) == _words(column[:1])).all()
        else column
        for column in columns
    )
