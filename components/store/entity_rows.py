"""In which row each esper entity is, of those that have an id.

esper's ids count up and are never used again, so with births and deaths they grow without end: rows are kept in pages
of consecutive ids, and the page of those who are all gone serves new ones.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

PAGE = 1024  # ids
NOBODY = 0  # the page of ids without a row
Ids = NDArray[np.int64]


class EntityRows:
    """The row of every entity that has an id and a row. The id 0 stands for one that has no id yet."""

    def __init__(self) -> None:
        self._page = np.full(1, NOBODY, np.int32)  # by id // PAGE
        self._rows = np.full((1, PAGE), -1, np.int32)  # by page and id % PAGE
        self._living = np.zeros(1, np.int32)  # by page
        self._free: list[int] = []

    def one(self, entity: int) -> int:
        """The row of an entity; -1 when it has none."""
        number, place = divmod(entity, PAGE)
        return self._rows.item(self._page.item(number), place) if 0 <= number < len(self._page) else -1

    def of(self, entities: Ids) -> NDArray[np.int32]:
        """The rows of entities that have one."""
        return self._rows[self._page[entities // PAGE], entities % PAGE]

    def add(self, entities: Ids, rows: NDArray[np.int64]) -> None:
        """Note the rows of entities that have a new id."""
        if not len(entities):
            return
        numbers = entities // PAGE
        if (most := int(numbers.max())) >= len(self._page):
            self._page = np.append(self._page, np.full(most + 1, NOBODY, np.int32))
        pages = self._page[numbers]
        if (pages == NOBODY).any():
            for number in np.unique(numbers[pages == NOBODY]).tolist():
                if not self._free:
                    self._double()
                self._page[number] = self._free.pop()
            pages = self._page[numbers]
        self._living += np.bincount(pages, minlength=len(self._living)).astype(np.int32)
        self._rows[pages, entities % PAGE] = rows

    def move(self, entities: Ids, rows: NDArray[np.int64]) -> None:
        """Note in which rows these entities are now."""
        if not entities.all():
            named = np.flatnonzero(entities)
            entities, rows = entities[named], rows[named]
        self._rows[self._page[entities // PAGE], entities % PAGE] = rows

    def drop(self, entities: Ids) -> None:
        """Forget entities that have a row."""
        entities = entities[entities > 0]
        if not len(entities):
            return
        numbers = entities // PAGE
        pages = self._page[numbers]
        self._rows[pages, entities % PAGE] = -1
        self._living -= np.bincount(pages, minlength=len(self._living)).astype(np.int32)
        if (self._living[pages] == 0).any():
            for number in np.unique(numbers[self._living[pages] == 0]).tolist():
                self._free.append(int(self._page[number]))
                self._page[number] = NOBODY

    def _double(self) -> None:
        pages = len(self._living)
        self._rows = np.append(self._rows, np.full_like(self._rows, -1), axis=0)
        self._living = np.append(self._living, np.zeros_like(self._living))
        self._free += range(2 * pages - 1, pages - 1, -1)
