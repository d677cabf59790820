"""Leaders: a = mean over the leaders of one's prefab, or of all, of pull * (w - v), wherever they are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import ArrayLike

from components.guidance import Leader
from components.store.fields import DEEP, FLAT
from components.store.world import World
from systems.steer import leading
from tests.flocks import sized
from tests.groups import Groups, assert_only_serials_count, boids, steered, world_of_groups
from tests.reference import vectors

FAR = [9e5, -9e5, 9e5]
flat_or_deep = pytest.mark.parametrize("axes", [FLAT, DEEP])


def led(groups: Groups) -> np.ndarray:
    """The accelerations of prefab `boid`, those who lead last."""
    return steered(world_of_groups([leading.install], groups))


def flock(velocities: ArrayLike, mixes: ArrayLike = False) -> dict[str, ArrayLike]:
    v = np.atleast_2d(velocities)
    return boids(np.tile([500, 400, 300][: v.shape[1]], (len(v), 1)), v, Flocker__alignment_mixes=mixes)


def leaders(velocities: ArrayLike, pull: ArrayLike = 0.5) -> dict[str, ArrayLike]:
    v = np.atleast_2d(velocities)
    return boids(np.tile(FAR[: v.shape[1]], (len(v), 1)), v, Leader__pull=pull)


def test_a_leader_pulls_to_its_velocity_however_far_away_it_is():
    found = led({"boid": flock([[0, 0], [30, -20], [100, 0]]), "boid who leads": leaders([[30, -20]])})
    assert found.tolist() == [[15, -10], [0, 0], [-35, -10], [0, 0]]


def test_several_leaders_pull_by_their_mean_each_with_its_own_pull():
    found = led({"boid": flock([[10, 0]]), "boid who leads": leaders([[30, 0], [0, 40], [10, 10]], [1, 2, 0])})
    assert found[0] == pytest.approx([(20 - 20) / 3, 80 / 3])


def test_leaders_of_another_prefab_lead_only_those_who_align_with_others():
    found = led({"boid": flock([[0, 0], [0, 0]], [False, True]), "lord": leaders([[30, -20]])})
    assert found.tolist() == [[0, 0], [15, -10]]


def test_a_flock_with_leaders_of_its_own_may_still_follow_all():
    groups = {"boid": flock([[0, 0]] * 2, [False, True]), "boid lead": leaders([[20, 0]]), "lord": leaders([[0, 40]])}
    assert led(groups).tolist() == [[10, 0], [5, 10], [0, 0]]


def test_leaders_follow_nobody_not_even_when_they_flock():
    both = leaders([[20, 0], [0, 20]]) | {"Flocker.alignment_mixes": True}
    assert led({"boid": both}).tolist() == [[0, 0], [0, 0]]


def test_without_leaders_nobody_is_led():
    assert led({"boid": flock([[1, 2]])}).tolist() == [[0, 0]]
    assert led({"boid": boids([0, 0], (3, 4)), "boid lead": leaders([[1, 2]])}).tolist() == [[0, 0], [0, 0]]


def generated(seed: int, axes: str) -> World:
    rng = np.random.default_rng(seed)
    prefabs, pull = int(rng.integers(1, 4)), 10 ** rng.uniform(-2, 4)
    groups: dict[str, dict[str, ArrayLike]] = {}
    for n in range(prefabs):
        name, count = "boid" if n == 0 else f"kind{n}", int(rng.integers(1, 30))
        groups[name] = flock(rng.normal(0, 80, (count, len(axes))), rng.random(count) < 0.5)
        if rng.random() < 0.7:
            count = int(rng.integers(1, 9))
            groups[f"{name} lead"] = leaders(rng.normal(0, 80, (count, len(axes))), rng.uniform(0, pull, count))
    return world_of_groups([leading.install], groups, sized([1000, 800, 600][: len(axes)], "open"))


def plain(world: World) -> tuple[np.ndarray, np.ndarray]:
    """What the equations say, float64 (n, 2) or (n, 3), for prefab `boid` by serial; how large the terms were, (n,)."""
    table = world.table
    c = {key: column[: table.size].astype(float) for key, column in table.columns.items()}
    v = vectors(c, "Velocity").T
    who = np.isin(np.arange(table.size), table.rows(Leader))
    rows = [row for row in np.argsort(table.serial[: table.size]) if table.prefab[row] == 0]
    found, size = np.zeros((len(rows), v.shape[1])), np.zeros(len(rows))
    for k, row in enumerate(rows):
        mine = who & ((table.prefab[: table.size] == 0) | (c["Flocker.alignment_mixes"][row] > 0))
        if mine.any() and not who[row]:
            terms = c["Leader.pull"][mine][:, None] * (v[mine] - v[row])
            found[k], size[k] = terms.mean(axis=0), np.abs(terms).mean()
    return found, size


@flat_or_deep
@settings(deadline=None)
@given(seed=st.integers(0, 2**32))
def test_accelerations_equal_the_equations(axes, seed):
    world = generated(seed, axes)
    expected, size = plain(world)
    assert np.all(np.abs(steered(world) - expected).max(axis=1) <= 1e-5 * (1 + 4 * size))


@flat_or_deep
def test_only_serials_count_not_rows_nor_threads(axes):
    for seed in range(6):
        assert_only_serials_count(lambda seed=seed: generated(seed, axes))


def test_a_host_of_leaders_at_the_ends_of_their_bounds_does_not_overflow():
    host = leaders(np.tile([1e4, -1e4], (100_000, 1)), 1e4)
    found = led({"boid": flock([[0, 0], [-1e4, 1e4]]), "boid lead": host})
    assert np.allclose(found[:2], [[1e8, -1e8], [2e8, -2e8]], rtol=1e-6)
