"""Wander: a = strength * s * perp(unit(v)), s smooth noise of the serial over time; with depth one s for each axis."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import ArrayLike

from components.store.world import World
from systems.engine.settings import Settings
from systems.steer import wander
from systems.steer.wander import WHIM, WHIM_Y, WHIM_Z
from tests import plain_noise
from tests.groups import assert_only_serials_count, boids, steered, world_of_groups

EAST = (50, 0)


def wandering(
    velocities: ArrayLike, strength: ArrayLike = 40.0, rate: ArrayLike = 1.0, seed: int = 3, tick: int = 0
) -> World:
    v = np.atleast_2d(velocities)
    group = boids(np.zeros_like(v), v, Wander__strength=strength, Wander__rate=rate)
    room = Settings(1000, 800, "open", depth=600.0 if v.shape[1] == 3 else 0.0)
    return world_of_groups([wander.install], {"boid": group}, room, seed=seed, tick=tick)


@settings(deadline=None)
@given(st.integers(0, 2**62), st.integers(0, 10**7))
def test_accelerations_equal_the_equations(seed, tick):
    rng = np.random.default_rng(seed)
    v = rng.normal(0, 80, (20, 2)).astype(np.float32)
    strength, rate = (rng.uniform(0, most, 20).astype(np.float32).astype(float) for most in (100, 10))
    s = [plain_noise.wavering(seed, k + 1, WHIM, tick / 60 * rate[k]) for k in range(20)]
    expected = (strength * s / np.hypot(*v.T.astype(float)))[:, None] * np.stack([-v[:, 1], v[:, 0]], axis=1)
    assert np.allclose(steered(wandering(v, strength, rate, seed, tick)), expected, rtol=1e-5, atol=1e-4)


@settings(deadline=None)
@given(st.integers(0, 2**62), st.integers(0, 10**7))
def test_with_depth_accelerations_equal_the_equations_also_at_rest(seed, tick):
    rng = np.random.default_rng(seed)
    v = (rng.normal(0, 80, (20, 3)) * (np.arange(20) % 5 > 0)[:, None]).astype(np.float32)
    strength, rate = (rng.uniform(0, most, 20).astype(np.float32).astype(float) for most in (100, 10))
    s = [
        [plain_noise.wavering(seed, k + 1, stream, tick / 60 * rate[k]) for stream in (WHIM, WHIM_Y, WHIM_Z)]
        for k in range(20)
    ]
    expected = strength[:, None] * np.array(s)
    assert np.allclose(steered(wandering(v, strength, rate, seed, tick)), expected, rtol=1e-5, atol=1e-4)


def test_everyone_turns_its_own_way_at_its_own_time():
    found = np.array([steered(wandering(np.tile(EAST, (2000, 1)), tick=tick))[:, 1] for tick in (0, 30, 600)])
    assert np.abs(found).max() <= 40
    assert np.abs(found.mean(axis=1)).max() < 2
    assert np.abs(found).max(axis=1).min() > 38
    assert abs(np.corrcoef(found)[0, 2]) < 0.1


@pytest.mark.parametrize("rate", [0.5, 1.0, 5.0])
def test_it_changes_its_mind_at_its_rate_and_smoothly(rate):
    turns = np.array([steered(wandering(np.tile(EAST, (100, 1)), rate=rate, tick=tick))[:, 1] for tick in range(1200)])
    assert np.abs(np.diff(turns, axis=0)).max() <= 2 * 40 * 1.875 * rate / 60 * 1.01  # the steepest of a fade
    sides = (np.diff(np.sign(turns), axis=0) != 0).sum(axis=0).mean()
    assert sides == pytest.approx(20 * rate / 2, rel=0.15)  # every second draw falls on the other side


def test_at_rate_zero_it_keeps_turning_the_same_way():
    assert len({steered(wandering([EAST], rate=0.0, tick=tick)).tobytes() for tick in (0, 77, 10**6)}) == 1


def test_at_rest_everyone_sets_out_somewhere():
    found = steered(wandering(np.zeros((3000, 2))))
    assert np.all(np.hypot(*found.T) > 0)
    assert np.abs(found.mean(axis=0)).max() < 2
    assert len(np.unique(found[:, 0])) == 3000


def test_what_it_does_depends_on_seed_serial_and_tick_alone():
    v = np.random.default_rng(1).normal(0, 50, (50, 2))
    alone = steered(wandering(v, tick=500))
    assert steered(wandering(np.concatenate([v, v]), tick=500))[:50].tobytes() == alone.tobytes()
    world = wandering(v)
    for tick in range(490, 501):
        world.tick = tick
        last = steered(world)
    assert last.tobytes() == alone.tobytes()
    assert steered(wandering(v, tick=500, seed=4)).tobytes() != alone.tobytes()


@pytest.mark.parametrize("axes", [2, 3])
def test_only_serials_count_not_rows_nor_threads(axes):
    v = np.random.default_rng(2).normal(0, 50, (100, axes)) * (np.arange(100) % 5 > 0)[:, None]
    assert_only_serials_count(lambda: wandering(v, tick=99))


def test_without_the_component_nobody_wanders():
    world = world_of_groups([wander.install], {"boid": boids([0, 0], EAST)})
    assert steered(world).tolist() == [[0, 0]]
