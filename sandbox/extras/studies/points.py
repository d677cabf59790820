"""Means and standard deviations over the runs of each point of a design."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

SURE = 0.95  # confidence level of the interval of a mean


@dataclass(frozen=True)
class Points:
    """Statistics by point and number of the summary, each of shape (points, numbers).

    Attributes:
        count: the number of runs that have the number.
        mean: their mean; NaN if there are none.
        sd: their standard deviation; NaN of fewer than two.
    """

    count: NDArray[np.int64]
    mean: NDArray[np.float64]
    sd: NDArray[np.float64]

    @property
    def half(self) -> NDArray[np.float64]:
        """Half the width of the 95 % confidence interval of the mean (Student's t); NaN of one run."""
        from scipy.stats import t

        freedom = np.maximum(self.count - 1, 1)
        return np.asarray(t.ppf((1 + SURE) / 2, freedom) * self.sd / np.sqrt(np.maximum(self.count, 1)))


def together(point: NDArray[np.int64], values: NDArray[np.float64], points: int) -> Points:
    """Aggregate the numbers of runs by point.

    Args:
        point: the point of each run, shape (runs,), 0 to below `points`.
        values: the numbers of each run, NaN for missing ones, shape (runs, numbers).
    """
    count = np.zeros((points, values.shape[1]), np.int64)
    mean, sd = np.full(count.shape, np.nan), np.full(count.shape, np.nan)
    for number, column in enumerate(values.T):
        there = ~np.isnan(column)
        of, found = point[there], column[there]
        many = np.bincount(of, minlength=points)
        middle = np.bincount(of, found, points) / np.maximum(many, 1)
        squares = np.bincount(of, (found - middle[of]) ** 2, points)
        count[:, number] = many
        mean[many > 0, number] = middle[many > 0]
        sd[many > 1, number] = np.sqrt(squares[many > 1] / (many[many > 1] - 1))
    return Points(count, mean, sd)


def succeeded(table: pa.Table) -> pa.Table:
    """Return the rows of runs that did not fail."""
    return table.filter(pc.not_equal(table["ended"], "failed"))


def numbers(table: pa.Table, names: list[str]) -> NDArray[np.float64]:
    """Return columns as an array of shape (rows, names), with NaN for missing values."""
    columns = [table[name].to_numpy().astype(np.float64) for name in names]
    return np.stack(columns, axis=1) if columns else np.zeros((len(table), 0))
