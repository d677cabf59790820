"""The index from serials to rows.

Serials count up, so births and deaths make them grow without end. The index therefore consists of pages of consecutive
serials; a page whose entities are all gone is reused for new ones. A file may hold any serials: where nearly each of
them would need a page of its own, there is no index.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

PAGE = 1024  # serials
NOBODY = 0  # the page of serials without a row
MOST_NUMBERS = 1 << 22  # of pages: serials up to four thousand million
LEAST_PAGES, ENTITIES_PER_PAGE = 1024, 16  # with fewer entities in a page, on average, there is no index
Serials = NDArray[np.int64]


class EntityRows:
    """The row of each entity, by its serial.

    Attributes:
        sparse: whether there is no index, because the serials are too far apart; nothing may be asked of it then.
    """

    def __init__(self) -> None:
        self.sparse = False
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
        if not len(entities) or self.sparse:
            return
        numbers = entities // PAGE
        if int(numbers.max()) >= MOST_NUMBERS:
            self._give_up()
            return
        if (most := int(numbers.max())) >= len(self._page):
            self._page = np.append(self._page, np.full(most + 1, NOBODY, np.int32))
        pages = self._page[numbers]
        if (pages == NOBODY).any():
            first = numbers.min()
            fresh = first + np.flatnonzero(np.bincount(numbers[pages == NOBODY] - first))
            used, living = len(self._living) - len(self._free), int(self._living.sum()) + len(entities)
            if used + len(fresh) > LEAST_PAGES + living // ENTITIES_PER_PAGE:
                self._give_up()
                return
            for number in fresh.tolist():
                if not self._free:
                    self._double()
                self._page[number] = self._free.pop()
            pages = self._page[numbers]
        self._living += np.bincount(pages, minlength=len(self._living)).astype(np.int32)
        self._rows[pages, entities % PAGE] = rows

    def move(self, entities: Serials, rows: NDArray[np.int64]) -> None:
        """Set the rows of these entities, which have moved."""
        if self.sparse:
            return
        self._rows[self._page[entities // PAGE], entities % PAGE] = rows

    def drop(self, entities: Serials) -> None:
        """Remove these entities from the index."""
        if not len(entities) or self.sparse:
            return
        numbers = entities // PAGE
        pages = self._page[numbers]
        self._rows[pages, entities % PAGE] = -1
        self._living -= np.bincount(pages, minlength=len(self._living)).astype(np.int32)
        if (self._living[pages] == 0).any():
            for number in np.unique(numbers[self._living[pages] == 0]).tolist():
                self._free.append(int(self._page[number]))
                self._page[number] = NOBODY

    def _give_up(self) -> None:
        vars(self).update(vars(EntityRows()), sparse=True)

    def _double(self) -> None:
        pages = len(self._living)
        self._rows = np.append(self._rows, np.full_like(self._rows, -1), axis=0)
        self._living = np.append(self._living, np.zeros_like(self._living))
        self._free += range(2 * pages - 1, pages - 1, -1)
