"""Whom a boid counts: for every rule exactly those whom the plain O(n²) reference counts."""

import numpy as np
import pytest

from components.flock import METRIC
from components.store.world import World
from systems import commit
from systems.engine.pipeline import Pipeline
from systems.engine.settings import Settings
from systems.engine.system import Phase
from systems.engine.threads import exactly
from systems.flocking import neighbours
from systems.flocking.flock_grid import FlockGrid
from tests import reference
from tests.flocks import EDGES, LAYOUTS, Flock, generated
from tests.worlds import MOVING, accelerations, columns, populated, run

few_or_many = pytest.mark.parametrize(
    "seeds", [range(8), pytest.param(range(2_000, 2_600), marks=pytest.mark.verify)], ids=["few seeds", "many seeds"]
)
PROBES = {"separation": {"separation_falloff": 0, "separation_mean": False}, "alignment": {}, "cohesion": {}}


@few_or_many
@pytest.mark.parametrize("edges", EDGES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_those_shown_as_a_rules_neighbours_are_whom_the_reference_counts(layout, edges, seeds):
    for seed in seeds:
        flock = generated(layout, edges, seed)
        world = flock.world(np.random.default_rng(seed))
        run(world, Phase.SENSE)
        c = columns(world)
        for rule in reference.RULES:
            expected = reference.neighbours(c, flock.settings.torus, rule)
            for row in range(world.table.size):
                found = neighbours.rule_neighbours(world, row, rule)
                assert found.tolist() == sorted(c["serial"][expected[row]]), f"seed {seed}, row {row}, {rule}"
        world.close()


def refuse_others(world: World, torus: reference.Torus, name: str) -> None:
    """Fail if a tick's acceleration by one rule alone, direct and without limit, is not that of the reference.

    It is the fingerprint of the set that it is a sum over: velocities and positions are random, and another set would
    move a sum far more than rounding does.
    """
    for rule, fields in PROBES.items():
        chosen = {f"{other}_strength": float(other == rule) for other in reference.RULES}
        chosen |= {f"{rule}_steer": 0, f"{rule}_limit": 0.0, **fields}
        for key, value in chosen.items():
            world.table.write(f"Flocker.{key}", slice(None), value)
        found = accelerations(world)
        expected = reference.rule_acceleration(columns(world), torus, rule)
        size = np.abs(expected).max(axis=1, keepdims=True, initial=1.0)
        assert np.all(np.abs(found - expected) < 1e-4 * size + 1e-4), f"{name}, {rule}"


@pytest.mark.parametrize("edges", EDGES)
def test_after_rows_have_moved_neighbours_are_who_stands_there_now(edges):
    flock = generated("crowd", edges, 3)
    world = populated((*MOVING, commit.install), flock.settings, flock.values, flock.kind)
    pipeline = world.resource(Pipeline)
    pipeline.by_name["commit"].reorder_every = 1
    for _ in range(3):
        pipeline.tick(world)
        world.despawn_rows(np.arange(0, world.table.size, 3))
        assert any(reference.neighbours(columns(world), flock.settings.torus, rule).any() for rule in reference.RULES)
        refuse_others(world, flock.settings.torus, f"{world.table.size} are left")
    world.close()


@few_or_many
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("edges", EDGES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_tick_sums_over_the_same_ones(layout, edges, threads, seeds):
    with exactly(threads):
        for seed in seeds[::threads]:
            flock = generated(layout, edges, seed)
            world = flock.world(np.random.default_rng(seed))
            refuse_others(world, flock.settings.torus, f"seed {seed}")
            world.close()


@pytest.mark.parametrize("edges", EDGES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_away_from_every_border_float64_counts_the_same_as_the_reference(layout, edges):
    for seed in range(1000, 1004):
        flock = generated(layout, edges, seed)
        flock.values["Perception.reach"] = np.array(METRIC)
        world = flock.world()
        run(world, Phase.SENSE)
        c, torus = columns(world), flock.settings.torus
        delta = reference.exact_offsets(c, torus)
        d, band = np.hypot(*delta), 1e-5 + 2.0**-22 * max(torus or (0, 0))
        v = np.stack([c["Velocity.x"], c["Velocity.y"]]).astype(float)
        speed = np.hypot(*v)
        ahead = (delta * (v / np.where(speed > 0, speed, 1))[:, :, None]).sum(axis=0)
        limit = np.cos(np.radians(c["Perception.fov"].astype(float) / 2))[:, None] * d
        all_round = ((c["Perception.fov"] == 360) | (speed == 0))[:, None]
        for rule in reference.RULES:
            r = reference.radii(c, rule).astype(float)[:, None]
            inside = (d < r * (1 - 1e-5) - band) & (all_round | (ahead > limit + 1e-5 * d + band))
            outside = (d > r * (1 + 1e-5) + band) | ~(all_round | (ahead > limit - 1e-5 * d - band))
            alike, found = reference.alike(c, rule), reference.neighbours(c, torus, rule)
            assert not (found & (outside | ~alike)).any(), f"seed {seed}, {rule}"
            assert found[inside & alike].all(), f"seed {seed}, {rule}"
        world.close()


def test_a_far_sight_reaches_over_the_seam_of_a_wide_torus():
    """Rounding puts the one it looks for into the cell just beyond those its radius covers."""
    rng = np.random.default_rng(0)
    flock = Flock(Settings(5e5, 1000), np.zeros(152, int))
    flock.values |= {
        "Position.x": np.append([0.9463887, 498004.0], rng.uniform(1e4, 4e5, 150)).astype(np.float32),
        "Position.y": np.full(152, 500, np.float32),
        "Perception.radius": np.append([1996.9467], np.full(151, 996.8)).astype(np.float32),
        "Perception.fov": np.float32(360),
    }
    flock.values |= {f"Flocker.{rule}_strength": np.float32(rule == "cohesion") for rule in reference.RULES}
    world = flock.world()
    found = accelerations(world)
    assert world.resource(FlockGrid).grid.stored_x == 501
    assert reference.neighbours(columns(world), flock.settings.torus, "cohesion")[0].nonzero()[0].tolist() == [1]
    assert found[0] == pytest.approx([-1996.9464, 0], abs=0.05)
