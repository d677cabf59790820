"""What portions of many rows find is put together in their order."""

from __future__ import annotations

import numpy as np
import pytest

from systems.engine.rows import PORTIONS, for_each_portion, for_each_row, gathered, portion_of

SIZES = [0, 1, PORTIONS - 1, PORTIONS, 1000]


@for_each_portion
def _count_up(portion, numbers):
    first, last = portion_of(portion, len(numbers))
    for k in range(first, last):
        numbers[k] += 1


@for_each_row
def _double(row, numbers, factor):
    numbers[row] *= factor


@pytest.mark.parametrize("size", SIZES)
def test_all_portions_together_do_everything_once(size):
    numbers = np.arange(size)
    _count_up(numbers)
    assert np.array_equal(numbers, np.arange(1, size + 1))


@pytest.mark.parametrize("size", SIZES)
def test_a_function_of_a_row_runs_once_for_each_of_these_rows_and_no_other(size):
    numbers, rows = np.arange(size), np.arange(size)[::3]
    _double(rows, numbers, 2)
    assert np.array_equal(numbers, np.arange(size) * np.where(np.arange(size) % 3, 1, 2))


@pytest.mark.parametrize("size", SIZES)
def test_what_all_portions_found_comes_in_their_order(size):
    rng = np.random.default_rng(size)
    values, bounds = rng.integers(0, 100, size).astype(np.int32), np.arange(PORTIONS + 1) * size // PORTIONS
    counts = rng.integers(0, np.diff(bounds) + 1)
    expected = [values[first : first + count] for first, count in zip(bounds, counts, strict=False)]
    assert np.array_equal(gathered(values, counts), np.concatenate(expected))
