"""Reads the results of a running study, for the window; each call reads only what is new."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sandbox.extras.studies.folder import StudyFolder, open_results
from sandbox.extras.studies.points import together
from sandbox.extras.studies.read_study import DESIGN


@dataclass(frozen=True)
class SoFar:
    """The means of a number by point so far; arrays have shape (points,).

    Attributes:
        mean: NaN if no run of the point has the number.
        half: half the width of the mean's 95 % confidence interval; NaN for a single run.
        count: the number of runs that are done and did not fail.
        done, failed: the number of runs of all points.
        why: why one of them failed.
    """

    mean: NDArray[np.float64]
    half: NDArray[np.float64]
    count: NDArray[np.int64]
    done: int = 0
    failed: int = 0
    why: str = ""


class Live:
    """Reads one number of each run from a growing folder of results."""

    def __init__(self, folder: Path, points: int, repeats: int, column: str) -> None:
        """`column`: a column of the tables, "polarization mean"; it must be the first of the study's summary."""
        self._folder, self._points, self._column = folder, points, column
        runs = points * repeats
        self._values, self._done, self._failed = np.full(runs, np.nan), np.zeros(runs, bool), np.zeros(runs, bool)
        self._why = ""
        self._read: set[Path] = set()
        self._results: StudyFolder | None = None

    def look(self) -> SoFar:
        """Read new results; return the means so far.

        Raises:
            OSError, ValueError: a file can't be read.
        """
        if self._results is None and (self._folder / DESIGN).exists():
            self._results = open_results(self._folder)
        if self._results is not None:
            with suppress(FileNotFoundError):  # files are being merged; the next call finds the results
                self._look(self._results)
        runs = np.arange(len(self._values)) % self._points
        good = self._done & ~self._failed
        means = together(runs, self._values[:, np.newaxis], self._points)
        count = np.bincount(runs[good], minlength=self._points)
        done, failed = int(self._done.sum()), int(self._failed.sum())
        return SoFar(means.mean[:, 0], means.half[:, 0], count, done, failed, self._why)

    def _look(self, results: StudyFolder) -> None:
        for path in results.files():
            if path not in self._read:
                for row in results.rows_of(path, ["run", self._column, "ended", "why"]).to_pylist():
                    self._take(row["run"], row[self._column], row["ended"], row["why"])
                self._read.add(path)
        journals = results.journals
        journals.look()
        for result in journals.results(np.flatnonzero(journals.known & ~self._done).tolist()):
            self._take(result.run, result.summary[0], result.ended, result.why)

    def _take(self, run: int, value: float, ended: str, why: str) -> None:
        self._values[run], self._done[run] = value, True
        if ended == "failed":
            self._failed[run], self._why = True, self._why or why
