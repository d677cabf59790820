"""Times of impact against a plain search; the index against all capsules and all copies of them."""

import numpy as np
import pytest

from systems.engine.kernel import kernel
from systems.exact.vector import add, length
from systems.space.capsule_index import Capsules, build_capsule_index
from systems.space.sweep import NEVER, Way, first_hit, nearest_capsule, time_of_impact
from tests.terrain import gaps, meetings, own_gap

f64 = np.float64


@kernel
def times(starts, ways, ends, reach, regain):
    found = np.empty(len(starts))
    for n in range(len(starts)):
        along = ways[n, 0], ways[n, 1]
        way = Way((starts[n, 0], starts[n, 1]), along, length(along))
        a, b = (ends[n, 0], ends[n, 1]), (ends[n, 2], ends[n, 3])
        found[n] = min(time_of_impact(way, a, b, reach[n], regain), NEVER)
    return found


@kernel
def hits(index, starts, ways, more):
    found, which = np.empty(len(starts)), np.empty(len(starts), np.int64)
    for n in range(len(starts)):
        found[n], k, _ = first_hit(index, (starts[n, 0], starts[n, 1]), (ways[n, 0], ways[n, 1]), more, 0.0)
        found[n], which[n] = min(found[n], NEVER), index.which[k] if found[n] <= 1 else -1
    return found, which


@kernel
def first_of_all(ends, reach, size, rounds, starts, ways):
    """The first time of impact with any copy of any capsule."""
    found = np.full(len(starts), NEVER)
    for n in range(len(starts)):
        along = ways[n, 0], ways[n, 1]
        way = Way((starts[n, 0], starts[n, 1]), along, length(along))
        for k in range(len(ends)):
            a, b = (ends[k, 0], ends[k, 1]), (ends[k, 2], ends[k, 3])
            for i in range(-rounds[0], rounds[0] + 1):
                for j in range(-rounds[1], rounds[1] + 1):
                    shift = i * size[0], j * size[1]
                    share = time_of_impact(way, add(a, shift), add(b, shift), reach[k], 0.0)
                    found[n] = min(found[n], share)
    return found


@kernel
def nearest(index, places):
    found = np.empty(len(places))
    for n in range(len(places)):
        found[n] = nearest_capsule(index, (places[n, 0], places[n, 1]))[0]
    return found


def random_scene(seed: int, count: int, size: float) -> tuple[np.ndarray, np.ndarray]:
    """Circles, short and long walls, some upright, some as points."""
    rng = np.random.default_rng([7, seed])
    a = rng.uniform(0, size, (count, 2))
    reach = rng.choice([0.0, 3.0, 30.0, size / 2], count)[:, None]
    b = a + rng.normal(0, 1, (count, 2)) * reach * rng.choice([0, 1, 1, 1], (count, 2))
    return np.hstack([a, b]), rng.choice([0.05, 1, 10, 40], count) * rng.uniform(0.5, 1, count)


@pytest.mark.parametrize("seed", range(4))
def test_the_time_of_impact_is_when_the_distance_first_is_the_reach(seed):
    rng = np.random.default_rng(seed)
    ends, radius = random_scene(seed, 4_000, 100)
    starts = rng.uniform(0, 100, ends[:, :2].shape)
    ways = rng.normal(0, 1, starts.shape) * rng.choice([0.1, 5, 100], len(starts))[:, None]
    outside = own_gap(starts, ends) > radius
    found, expected = times(starts, ways, ends, radius, 0.0), meetings(starts, ways, ends, radius)
    told = outside & ~np.isnan(expected)
    assert (expected[told] < 1).sum() > 100
    assert np.array_equal(found[told] <= 1, expected[told] <= 1)
    assert np.abs(found[told] - expected[told]).max() < 1e-6


def test_who_is_inside_already_meets_it_at_once_when_going_in_and_never_when_going_out():
    lines = np.array([[0.0, 0, 10, 0]] * 4 + [[5.0, 0, 5, 0]])
    starts = np.array([[5.0, 0.5]] * 4 + [[5.0, 0]])
    ways = np.array([[0.0, -1], [1, 0], [1, 0.2], [0, 1], [0, 1]])
    found = times(starts, ways, lines, np.ones(5), 0.0)
    assert found.tolist() == [0, NEVER, NEVER, NEVER, 0]  # in the very middle any way leads in: back is out
    assert times(starts, ways, lines, np.ones(5), 1.0).tolist() == [0, 0, 0, NEVER, 0]


def test_who_slides_along_a_line_at_its_reach_does_not_meet_it():
    rng = np.random.default_rng(0)
    a, along = rng.uniform(-100, 100, (5000, 2)), rng.normal(0, 10, (5000, 2))
    unit = along / np.hypot(*along.T)[:, None]
    starts = a + along * rng.uniform(0, 1, (5000, 1)) + np.stack([-unit[:, 1], unit[:, 0]], 1) * 2.5
    found = times(starts, unit * rng.uniform(0, 10, (5000, 1)), np.hstack([a, a + along]), np.full(5000, 2.5), 0.0)
    assert np.all(found == NEVER)


def test_who_touches_a_line_and_goes_in_meets_it_at_once():
    """Rounding may have put it a little to either side of the reach."""
    rng = np.random.default_rng(1)
    a, along = rng.uniform(-1000, 1000, (20_000, 2)), rng.normal(0, 10, (20_000, 2))
    unit = along / np.hypot(*along.T)[:, None]
    normal = np.stack([-unit[:, 1], unit[:, 0]], 1)
    starts = a + along * rng.uniform(0, 1, (20_000, 1)) + normal * 2.5
    ways = unit * rng.normal(0, 3, (20_000, 1)) - normal * rng.uniform(1e-3, 3, (20_000, 1))
    assert times(starts, ways, np.hstack([a, a + along]), np.full(20_000, 2.5), 0.0).max() < 1e-9


@pytest.mark.parametrize("torus", [None, (300.0, 200.0), (37.0, 200.0), (20.0, 20.0)])
@pytest.mark.parametrize("margin", [0.5, 8.0, 90.0])
@pytest.mark.parametrize("count", [1, 30, 300])
def test_the_first_hit_through_the_index_is_the_first_of_all_shapes(torus, margin, count):
    rng = np.random.default_rng([count, int(margin)])
    size = torus or (300.0, 200.0)
    ends, radius = random_scene(count, count, 60 if torus else 250)
    radius = np.minimum(radius, min(size) / 3)
    if torus:  # as long as the torus at most
        ends[:, 2:] = ends[:, :2] + np.clip(ends[:, 2:] - ends[:, :2], -min(size), min(size))
    index = build_capsule_index(Capsules(ends, radius, torus), margin)
    starts = rng.uniform(-0.5, 1.5, (400, 2)) * size
    ways = rng.normal(0, 1, (400, 2)) * rng.choice([1, 20, 150], (400, 1))
    more = 0.3 * margin
    found, which = hits(index, starts, ways, more)
    rounds = [int(400 / side) + 2 for side in torus] if torus else [0, 0]
    best = first_of_all(ends, radius + more, size, np.array(rounds), starts, ways)
    assert np.abs(found - best).max() < 1e-9
    assert np.array_equal(which >= 0, best <= 1)
    assert count == 300 or (found <= 1).any()


@pytest.mark.parametrize("torus", [None, (300.0, 200.0)])
def test_a_cell_knows_the_nearest_capsule_up_to_the_margin(torus):
    ends, radius = random_scene(5, 60, 180)
    index = build_capsule_index(Capsules(ends, radius, torus), 10.0)
    places = np.random.default_rng(1).uniform(-50, 350, (3000, 2))
    expected = gaps(np.mod(places, torus) if torus else places, ends, radius, torus).min(1)
    found = nearest(index, places)
    near = expected < 10
    assert near.sum() > 500
    assert np.abs(found - expected)[near].max() < 1e-9
    assert np.all(found[~near] >= 10 - 1e-9)
