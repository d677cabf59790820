"""A set of serials, such as the selection or the entities of a command."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from components.store.table import EntityTable

SHOWN = 8


class Serials(Sequence[int]):
    """Serials in ascending order without duplicates: an immutable sequence, an array because there may be 100,000.

    It equals every sequence of the same numbers, such as the tuple `(1, 2)`.

    Attributes:
        kept: what is in memory, read-only: the serials, int64 (n,); or the first and last of each run, int64 (n, 2).
    """

    kept: NDArray[np.int64]

    def __init__(self, serials: Iterable[int] | NDArray[np.int64] = ()) -> None:
        """Sort these serials and remove duplicates.

        Raises:
            ValueError: some are not whole numbers, or too large for int64.
        """
        if isinstance(serials, Serials):
            self.kept = serials.kept
            return
        try:
            found = np.asarray(serials) if isinstance(serials, np.ndarray) else np.array(list(serials))
        except (TypeError, ValueError, OverflowError):
            found = np.array([""])
        if found.ndim != 1 or (found.size and (found.dtype.kind not in "iu" or found.dtype == np.uint64)):
            raise ValueError("serials must be whole numbers")
        found = found.astype(np.int64, copy=False)
        kept = found if (found[1:] > found[:-1]).all() else np.unique(found)
        self.kept = kept.copy() if kept.flags.writeable else kept
        self.kept.flags.writeable = False

    @classmethod
    def of_runs(cls, runs: Sequence[Sequence[int]]) -> Serials:
        """Make a set of ascending runs of consecutive serials, each given by its first and last; they stay runs."""
        made = cls()
        made.kept = np.array(runs, np.int64).reshape(-1, 2)
        made.kept.flags.writeable = False
        return made

    @property
    def array(self) -> NDArray[np.int64]:
        """The serials, int64 (n,), read-only."""
        return self.kept if self.kept.ndim == 1 else _expanded(self.kept)

    @property
    def runs(self) -> NDArray[np.int64]:
        """The first and last of each run of consecutive serials, int64 (n, 2)."""
        if self.kept.ndim == 2 or not len(self):
            return self.kept.reshape(-1, 2)
        ends = np.flatnonzero(np.diff(self.kept) != 1)
        return np.stack([self.kept[np.r_[0, ends + 1]], self.kept[np.r_[ends, len(self) - 1]]], axis=1)

    def rows_in(self, table: EntityTable) -> NDArray[np.int64]:
        """Return the rows of those whose entities live, by serial; a file's runs may be far longer than the table."""
        if self.kept.ndim == 1 or len(self) <= table.size:
            return table.living(self.array)
        living = table.serial[: table.size]
        run = np.searchsorted(self.kept[:, 0], living, "right") - 1
        rows = np.flatnonzero((run >= 0) & (living <= self.kept[run, 1]))
        ordered: NDArray[np.int64] = rows[np.argsort(living[rows])]
        return ordered

    def __len__(self) -> int:
        return len(self.kept) if self.kept.ndim == 1 else int((np.diff(self.kept) + 1).sum())

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> Serials: ...
    def __getitem__(self, index: int | slice) -> int | Serials:
        return Serials(self.array[index]) if isinstance(index, slice) else int(self.array[index])

    def __iter__(self) -> Iterator[int]:
        return iter(self.array.tolist())

    def __contains__(self, serial: object) -> bool:
        return isinstance(serial, int | np.integer) and bool((self.array == serial).any())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Serials):
            return np.array_equal(self.array, other.array)
        return isinstance(other, Sequence) and self._tuple == tuple(other)

    def __hash__(self) -> int:
        return hash(self._tuple)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.asarray(self.array, dtype, copy=copy)

    def __repr__(self) -> str:
        more = f", ...] of {len(self):,}" if len(self) > SHOWN else "]"
        return f"Serials([{', '.join(map(str, self.array[:SHOWN]))}{more})"

    @cached_property
    def _tuple(self) -> tuple[int, ...]:
        return tuple(self.array.tolist())


def _expanded(runs: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return all serials of runs, in their order."""
    lengths = runs[:, 1] - runs[:, 0] + 1
    before = np.cumsum(lengths) - lengths
    found: NDArray[np.int64] = np.arange(lengths.sum()) + np.repeat(runs[:, 0] - before, lengths)
    found.flags.writeable = False
    return found


NO_SERIALS = Serials()
