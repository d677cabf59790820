"""Cached lists of the rows that have certain components, updated incrementally when few rows change."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Rows = Sequence[int] | NDArray[np.int64]
FEW = 1024  # rows: if more than these change, lists are computed anew


class RowLists:
    """For each mask of components that was asked for, the rows that have all of them.

    Attributes:
        changed: rows that may have other components than when the lists were last updated.
    """

    def __init__(self) -> None:
        self.changed: list[Rows] = []
        self._rows: dict[int, NDArray[np.int32]] = {}
        self._presence = np.zeros(0, np.uint64)  # shape (capacity,), as it was when the lists were last updated

    def note(self, rows: Rows) -> None:
        """Note rows that may have other components now."""
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
    """Return a list with the `flipped` rows toggled (removed if in it, else added); None if that would take long."""
    same = int(np.searchsorted(rows, flipped[0]))
    end = rows[same:]
    if len(end) == len(flipped) and (end == flipped).all():
        return rows[:same]
    if len(end) > FEW:
        return None
    return np.concatenate([rows[:same], np.setxor1d(end, flipped, assume_unique=True)])
