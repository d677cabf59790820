"""Evolution: traits cost what the equation says, and their means move to where they pay."""

from __future__ import annotations

import numpy as np
import pytest

from sandbox.edit import SetField, SetParameter
from sandbox.simulation import Simulation
from tests.bundled import opened

PAYS = 45.0  # u/s, about: the top speed that foragers come to, from above and from below
SECOND = 60  # ticks
pytestmark = pytest.mark.usual_threads


def beginning(speed: float, seed: int, **values: float) -> Simulation:
    """The mod's scene with foragers of a top speed, and other fields of theirs."""
    simulation = opened("evolution", "evolution", seed)
    sets = {"Motion.max_speed": speed, "Perception.radius": 60.0, "Energy.level": 90.0}
    for key, value in (sets | {key.replace("__", "."): value for key, value in values.items()}).items():
        simulation.submit(SetField(key, value, prefab="forager"))
    simulation.step()
    return simulation


def top_speed(simulation: Simulation) -> float:
    return simulation.measures(["traits"])["top_speed_mean"]


def test_traits_cost_what_the_equation_says():
    with beginning(80.0, 1, Energy__level=70.0) as simulation:
        table = simulation.world.table
        rows = table.rows(table.components["Forager"])
        keys = "Motion.max_speed", "Perception.radius", "Energy.rest_burn"
        speed, sight, burn = (table.columns[key][rows] for key in keys)
        assert len(rows) > 200
        assert burn == pytest.approx(1.2 + 4 * (speed / 100) ** 2 + 1.5 * (sight / 100) ** 2)


def test_without_mutation_nothing_evolves():
    with beginning(60.0, 1, Life__mutation=0.0) as simulation:
        simulation.step(20 * SECOND)
        measures = simulation.measures(["traits", "tally"])
        assert measures["births"] > 100
        assert (measures["top_speed_mean"], measures["top_speed_spread"]) == (60, 0)
        assert (measures["sight_mean"], measures["sight_spread"]) == (60, 0)


@pytest.mark.parametrize(("seed", "seconds"), [(2, 60), pytest.param(1, 90, marks=pytest.mark.verify)])
@pytest.mark.parametrize("begin", [25.0, 90.0])
def test_a_top_speed_moves_to_where_it_pays(begin, seed, seconds):
    with beginning(begin, seed) as simulation:
        simulation.step(seconds * SECOND)
        assert abs(top_speed(simulation) - begin) > 0.05 * begin
        assert np.sign(top_speed(simulation) - begin) == np.sign(PAYS - begin)


@pytest.mark.verify
@pytest.mark.parametrize("seed", range(1, 6))
def test_from_both_sides_top_speeds_come_to_the_same(seed):
    found = {}
    for begin in (25.0, 90.0):
        with beginning(begin, seed) as simulation:
            before = begin
            for _ in range(3):
                simulation.step(100 * SECOND)
                now = top_speed(simulation)
                assert abs(now - PAYS) < max(abs(before - PAYS), 8), f"{begin}: {before} to {now}"
                before = now
            found[begin] = before
    assert found[25.0] > 35
    assert found[90.0] < 60
    assert abs(found[90.0] - found[25.0]) < 20


@pytest.mark.parametrize("seconds", [55, pytest.param(70, marks=pytest.mark.verify)])
def test_what_speed_costs_decides_where_it_goes(seconds):
    found = {}
    for cost in (0.0, 12.0):
        with beginning(60.0, 4) as simulation:
            simulation.submit(SetParameter("cost_of_living", "speed_cost", cost))
            simulation.step(seconds * SECOND)
            found[cost] = top_speed(simulation)
    assert found[0.0] > 61
    assert found[12.0] < 55
