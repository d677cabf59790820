"""The clearance: never more than the distance to the nearest capsule, and near to it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from systems.engine.kernel import kernel
from systems.space.capsule_index import Capsules, build_capsule_index
from systems.space.clearance import clear_by, clearance_of

SIZE = (700.0, 400.0)
MARGIN = 90.0


@kernel
def _clear(clearance, places, found):
    for k in range(len(places)):
        found[k] = clear_by(clearance, (places[k, 0], places[k, 1]))


def distances(capsules: Capsules, places: np.ndarray) -> np.ndarray:
    """From each place to the nearest capsule or a copy of it, negative inside, without an index."""
    ends, found = capsules.ends, np.full(len(places), np.inf)
    copies = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1)] if capsules.torus else [(0, 0)]
    for i, j in copies:
        a, b = ends[:, :2] + np.array(SIZE) * (i, j), ends[:, 2:] + np.array(SIZE) * (i, j)
        along = b - a
        square = np.maximum((along**2).sum(axis=1), 1e-300)
        share = np.clip(((places[:, None] - a) * along).sum(axis=2) / square, 0, 1)
        gaps = np.linalg.norm(places[:, None] - a - share[:, :, None] * along, axis=2) - capsules.radius
        found = np.minimum(found, gaps.min(axis=1, initial=np.inf))
    return found


@pytest.mark.parametrize("torus", [SIZE, None], ids=["torus", "plane"])
@settings(deadline=None)
@given(seed=st.integers(0, 10_000))
def test_it_is_a_lower_bound_and_no_bad_one(torus: tuple[float, float] | None, seed: int) -> None:
    rng = np.random.default_rng(seed)
    count = rng.integers(0, 12)
    ends = np.repeat(rng.random((count, 2)) * SIZE, 2, axis=0).reshape(count, 4)
    walls = rng.random(count) < 0.4
    ends[walls, 2:] += rng.normal(0, 60, (walls.sum(), 2))
    capsules = Capsules(ends, rng.random(count) * 40, torus)
    index = build_capsule_index(capsules, MARGIN)
    clearance = clearance_of(index)
    places = rng.random((300, 2)) * SIZE if torus else rng.random((300, 2)) * 1400 - 350
    found, exact = np.empty(len(places)), distances(capsules, places)
    _clear(clearance, places, found)
    assert (found <= exact + 1e-6).all()
    cell = np.hypot(1 / index.per_x, 1 / index.per_y) if count else 0
    assert (found >= np.minimum(exact, MARGIN) - cell - 1).all()
