"""Whom a boid counts: for every rule exactly those whom the plain O(n²) reference counts."""

import numpy as np
import pytest

from systems.core import neighbours
from systems.core.pipeline import Phase
from tests import reference
from tests.flocks import EDGES, LAYOUTS, generated
from tests.worlds import accelerations, columns, run

SEEDS = 60
PROBES = {
    "separation": {"separation_falloff": 0, "separation_mean": False},
    "alignment": {},
    "cohesion": {},
}


def test_more_than_two_thousand_flocks_are_compared():
    assert len(LAYOUTS) * len(EDGES) * SEEDS >= 2_000


@pytest.mark.parametrize("edges", EDGES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_each_rule_counts_whom_the_reference_counts(layout, edges):
    for seed in range(SEEDS):
        flock = generated(layout, edges, seed)
        world = flock.world(np.random.default_rng(seed))
        run(world, Phase.SENSE)
        c = columns(world)
        for rule in reference.RULES:
            expected = reference.neighbours(c, flock.settings.torus, rule)
            for row in range(world.table.size):
                found = neighbours.neighbours(world, row, rule)
                assert found.tolist() == sorted(c["serial"][expected[row]]), f"seed {seed}, row {row}, {rule}"
        world.close()


@pytest.mark.parametrize("edges", EDGES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_tick_sums_over_the_same_ones(layout, edges):
    """With one rule alone, direct and without limit, an acceleration is the fingerprint of the set it is a sum over.

    Velocities and positions are random: another set would move a sum far more than rounding does.
    """
    for seed in range(SEEDS):
        flock = generated(layout, edges, seed)
        world = flock.world(np.random.default_rng(seed))
        for rule, fields in PROBES.items():
            chosen = {f"{other}_strength": float(other == rule) for other in reference.RULES}
            chosen |= {f"{rule}_steer": 0, f"{rule}_limit": 0.0, **fields}
            for name, value in chosen.items():
                world.table.columns[f"Flocker.{name}"][:] = value
            found = accelerations(world)
            expected = reference.rule_acceleration(columns(world), flock.settings.torus, rule)
            size = np.abs(expected).max(axis=1, keepdims=True, initial=1.0)
            assert np.all(np.abs(found - expected) < 1e-4 * size + 1e-4), f"seed {seed}, {rule}"
        world.close()
