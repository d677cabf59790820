"""Measures equal plain numpy; a flock measures the same wherever it is on a torus."""

import numpy as np
import pytest

from systems.core.measures import Measures
from systems.core.pipeline import Phase
from systems.core.settings import Settings
from tests.worlds import MEASURING, populated, run


def measured(places: np.ndarray, velocity: np.ndarray, edges: str = "open", size: float = 1000) -> dict[str, float]:
    values = {"Position.x": places[:, 0], "Position.y": places[:, 1]}
    values |= {"Velocity.x": velocity[:, 0], "Velocity.y": velocity[:, 1]}
    world = populated(MEASURING, Settings(size, size, edges), {k: v.astype(np.float32) for k, v in values.items()})
    world.resource(Measures).wanted = True
    run(world, Phase.MEASURE)
    return world.resource(Measures).values


def ring(n: int, radius: float) -> tuple[np.ndarray, np.ndarray]:
    angle = np.arange(n) * 2 * np.pi / n
    return radius * np.stack([np.cos(angle), np.sin(angle)], 1), 50 * np.stack([-np.sin(angle), np.cos(angle)], 1)


def test_random_flocks_measure_what_numpy_says():
    rng = np.random.default_rng(3)
    for n in (1, 2, 17, 500):
        places, velocity = rng.uniform(0, 1000, (n, 2)), rng.normal(10, 30, (n, 2))
        velocity[0] = 0
        found = measured(places, velocity)
        speed = np.hypot(*velocity.T)
        heading = velocity / np.where(speed > 0, speed, 1)[:, None]
        out = places - places.mean(axis=0)
        out /= np.maximum(np.hypot(*out.T), 1e-12)[:, None]
        assert found["mean_speed"] == pytest.approx(speed.mean(), rel=1e-5, abs=1e-6)
        assert found["polarization"] == pytest.approx(np.hypot(*heading.mean(axis=0)), rel=1e-4, abs=1e-6)
        cross = out[:, 0] * heading[:, 1] - out[:, 1] * heading[:, 0]
        assert found["milling"] == pytest.approx(abs(cross.mean()), rel=1e-3, abs=1e-4)
        assert found["entities"] == found["entities.kind0"] == n


def test_all_on_one_heading_are_polarized_and_do_not_mill():
    found = measured(ring(60, 80)[0] + 500, np.tile([30.0, 40.0], (60, 1)))
    assert found["polarization"] == pytest.approx(1)
    assert found["milling"] == pytest.approx(0, abs=1e-5)
    assert found["mean_speed"] == pytest.approx(50)


@pytest.mark.parametrize("edges", ["open", "wrap"])
@pytest.mark.parametrize("centre", [(500, 500), (0, 0), (250, 250), (999, 300), (750, 100), (120, 880)])
def test_a_mill_mills_wherever_it_is(edges, centre):
    places, velocity = ring(60, 80)
    places = places + centre
    found = measured(places % 1000 if edges == "wrap" else places, velocity, edges)
    assert found["milling"] == pytest.approx(1, abs=0.02)
    assert found["polarization"] == pytest.approx(0, abs=1e-5)


@pytest.mark.parametrize("edges", ["open", "wrap"])
def test_an_empty_world_measures_nothing(edges):
    found = measured(np.zeros((0, 2)), np.zeros((0, 2)), edges)
    assert (found["entities"], found["mean_speed"], found["polarization"], found["milling"]) == (0, 0, 0, 0)


def test_nothing_is_measured_until_someone_wants_it():
    world = populated(MEASURING, Settings(), {"Position.x": np.zeros(3), "Position.y": np.zeros(3)})
    run(world, Phase.MEASURE)
    assert world.resource(Measures).values == {}
