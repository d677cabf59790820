"""Designs beside what they must be, said plainly."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandbox.extras.studies.design import count_of, points_of
from sandbox.extras.studies.study import Levels, Study

UNIT = Levels(low=0.0, high=1.0)


def study(kind: str, vary: dict[str, Levels], samples: int = 0, seed: int = 3) -> Study:
    return Study("hunters", "", 600, kind=kind, vary=vary, samples=samples, seed=seed)


def drawn(
    kind: str, samples: int, dimensions: int = 3, seed: int = 3
) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    points = points_of(study(kind, {f"k{n}": UNIT for n in range(dimensions)}, samples, seed))
    return np.array([list(point.values()) for point in points])


def test_a_grid_has_every_combination_and_the_last_key_changes_fastest() -> None:
    grid = study("grid", {"a": Levels((1, 2)), "b": Levels(("x", "y", "z")), "c": Levels((True, False))})
    points = list(points_of(grid))
    assert points == [{"a": a, "b": b, "c": c} for a in (1, 2) for b in ("x", "y", "z") for c in (True, False)]
    assert count_of(grid) == len(points)


def test_where_nothing_is_varied_there_is_one_point() -> None:
    assert list(points_of(study("grid", {}))) == [{}]
    assert count_of(study("grid", {})) == 1


@settings(max_examples=40, deadline=None)
@given(samples=st.integers(1, 200), dimensions=st.integers(1, 6), seed=st.integers(0, 2**62))
def test_a_latin_hypercube_has_one_point_in_each_slice_of_each_key(samples: int, dimensions: int, seed: int) -> None:
    points = drawn("latin", samples, dimensions, seed)
    assert points.shape == (samples, dimensions)
    for column in points.T:
        assert sorted((column * samples).astype(int)) == list(range(samples))


@pytest.mark.parametrize("k", range(1, 8))
def test_of_2_to_the_k_sobol_points_one_lies_in_each_of_as_many_boxes(k: int) -> None:
    """Each key alone in 2^k slices; two keys of them in boxes of 2^a by 2^b, for every a + b = k: a (0, k, 2)-net."""
    points = drawn("sobol", 2**k, 2)
    for a in range(k + 1):
        boxes = Counter(zip((points[:, 0] * 2**a).astype(int), (points[:, 1] * 2 ** (k - a)).astype(int), strict=True))
        assert set(boxes.values()) == {1}
        assert len(boxes) == 2**k


def test_fewer_sobol_points_are_the_first_of_more() -> None:
    assert (drawn("sobol", 20) == drawn("sobol", 32)[:20]).all()


@pytest.mark.parametrize("kind", ["latin", "sobol"])
def test_the_same_seed_draws_the_same_and_another_one_others(kind: str) -> None:
    assert (drawn(kind, 16, seed=5) == drawn(kind, 16, seed=5)).all()
    assert not (drawn(kind, 16, seed=5) == drawn(kind, 16, seed=6)).any()


@given(low=st.integers(-1000, 1000), size=st.integers(1, 50))
def test_every_whole_number_of_a_range_is_drawn_as_often(low: int, size: int) -> None:
    levels = Levels(low=low, high=low + size, whole=True)
    counted = Counter(levels.at((k + 0.5) / (10 * (size + 1))) for k in range(10 * (size + 1)))
    assert counted == {low + n: 10 for n in range(size + 1)}


@given(low=st.floats(-1e15, 1e15), high=st.floats(-1e15, 1e15), whole=st.booleans())
def test_what_is_drawn_lies_in_the_range(low: float, high: float, whole: bool) -> None:
    levels = Levels(low=round(low) if whole else low, high=round(high) if whole else high, whole=whole)
    if levels.is_range:
        for share in (0.0, 0.5, 1 - 2.0**-53):
            assert levels.low <= levels.at(share) <= levels.high


def test_a_drawn_design_takes_listed_values_as_often_as_each_other() -> None:
    points = points_of(study("latin", {"a": Levels(("x", "y", "z")), "b": UNIT}, samples=30))
    assert Counter(point["a"] for point in points) == {"x": 10, "y": 10, "z": 10}


def test_seeds_of_runs_follow_from_the_number_of_the_run() -> None:
    one = Study("hunters", "", 600, seed=3, seeds=4)
    assert [one.seed_of(run, 10) for run in range(40)] == [one.seed_of(run, 99) for run in range(40)]
    assert len({one.seed_of(run, 10) for run in range(40)}) == 40
    listed = Study("hunters", "", 600, seeds=(7, 5))
    assert [listed.seed_of(run, 3) for run in range(6)] == [7, 7, 7, 5, 5, 5]
