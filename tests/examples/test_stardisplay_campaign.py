"""StarDisplay beside what was measured in flocks of starlings: what holds, and what does not (docs/stardisplay.md)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

import sandbox
from tests import field_studies
from tests.bundled import MODS

FLOCK = """
format = 1
seed = {seed}
[mods]
required = ["stardisplay"]
[world]
size = [700, 300, 700]
edges = "open"
tick_rate = 200
[prefabs.bird]
extends = "stardisplay"
Starling = {{ height = {height} }}
[[spawn]]
prefab = "roost"
at = [350, 100, 350]
[[spawn]]
prefab = "bird"
count = {count}
area = {{ ball = [300, 99, 350, {radius}] }}
velocity = [8, 0, 6]
"""
TABLE, SOFTER = 0.2, 0.01  # N/m, how strongly they keep to the height of the roost


class Figures(NamedTuple):
    """Means over the seconds of a flock, and gamma of the first 20 neighbours."""

    polarization: float
    correlation: float
    apart: float
    widths: np.ndarray
    speed: float
    gamma: np.ndarray


def figures(count: int, height: float, settling: int, seconds: int, seed: int = 1) -> Figures:
    text = FLOCK.format(seed=seed, height=height, count=count, radius=0.9 * count ** (1 / 3))
    found = []
    with sandbox.loads(text, mods=[MODS / "stardisplay"]) as sim:
        sim.step(200 * settling)
        for _ in range(seconds):
            sim.step(200)
            place, velocity = sim.positions[-count:].astype(float), sim.velocities[-count:].astype(float)
            found.append(
                (
                    field_studies.polarization(velocity),
                    field_studies.correlation_share(place, velocity),
                    field_studies.nearest_neighbour(place),
                    field_studies.widths(place),
                    float(np.linalg.norm(velocity, axis=1).mean()),
                    field_studies.anisotropy(place, velocity),
                )
            )
    return Figures(*(np.mean(each, axis=0) for each in zip(*found, strict=True)))


def test_a_small_flock_flies_as_one() -> None:
    found = figures(120, TABLE, 3, 3)
    assert found.polarization > 0.93
    assert 0.5 < found.apart < 1.5
    assert found.speed == pytest.approx(10, abs=1)
    assert found.widths[0] < 0.5 * found.widths[1]  # it is flat
    assert found.gamma[0] > 1 / 3  # the nearest is seldom ahead or behind


@pytest.mark.verify
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("height", [TABLE, SOFTER])
def test_a_flock_of_hundreds_has_the_order_and_the_distances_of_real_ones(height: float) -> None:
    found = figures(400, height, 8, 52)
    assert 0.93 < found.polarization <= 1
    assert 0.68 < found.apart < 1.51  # of the ten flocks of Ballerini et al. (2008)
    assert found.gamma[0] > 0.6
    assert 0.15 < found.correlation < 0.45
