"""Finds rows: those that have certain components, and that of each serial."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.integer[Any]]
Serials = NDArray[np.int64]
FEW = 1024  # rows: if more than these change, lists are computed anew
PAGE = 1024  # serials
NO_PAGE = 0  # the page of serials without a row
MOST_NUMBERS = 1 << 22  # of pages: serials up to four thousand million
LEAST_PAGES, ENTITIES_PER_PAGE = 1024, 16  # with fewer entities in a page, on average, there are no pages


class RowLists:
    """For each mask of components that was asked for, the rows that have all of them.

    Attributes:
        changed: rows that may have other components than when the lists were last updated.
    """

    def __init__(self) -> None:
        self.changed: list[Sequence[int] | Rows] = []
        self._rows: dict[int, NDArray[np.int32]] = {}
        self._presence = np.zeros(0, np.uint64)  # shape (capacity,), as it was when the lists were last updated

    def add(self, rows: Sequence[int] | Rows) -> None:
        """Add rows that may have other components now."""
        if len(rows):
            self.changed.append(rows)

    def of(self, mask: int, presence: NDArray[np.uint64], size: int) -> NDArray[np.int32]:
        """Return the rows that have all components of a mask, ascending, int32 (n,).

        Args:
            presence: the components that each row has now, shape (capacity,); 0 in unused rows.
            size: the number of rows in use.
        """
        if self.changed:
            self.update(presence)
        rows = self._rows.get(mask)
        if rows is None:
            bits = np.uint64(mask)
            rows = np.flatnonzero(presence[:size] & bits == bits).astype(np.int32)
            alike = (known for known in self._rows.values() if np.array_equal(known, rows))
            rows = self._rows[mask] = next(alike, rows)
        return rows

    def update(self, presence: NDArray[np.uint64]) -> None:
        """Bring the lists up to date; a list that would take long is dropped, and computed anew on request.

        Arrays that were returned are never changed.
        """
        changes, self.changed = self.changed, []
        if sum(map(len, changes)) > FEW:
            self._rows.clear()
            self._presence = presence.copy()
            return
        if len(presence) > len(self._presence):
            self._presence = np.append(self._presence, np.zeros(len(presence) - len(self._presence), np.uint64))
        changed = np.concatenate([np.asarray(rows, np.int64) for rows in changes])
        changed = changed[self._presence[changed] != presence[changed]]
        if not len(changed):
            return
        changed = np.unique(changed)
        before, after = self._presence[changed], presence[changed]
        self._presence[changed] = after
        masks = list(self._rows)
        bits = np.array(masks, np.uint64)[:, None]
        differs = (before & bits == bits) != (after & bits == bits)
        done: dict[tuple[int, bytes], NDArray[np.int32] | None] = {}  # masks with the same rows share a list
        for n in np.flatnonzero(differs.any(axis=1)).tolist():
            rows, flips = self._rows.pop(masks[n]), differs[n]
            key = id(rows), flips.tobytes()
            if key not in done:
                done[key] = _flipped(rows, changed[flips].astype(np.int32))
            if (updated := done[key]) is not None:
                self._rows[masks[n]] = updated


def _flipped(rows: NDArray[np.int32], flipped: NDArray[np.int32]) -> NDArray[np.int32] | None:
    """Return a list with the `flipped` rows flipped (removed if in it, else added); None if that would take long."""
    same = int(np.searchsorted(rows, flipped[0]))
    end = rows[same:]
    if len(end) == len(flipped) and (end == flipped).all():
        return rows[:same]
    if len(end) > FEW:
        return None
    return np.concatenate([rows[:same], np.setxor1d(end, flipped, assume_unique=True)])


class RowOfSerial:
    """The row of each entity, by its serial.

    Serials count up, so births and deaths make them grow without end. They are therefore kept in pages of
    consecutive serials; a page whose entities are all gone is reused for new ones. A file may hold any serials: where
    nearly each of them would need a page of its own, they are sorted instead.
    """

    def __init__(self) -> None:
        self._sorted: tuple[Serials, NDArray[np.int64]] | None = None  # serials and their rows, in place of pages
        self._forget_pages()

    def _forget_pages(self) -> None:
        self._page = np.full(1, NO_PAGE, np.int32)  # by serial // PAGE
        self._rows = np.full((1, PAGE), -1, np.int32)  # by page and serial % PAGE
        self._living = np.zeros(1, np.int32)  # by page
        self._free: list[int] = []

    def one(self, serial: int) -> int:
        """Return the row of a serial; -1 if it has none."""
        if self._sorted is not None:
            return int(self.of(np.array([serial], np.int64))[0])
        number, item = divmod(serial, PAGE)
        return self._rows.item(self._page.item(number), item) if 0 <= number < len(self._page) else -1

    def of(self, serials: Serials) -> NDArray[np.int64]:
        """Return the rows of these serials, int64 (n,); -1 for those that have none."""
        if self._sorted is not None:
            living, rows = self._sorted
            found = np.searchsorted(living, serials)
            lives = np.append(living, -1)[found] == serials
            return np.where(lives, np.append(rows, -1)[found], np.int64(-1))
        numbers = serials // PAGE
        known = (numbers >= 0) & (numbers < len(self._page))
        return np.where(known, self._rows[self._page[np.where(known, numbers, 0)], serials % PAGE], np.int64(-1))

    def add(self, serials: Serials, rows: NDArray[np.int64]) -> None:
        """Add serials, which have no row yet, and their rows."""
        if len(serials) and self._sorted is None and not self._make_pages(serials):
            self._sort()
        if self._sorted is not None:
            both = [np.concatenate(pair) for pair in zip(self._sorted, (serials, rows), strict=True)]
            order = np.argsort(both[0])
            self._sorted = both[0][order], both[1][order]
        elif len(serials):
            pages = self._page[serials // PAGE]
            self._living += np.bincount(pages, minlength=len(self._living)).astype(np.int32)
            self._rows[pages, serials % PAGE] = rows

    def move(self, serials: Serials, rows: NDArray[np.int64]) -> None:
        """Set the rows of these serials, which have moved."""
        if self._sorted is not None:
            self._sorted[1][np.searchsorted(self._sorted[0], serials)] = rows
        else:
            self._rows[self._page[serials // PAGE], serials % PAGE] = rows

    def drop(self, serials: Serials) -> None:
        """Remove these serials, which have rows."""
        if self._sorted is not None:
            gone = np.searchsorted(self._sorted[0], serials)
            self._sorted = np.delete(self._sorted[0], gone), np.delete(self._sorted[1], gone)
        elif len(serials):
            numbers = serials // PAGE
            pages = self._page[numbers]
            self._rows[pages, serials % PAGE] = -1
            self._living -= np.bincount(pages, minlength=len(self._living)).astype(np.int32)
            if (self._living[pages] == 0).any():
                for number in np.unique(numbers[self._living[pages] == 0]).tolist():
                    self._free.append(int(self._page[number]))
                    self._page[number] = NO_PAGE

    def _make_pages(self, serials: Serials) -> bool:
        """Make the pages that these serials need; return False, and make none, if they are too many."""
        numbers = serials // PAGE
        if (most := int(numbers.max())) >= MOST_NUMBERS:
            return False
        if most >= len(self._page):
            self._page = np.append(self._page, np.full(most + 1, NO_PAGE, np.int32))
        without = numbers[self._page[numbers] == NO_PAGE]
        if len(without):
            fresh = without.min() + np.flatnonzero(np.bincount(without - without.min()))
            used, living = len(self._living) - len(self._free), int(self._living.sum()) + len(serials)
            if used + len(fresh) > LEAST_PAGES + living // ENTITIES_PER_PAGE:
                return False
            for number in fresh.tolist():
                if not self._free:
                    self._double()
                self._page[number] = self._free.pop()
        return True

    def _sort(self) -> None:
        """Replace all pages by sorted serials."""
        numbers = np.flatnonzero(self._page != NO_PAGE)
        rows = self._rows[self._page[numbers]].ravel()
        serials = (numbers[:, None] * PAGE + np.arange(PAGE)).ravel()
        self._sorted = serials[rows >= 0], rows[rows >= 0].astype(np.int64)
        self._forget_pages()

    def _double(self) -> None:
        pages = len(self._living)
        self._rows = np.append(self._rows, np.full_like(self._rows, -1), axis=0)
        self._living = np.append(self._living, np.zeros_like(self._living))
        self._free += range(2 * pages - 1, pages - 1, -1)
