"""Goals: a = strength * (q - p) / max(d, near) to the nearest that calls, within its radius."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import ArrayLike

from components.guidance import Goal
from components.motion import Position
from components.store.fields import DEEP, FLAT
from components.store.world import World
from systems.engine.settings import Settings
from systems.steer import attraction
from tests.flocks import sized
from tests.groups import PLAIN, Groups, assert_only_serials_count, boids, nearest_offsets, steered, world_of_groups
from tests.reference import vectors

WRAP = Settings(1000, 800, "wrap")
flat_or_deep = pytest.mark.parametrize("axes", [FLAT, DEEP])
BOID, BIRD = 0b10, 0b100  # bits of prefabs: `goal` comes first


def world_with(goal: dict[str, ArrayLike], groups: Groups, settings: Settings = PLAIN) -> World:
    values = {f"{'Position' if key in 'xyz' else 'Goal'}.{key}": value for key, value in goal.items()}
    return world_of_groups([attraction.install], {"goal": values, **groups}, settings)


def flock(places: ArrayLike) -> dict[str, ArrayLike]:
    return boids(places, Flocker__cohesion_strength=0.768)


def drawn(goal: dict[str, ArrayLike], places: ArrayLike, settings: Settings = PLAIN) -> np.ndarray:
    """The accelerations of boids at these places, float32 (n, 2)."""
    return steered(world_with(goal, {"boid": flock(places)}, settings))


ONE: dict[str, ArrayLike] = {"x": 500.0, "y": 400.0, "radius": 300.0, "strength": 60.0}


def test_those_within_its_radius_go_to_a_goal():
    found = drawn(ONE, [[400, 400], [500, 300], [530, 440], [500, 700], [500, 699.9], [0, 0]])
    assert np.allclose(found, [[60, 0], [0, 60], [-36, -48], [0, 0], [0, -60], [0, 0]], atol=1e-4)


def test_the_pull_dies_away_where_the_goal_is_reached():
    found = drawn(ONE, [[500 - d, 400] for d in (30, 15, 7.5, 1.5, 0)])
    assert np.allclose(found, [[60, 0], [60, 0], [30, 0], [6, 0], [0, 0]], atol=1e-4)
    found = drawn(ONE | {"radius": 100.0}, [[500 - d, 400] for d in (10, 5, 2.5, 0)])
    assert np.allclose(found, [[60, 0], [60, 0], [30, 0], [0, 0]], atol=1e-4)
    found = drawn(ONE | {"radius": 1e6}, [[500 - d, 400] for d in (30, 7.5)])
    assert np.allclose(found, [[60, 0], [30, 0]], atol=1e-4)


def test_the_nearest_goal_counts_and_of_two_equally_near_the_first_made():
    two = {"x": [400.0, 600.0], "y": 400.0, "radius": 300.0, "strength": [10.0, 20.0]}
    assert drawn(two, [[450, 400], [550, 400], [500, 400]]).tolist() == [[-10, 0], [20, 0], [-10, 0]]
    other = {"x": [600.0, 400.0], "y": 400.0, "radius": 300.0, "strength": [20.0, 10.0]}
    assert drawn(other, [[500, 400]]).tolist() == [[20, 0]]
    together = {"x": [400.0] * 5, "y": 400.0, "radius": 300.0, "strength": [1.0, 2.0, 3.0, 4.0, 5.0]}
    assert drawn(together, [[500, 400]]).tolist() == [[-1, 0]]


def test_a_near_goal_that_is_out_of_its_own_radius_leaves_one_to_the_next():
    two = {"x": [550.0, 100.0], "y": 400.0, "radius": [40.0, 1e6], "strength": 60.0}
    assert drawn(two, [[500, 400], [511, 400]]).tolist() == [[-60, 0], [60, 0]]


def test_a_goal_calls_the_prefabs_it_names_or_everyone():
    two = {"x": [450.0, 900.0], "y": 400.0, "radius": 1e6, "strength": 60.0, "calls": np.array([BIRD, 0], np.uint64)}
    world = world_with(two, {"boid": flock([500, 400]), "bird": flock([500, 400])})
    assert steered(world, "boid").tolist() == [[60, 0]]
    assert steered(world, "bird").tolist() == [[-60, 0]]
    world = world_with(two | {"calls": np.uint64(BOID | BIRD)}, {"boid": flock([500, 400]), "bird": flock([500, 400])})
    assert steered(world, "boid").tolist() == steered(world, "bird").tolist() == [[-60, 0]]


def test_goals_that_come_go_move_or_change_are_followed_at_once():
    world = world_with(ONE, {"boid": flock([500, 300])})
    goal, boid = world.table.serial[:2].tolist()
    assert steered(world).tolist() == [[0, 60]]
    world.get(goal, Position).y = 200.0
    assert steered(world).tolist() == [[0, -60]]
    world.get(goal, Goal).strength = 30.0
    assert steered(world).tolist() == [[0, -30]]
    world.spawn("goal", 1, {"Position.x": [450.0], "Position.y": [300.0], "Goal.strength": [10.0]})
    world.table.reorder(np.array([2, 1, 0]))
    assert steered(world).tolist() == [[-10, 0]]
    world.remove(goal, Goal)
    world.remove(goal + 2, Goal)
    world.add(boid, Goal, strength=5.0)
    world.commit()
    assert steered(world).tolist() == [[0, 0]]


def test_it_does_not_call_those_who_do_not_flock():
    assert steered(world_with(ONE, {"boid": boids([450, 400])})).tolist() == [[0, 0]]


def test_on_a_torus_the_way_over_the_seam_counts():
    found = drawn(ONE | {"x": 950.0, "y": 780.0}, [[50, 780], [950, 20], [800, 780]], WRAP)
    assert found.tolist() == [[-60, 0], [0, -60], [60, 0]]
    everywhere = drawn(ONE | {"x": 950.0, "radius": 1e6}, [[300, 400], [600, 400]], WRAP)
    assert everywhere.tolist() == [[-60, 0], [60, 0]]


def generated(seed: int, edges: str, axes: str = FLAT) -> World:
    rng = np.random.default_rng(seed)
    count, most = int(rng.integers(1, 60)), float(rng.choice([50, 300, 1e6]))
    size = np.array([rng.choice(sides) for sides in ([300, 1000, 4400], [200, 4400], [240, 1000])[: len(axes)]])
    places = np.round(rng.random((count, len(axes))) * size / 20) * 20 % size
    goal = dict(zip(axes, places.T, strict=True)) | {
        "strength": rng.uniform(0, 100, count),
        "radius": rng.uniform(1, most, count), "calls": rng.choice([0, BOID, BIRD, BOID | BIRD], count).astype("u8"),
    }  # fmt: skip
    some = np.round(rng.random((200, len(axes))) * size / 10) * 10 % size  # on a raster: often equally far from two
    return world_with(goal, {"boid": flock(some), "bird": flock(some[:1])}, sized(size, edges))


def plain(world: World) -> np.ndarray:
    """What the equations say, float64 (n, 2) or (n, 3), for prefab `boid` by serial."""
    table, torus = world.table, world.resource(Settings).torus
    c = {key: column[: table.size] for key, column in table.columns.items()}
    place = vectors(c, "Position").T.astype(float)
    by_serial = np.argsort(table.serial[: table.size])
    all_goals = [row for row in by_serial if table.prefab[row] == 0]
    found = []
    for row in by_serial[table.prefab[by_serial] == 1]:
        best, pull = np.inf, np.zeros(place.shape[1])
        for goal in all_goals:
            way = nearest_offsets(place[goal] - place[row], torus)
            square, radius = (way**2).sum(), float(c["Goal.radius"][goal])
            if int(c["Goal.calls"][goal]) in (0, BOID, BOID | BIRD) and square < min(best, radius**2):
                best = square
                pull = float(c["Goal.strength"][goal]) * way / max(np.sqrt(square), min(0.05 * radius, 15))
        found.append(pull)
    return np.array(found)


@flat_or_deep
@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 2**32), edges=st.sampled_from(["wrap", "turn", "open"]))
def test_accelerations_equal_the_equations(axes, seed, edges):
    world = generated(seed, edges, axes)
    expected, found = plain(world), steered(world)
    if edges == "wrap":  # half-way round a torus both ways are as long: either is right
        found, expected = np.abs(found), np.abs(expected)
    assert np.abs(found - expected).max() <= 1e-4


@flat_or_deep
@pytest.mark.parametrize("edges", ["wrap", "turn", "open"])
def test_the_goal_that_is_told_is_the_one_that_pulls(axes, edges):
    for seed in range(8):
        world = generated(seed, edges, axes)
        table, torus = world.table, world.resource(Settings).torus
        c = {key: column[: table.size] for key, column in table.columns.items()}
        place = vectors(c, "Position").T.astype(float)
        expected = []
        by_serial = np.argsort(table.serial[: table.size])
        for row in by_serial[table.prefab[by_serial] == 1]:
            expected.append(np.zeros(place.shape[1]))
            if serial := attraction.goal_of(world, int(row)):
                goal = table.row_of(serial)
                way, near = nearest_offsets(place[goal] - place[row], torus), min(0.05 * c["Goal.radius"][goal], 15)
                expected[-1] = c["Goal.strength"][goal] * way / max(np.linalg.norm(way), near)
        assert np.abs(np.abs(steered(world)) - np.abs(expected)).max() <= 1e-4


@flat_or_deep
@pytest.mark.parametrize("edges", ["wrap", "open"])
def test_only_serials_count_not_rows_nor_threads(edges, axes):
    for seed in range(4):
        assert_only_serials_count(lambda seed=seed: generated(seed, edges, axes))
