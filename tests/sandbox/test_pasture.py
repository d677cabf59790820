"""The pasture: its books balance to the last unit, and sheep and wolves swing without dying out."""

from __future__ import annotations

import pytest

from sandbox.opening import load
from sandbox.simulation import Simulation
from systems.engine.ledger import Ledger
from tests.meadows import books

LIVE_THROUGH = 20_000  # ticks
SPECIES = ("sheep", "wolf")
RISE = 1.15  # of a peak over the valleys before and behind it
pytestmark = pytest.mark.usual_threads


def population(simulation: Simulation) -> int:
    living = simulation.populations()
    return sum(living.get(name, 0) for name in SPECIES)


def balanced(simulation: Simulation, ticks: int, every: int) -> list[dict[str, int]]:
    """Run, and look into the books now and then; returns the populations found."""
    found = [simulation.populations()]
    sum_at_start, living_at_start = books(simulation.world), population(simulation)
    while simulation.tick < ticks:
        simulation.step(every)
        ledger = simulation.world.resource(Ledger)
        assert books(simulation.world) == sum_at_start
        assert ledger.births - ledger.deaths == population(simulation) - living_at_start
        found.append(simulation.populations())
    return found


def peaks(counts: list[int]) -> int:
    """How often a population rose to a peak and fell from it again."""
    found, rises, low, high = 0, True, counts[0], counts[0]
    for count in counts:
        low, high = min(low, count), max(high, count)
        if rises and count * RISE < high:
            found, rises, low = found + 1, False, count
        elif not rises and count > low * RISE:
            rises, high = True, count
    return found


def test_peaks_are_counted_when_they_are_over():
    assert [peaks(counts) for counts in ([5, 9, 5], [9, 5, 9], [5, 9, 8, 9, 5], [5, 9, 5, 9, 5, 9])] == [1, 1, 1, 2]


def test_the_books_balance():
    with load("pasture", seed=1) as simulation:
        balanced(simulation, 480, every=40)
        ledger = simulation.world.resource(Ledger)
        assert min(ledger.births, ledger.deaths, ledger.catches, ledger.lost, ledger.burned, ledger.regrown) > 0


@pytest.mark.verify
@pytest.mark.timeout(3600)
def test_sheep_and_wolves_live_on_and_swing_in_eight_of_ten_seeds():
    swinging = 0
    for seed in range(1, 11):
        with load("pasture", seed=seed) as simulation:
            found = balanced(simulation, LIVE_THROUGH, every=50)
            counts = {name: [populations.get(name, 0) for populations in found] for name in SPECIES}
            lives = min(map(min, counts.values())) > 0
            swinging += lives and min(map(peaks, counts.values())) >= 2
            limit = simulation.scene.settings.population_limit
            assert max(sum(populations.values()) for populations in found) < limit / 2
    assert swinging >= 8
