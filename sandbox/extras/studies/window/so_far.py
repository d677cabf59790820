"""The results of a running study, for the plot of the panel."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sandbox.extras.studies.files import DESIGN
from sandbox.extras.studies.folder import failures, open_results
from sandbox.extras.studies.points import numbers, succeeded, together


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


def so_far(folder: Path, points: int, column: str) -> SoFar:
    """Return the means of a column of the tables, "polarization mean", in a folder of results, or one to come.

    Raises:
        OSError, ValueError: a file can't be read.
    """
    if not (folder / DESIGN).exists():
        return SoFar(np.full(points, np.nan), np.full(points, np.nan), np.zeros(points, np.int64))
    table = open_results(folder).table(["run", "point", column, "ended", "why"])
    good, failed = succeeded(table), failures(table)["why"].to_pylist()
    at = good["point"].to_numpy()
    means, count = together(at, numbers(good, [column]), points), np.bincount(at, minlength=points)
    return SoFar(means.mean[:, 0], means.half[:, 0], count, len(table), len(failed), failed[0] if failed else "")
