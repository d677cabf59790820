"""Runs taken together by point, beside the standard library's plain statistics."""

from __future__ import annotations

import math
import statistics

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from sandbox.extras.studies.points import together

VALUES = st.one_of(st.floats(-1e6, 1e6), st.just(math.nan))


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 4), VALUES), max_size=40))
def test_each_point_has_the_mean_and_the_spread_of_its_runs(runs: list[tuple[int, float]]) -> None:
    point = np.array([run[0] for run in runs], np.int64)
    found = together(point, np.array([[run[1]] for run in runs]).reshape(-1, 1), 5)
    for n in range(5):
        values = [value for at, value in runs if at == n and not math.isnan(value)]
        assert found.count[n, 0] == len(values)
        assert math.isnan(found.mean[n, 0]) == (not values)
        assert math.isnan(found.sd[n, 0]) == math.isnan(found.half[n, 0]) == (len(values) < 2)
        if values:
            assert math.isclose(found.mean[n, 0], statistics.fmean(values), rel_tol=1e-9, abs_tol=1e-6)
        if len(values) > 1:
            assert math.isclose(found.sd[n, 0], statistics.stdev(values), rel_tol=1e-6, abs_tol=1e-6)


def test_the_band_is_students_interval_of_95_percent() -> None:
    values = [3.0, 5.0, 4.5, 6.0]
    found = together(np.zeros(4, np.int64), np.array([values]).T, 1)
    low, high = stats.t.interval(0.95, 3, statistics.fmean(values), stats.sem(values))
    assert np.allclose([found.mean[0, 0] - found.half[0, 0], found.mean[0, 0] + found.half[0, 0]], [low, high])


def test_the_band_holds_the_true_mean_in_95_of_100_samples() -> None:
    rng = np.random.default_rng(1)
    point, values = np.repeat(np.arange(4000), 5), rng.normal(7, 2, (20_000, 1))
    found = together(point, values, 4000)
    assert 0.94 < np.mean(np.abs(found.mean - 7) < found.half) < 0.96
