"""Structural changes that wait for the end of the tick, because rows must not move while kernels run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from components.store.entities import Entities
from components.store.records import ComponentType

NOBODY = np.zeros(0, np.int64)


class Gain(NamedTuple):
    """A component that an entity gets, with these values by column key, shape (1,)."""

    serial: int
    component: ComponentType
    values: Mapping[str, NDArray[Any]]


class Loss(NamedTuple):
    """A component that an entity loses."""

    serial: int
    component: ComponentType


class Stillborn(NamedTuple):
    """Serials of entities that are removed again after they have entered."""

    serials: NDArray[np.int64]


Change = Entities | Gain | Loss | Stillborn


class Waiting:
    """The changes of a world that wait; false if there are none.

    Attributes:
        on: whether changes wait; if not, they are carried out at once.
        changes: those that wait, besides removals of living entities, in order.
        coming: the number of entities that they will make.
        accept: called with each change before it is added; it raises an error for what can't be carried out.
    """

    def __init__(self) -> None:
        self.on = False
        self.changes: list[Change] = []
        self.coming = 0
        self.accept: Callable[[Change], object] = lambda change: None
        self._dying: list[NDArray[np.int64]] = []

    def __bool__(self) -> bool:
        return bool(self.changes or self._dying)

    def add(self, change: Change) -> None:
        """Add a change."""
        self.accept(change)
        self.changes.append(change)
        self.coming += len(change) if isinstance(change, Entities) else 0

    def remove(self, rows: NDArray[np.integer[Any]]) -> None:
        """Add the removal of the entities in these rows; a row may be given several times."""
        self._dying.append(np.array(rows, np.int64))

    @property
    def dying(self) -> NDArray[np.int64]:
        """The rows of entities that will be removed, ascending, each once."""
        return distinct(np.concatenate(self._dying)) if self._dying else NOBODY

    @property
    def births(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The serials of the entities that will be made, and of their parents (0: none)."""
        new = [change for change in self.changes if isinstance(change, Entities)]
        parents = (np.zeros_like(some.serial) if some.parents is None else some.parents for some in new)
        return np.concatenate([NOBODY, *(some.serial for some in new)]), np.concatenate([NOBODY, *parents])

    def components_of(self, serial: int, now: Iterable[ComponentType]) -> set[ComponentType]:
        """Return the components that an entity will have that has these now."""
        found = set(now)
        for change in self.changes:
            if isinstance(change, Gain) and change.serial == serial:
                found.add(change.component)
            elif isinstance(change, Loss) and change.serial == serial and len(found) > 1:  # the last one stays
                found.discard(change.component)
        return found

    def mark(self) -> tuple[int, int]:
        """Return the numbers of changes and removals so far, for `take_back`."""
        return len(self.changes), len(self._dying)

    def take_back(self, mark: tuple[int, int]) -> None:
        """Drop all changes added since this mark."""
        changes, removals = mark
        self.coming -= sum(len(change) for change in self.changes[changes:] if isinstance(change, Entities))
        del self.changes[changes:], self._dying[removals:]

    def move(self, rows: NDArray[np.int64]) -> None:
        """Follow the rows, which have moved: row n became row `rows[n]`."""
        self._dying = [rows[dying] for dying in self._dying]


def distinct(rows: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
    """Return each of these rows once, ascending."""
    return np.array(sorted(set(rows.tolist())), np.int64)
