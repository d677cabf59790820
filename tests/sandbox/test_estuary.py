"""The estuary lives on: for an hour of its time neither herring nor sharks die out, and their numbers swing."""

from __future__ import annotations

import pytest

from sandbox.opening import load
from tests.sandbox.test_pasture import peaks

HOUR = 216_000  # ticks
EVERY = 300
pytestmark = pytest.mark.usual_threads


@pytest.mark.verify
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_herring_and_sharks_live_for_an_hour_and_swing(seed: int) -> None:
    counts: dict[str, list[int]] = {"herring": [], "tide_shark": []}
    with load("estuary", seed=seed) as simulation:
        while simulation.tick < HOUR:
            simulation.step(EVERY)
            for name, found in counts.items():
                found.append(simulation.populations().get(name, 0))
        assert sum(simulation.populations().values()) < simulation.scene.settings.population_limit / 2
    assert min(map(min, counts.values())) > 0
    assert min(map(peaks, counts.values())) >= 5
