"""The index from serials to rows.

Serials count up, so births and deaths make them grow without end. The index therefore consists of pages of consecutive
serials; a page whose entities are all gone is reused for new ones.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

PAGE = 1024  # serials
NOBODY = 0  # the page of serials without a row
Serials = NDArray[np.int64]


class EntityRows:
    """The row of each entity, by its serial."""

    def __init__(self) -> None:
        self._page = np.full(1, NOBODY, np.int32)  # by serial // PAGE
        self._rows = np.full((1, PAGE), -1, np.int32)  # by page and serial % PAGE
        self._living = np.zeros(1, np.int32)  # by page
        self._free: list[int] = []

    def one(self, entity: int) -> int:
        """Return the row of an entity; -1 if it has none."""
        number, place = divmod(entity, PAGE)
        return self._rows.item(self._page.item(number), place) if 0 <= number < len(self._page) else -1

    def of(self, entities: Serials) -> NDArray[np.int64]:
        """Return the rows of these entities; -1 for those that have none."""
        numbers = entities // PAGE
        known = (numbers >= 0) & (numbers < len(self._page))
        return np.where(known, self._rows[self._page[np.where(known, numbers, 0)], entities % PAGE], np.int64(-1))

    def add(self, entities: Serials, rows: NDArray[np.int64]) -> None:
        """Add entities, and their rows."""
        if not len(entities):
            return
        numbers = entities // PAGE
        if (most := int(numbers.max())) >= len(self._page):
            self._page = np.append(self._page, np.full(most + 1, NOBODY, np.int32))
        pages = self._page[numbers]
        if (pages == NOBODY).any():
            for number in np.flatnonzero(np.bincount(numbers[pages == NOBODY])).tolist():
                if not self._free:
                    self._double()
                self._page[number] = self._free.pop()
            pages = self._page[numbers]
        self._living += np.bincount(pages, minlength=len(self._living)).astype(np.int32)
        self._rows[pages, entities % PAGE] = rows

    def move(self, entities: Serials, rows: NDArray[np.int64]) -> None:
        """Set the rows of these entities, which have moved."""
        self._rows[self._page[entities // PAGE], entities % PAGE] = rows

    def drop(self, entities: Serials) -> None:
        """Remove these entities from the index."""
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
