"""A short history of changed rows, so that derived data can be updated instead of rebuilt."""

from __future__ import annotations

from collections import deque

import numpy as np
from numpy.typing import NDArray

from components.store.row_lists import FEW, Rows, versions

KEPT = 8  # changes


class RowChanges:
    """The last changes of rows.

    Attributes:
        version: a number that changes when rows are added, removed or moved, or their components change.
    """

    def __init__(self) -> None:
        self.version = next(versions)
        self._last: deque[tuple[int, Rows]] = deque(maxlen=KEPT)

    def note(self, rows: Rows) -> None:
        """Record rows that were added, removed or moved, or whose components changed."""
        if len(rows) > FEW:
            self._last.clear()
            rows = ()
        self.version = next(versions)
        self._last.append((self.version, rows))

    def since(self, version: int) -> list[NDArray[np.int64]] | None:
        """The rows recorded since `version` had this value, possibly with repetitions.

        Return None if that is too long ago, or if too many rows changed.
        """
        known = [version for version, _ in self._last]
        if version not in known:
            return [] if version == self.version else None
        return [np.asarray(rows, np.int64) for _, rows in list(self._last)[known.index(version) + 1 :]]

    def go_back(self, version: int) -> None:
        """Declare that the rows are again as they were when `version` had this value."""
        self.version = version
        self._last.clear()
