"""All solids by cell, balls, pillars and walls, against all of them and all copies of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from systems.engine.kernel import kernel
from systems.exact.vector import add, scaled
from systems.space.obstacles import CLEARANCE, Obstacles, obstacles_of
from systems.space.solids import away_from, clear_of_solids, first_solid, is_ball, nearest_solid
from tests.solids import Solids, deep_settings, random_solids, units, vectors
from tests.terrain import terrain

EDGES = st.sampled_from(["wrap", "bounce", "open", "turn"])
SIZES = st.sampled_from([(400.0, 300.0, 500.0), (300.0, 300.0, 40.0)])


@kernel
def hits(solids, starts, ways, more):
    found, kind, out = np.empty(len(starts)), np.zeros(len(starts)), np.zeros(starts.shape)
    for n in range(len(starts)):
        start, along = (starts[n, 0], starts[n, 1], starts[n, 2]), (ways[n, 0], ways[n, 1], ways[n, 2])
        found[n], k, shift = first_solid(solids, start, along, more, 0.0)
        if found[n] <= 1.0:
            here = add(add(start, scaled(along, found[n])), shift)
            (out[n, 0], out[n, 1], out[n, 2]), _, _ = away_from(solids, k, here, along)
            kind[n] = is_ball(solids, k)
    return found, kind, out


@kernel
def nearest(solids, clearance, places):
    found, bounds = np.empty(len(places)), np.empty(len(places))
    for n in range(len(places)):
        here = places[n, 0], places[n, 1], places[n, 2]
        found[n], bounds[n] = nearest_solid(solids, here)[0], clear_of_solids(clearance, here)
    return found, bounds


def world_with(made: Solids) -> Obstacles:
    nobody = vectors("Position", [])
    return obstacles_of(terrain(made.settings, nobody, made.pillars, made.walls, balls=made.balls))


def made_of(seed: int, edges: str, size: tuple[float, ...]) -> tuple[np.random.Generator, Solids]:
    rng = np.random.default_rng(seed)
    made = random_solids(rng, deep_settings(size, edges), balls=rng.integers(0, 12), pillars=rng.integers(0, 5))
    return rng, made


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), edges=EDGES, size=SIZES)
def test_the_nearest_is_the_nearest_of_all_and_the_clearance_is_a_lower_bound(seed, edges, size):
    rng, made = made_of(seed, edges, size)
    places = rng.uniform(0 if made.torus else -0.2, 1 if made.torus else 1.2, (400, 3)) * size
    obstacles = world_with(made)
    found, bounds = nearest(obstacles.near, obstacles.clearance, places)
    exact = made.gaps(places).min(axis=1)
    near = exact < CLEARANCE
    assert np.abs(found - exact)[near].max(initial=0) < 1e-6
    assert (found[~near] >= CLEARANCE - 1e-6).all()
    assert (bounds <= exact + 1e-6).all()


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), edges=EDGES, size=SIZES)
def test_the_first_that_a_path_meets_is_the_first_of_all(seed, edges, size):
    rng, made = made_of(seed, edges, size)
    starts = rng.uniform(0 if made.torus else -0.2, 1 if made.torus else 1.2, (40, 3)) * size
    ways = units(rng, 40) * rng.choice([1, 50, 200], (40, 1))
    obstacles, every = world_with(made), made.unrolled((1, 1, int(200 / size[2]) + 1)) if made.torus else made
    for index, more in ((obstacles.near, 0.01), (obstacles.ahead, CLEARANCE)):
        found, kind, out = hits(index, starts, ways, more)
        for n in np.flatnonzero(every.gaps(starts).min(axis=1) > more):
            times = every.met(starts[n], ways[n], more)
            if np.isnan(times).any():
                continue
            first = int(times.argmin())
            assert (found[n] <= 1) == (times[first] <= 1)
            if times[first] <= 1:
                there = every.gaps(starts[n : n + 1] + ways[n] * found[n]).min()  # who grazes one is near it for long
                assert found[n] == pytest.approx(times[first], abs=1e-6) or there == pytest.approx(more, abs=1e-4)
                assert kind[n] == (first >= len(every.ends))
                assert out[n] == pytest.approx(every.out_of(starts[n] + times[first] * ways[n], first), abs=1e-4)
