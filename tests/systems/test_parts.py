"""What parts of many rows find is put together in their order."""

from __future__ import annotations

import numpy as np
import pytest

from systems.space.parts import PARTS, gathered


@pytest.mark.parametrize("size", [0, 1, PARTS - 1, PARTS, 1000])
def test_what_all_parts_found_comes_in_their_order(size):
    rng = np.random.default_rng(size)
    values, bounds = rng.integers(0, 100, size).astype(np.int32), np.arange(PARTS + 1) * size // PARTS
    counts = rng.integers(0, np.diff(bounds) + 1)
    expected = [values[first : first + count] for first, count in zip(bounds, counts, strict=False)]
    assert np.array_equal(gathered(values, counts), np.concatenate(expected))
