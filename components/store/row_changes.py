"""Which rows changed of late, so that what is derived from rows is brought up to date and not computed anew."""

from __future__ import annotations

from collections import deque

import numpy as np
from numpy.typing import NDArray

from components.store.row_lists import FEW, Rows, versions

KEPT = 8  # changes


class RowChanges:
    """The last changes.

    Attributes:
        version: a number that changes when rows are added, removed or moved, or have other components.
    """

    def __init__(self) -> None:
        self.version = next(versions)
        self._last: deque[tuple[int, Rows]] = deque(maxlen=KEPT)

    def note(self, rows: Rows) -> None:
        """Note rows that were added, removed or moved, or have other components."""
        if len(rows) > FEW:
            self._last.clear()
            rows = ()
        self.version = next(versions)
        self._last.append((self.version, rows))

    def since(self, version: int) -> list[NDArray[np.int64]] | None:
        """The rows that were noted since `version` had this value, some more than once.

        None where nobody knows, or where they are many.
        """
        known = [version for version, _ in self._last]
        if version not in known:
            return [] if version == self.version else None
        return [np.asarray(rows, np.int64) for _, rows in list(self._last)[known.index(version) + 1 :]]

    def go_back(self, version: int) -> None:
        """Say that rows are as they were when `version` had this value."""
        self.version = version
        self._last.clear()
