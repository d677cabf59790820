"""Which rows changed of late, so that what is derived from rows is brought up to date and not computed anew."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count as counter

import numpy as np
from numpy.typing import NDArray

from components.store.row_lists import FEW

KEPT = 8  # changes
Rows = Sequence[int] | NDArray[np.int64]
versions = counter(1)  # shared by all tables: no number is given twice


class RowChanges:
    """The last changes.

    Attributes:
        version: a number that changes when rows are added, removed or moved, or have other components.
    """

    def __init__(self) -> None:
        self.version = next(versions)
        self._last: list[tuple[int, tuple[Rows, ...]]] = []

    def note(self, *rows: Rows) -> None:
        """Note rows that were added, removed or moved, or have other components."""
        if sum(map(len, rows)) > FEW:
            self._last, rows = [], ()
        self.version = next(versions)
        self._last = [*self._last[1 - KEPT :], (self.version, rows)]

    def since(self, version: int) -> NDArray[np.int64] | None:
        """The rows that were noted since `version` had this value, some more than once.

        None where nobody knows, or where they are many.
        """
        if version == self.version:
            return np.zeros(0, np.int64)
        known = [version for version, _ in self._last]
        if version not in known:
            return None
        later = self._last[known.index(version) + 1 :]
        return np.concatenate([np.asarray(rows, np.int64) for _, changed in later for rows in changed])

    def go_back(self, version: int) -> None:
        """Say that rows are as they were when `version` had this value."""
        self.version = version
        self._last.clear()
