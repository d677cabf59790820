"""Lists of neighbours: those of all distances, by ascending serial, whatever the rows, the threads and the world."""

from __future__ import annotations

from itertools import product

import numba
import numpy as np
import pytest

from components.store.world import World
from systems.engine.settings import Settings
from systems.move import movement
from systems.space.neighbour_lists import neighbour_lists, neighbours
from tests import reference
from tests.flocks import EDGES, LAYOUTS, generated
from tests.worlds import columns, populated

RADII = (0.5, 12.0, 60.0, 400.0, 1e4, 1e30)
TORUS, OPEN = Settings(300, 200, "wrap"), Settings(300, 200, "open")


def scattered(n: int, settings: Settings, seed: int = 0, shuffled: bool = True) -> World:
    rng = np.random.default_rng(seed)
    places = (rng.random((n, 2)) * (settings.width, settings.height)).astype(np.float32)
    return standing(places, settings, rng if shuffled else None)


def standing(places: np.ndarray, settings: Settings, shuffle: np.random.Generator | None = None) -> World:
    values = {"Position.x": places[:, 0], "Position.y": places[:, 1]}
    return populated([movement.install], settings, values, shuffle=shuffle)


def all_rows(world: World) -> np.ndarray:
    return np.arange(world.table.size, dtype=np.int32)


def expected(world: World, rows: np.ndarray, radius: float | np.ndarray) -> list[list[int]]:
    """By all distances: of each of these rows the rows of its neighbours, by serial."""
    c = {key: column[rows] for key, column in columns(world).items()}
    most = np.broadcast_to(np.minimum(radius, 1e7).astype(np.float32), len(rows))[:, None]
    near = reference.squares(reference.offsets(c, world.resource(Settings).torus)) < most**2
    np.fill_diagonal(near, False)
    return [rows[k][np.argsort(c["serial"][k])].tolist() for k in near]


def as_lists(found) -> list[list[int]]:
    return [found.who[a:b].tolist() for a, b in zip(found.start[:-1], found.start[1:], strict=True)]


@pytest.mark.parametrize("edges", EDGES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_lists_are_those_of_all_distances(layout, edges):
    for seed, radius in product(range(6), RADII):
        world = generated(layout, edges, seed).world(np.random.default_rng(seed))
        rows = all_rows(world)
        assert as_lists(neighbour_lists(world, rows, radius)) == expected(world, rows, radius), f"{seed}, {radius}"


@pytest.mark.parametrize("settings", [TORUS, OPEN], ids=["torus", "open"])
@pytest.mark.parametrize("radius", [20, 90, 101, 149, 160, 1e3], ids=str)
def test_a_radius_may_be_larger_than_half_the_world(settings, radius):
    world = scattered(70, settings)
    found = neighbour_lists(world, all_rows(world), radius)
    assert as_lists(found) == expected(world, all_rows(world), radius)
    if radius == 1e3:
        assert np.diff(found.start).tolist() == [69] * 70


def test_only_those_of_the_given_rows_are_listed_in_their_order():
    world = scattered(60, TORUS)
    rows = np.random.default_rng(1).permutation(60)[:25]
    assert as_lists(neighbour_lists(world, rows, 80)) == expected(world, rows, 80)


def test_they_are_sorted_by_serial_not_by_row():
    world = scattered(50, OPEN)
    serial = world.table.serial
    lists = as_lists(neighbour_lists(world, all_rows(world), 150))
    assert all(np.all(np.diff(serial[who]) > 0) for who in lists)
    assert any(np.any(np.diff(who) < 0) for who in lists)


def test_two_at_the_same_point_are_neighbours_and_nobody_is_its_own():
    world = standing(np.full((3, 2), 7.0, np.float32), TORUS)
    assert as_lists(neighbour_lists(world, all_rows(world), 0.1)) == [[1, 2], [0, 2], [0, 1]]


def test_who_is_exactly_as_far_as_the_radius_is_none():
    world = standing(np.array([[10, 10], [14, 13], [14, 12.99]], np.float32), OPEN)
    assert as_lists(neighbour_lists(world, all_rows(world), 5)) == [[2], [2], [0, 1]]


def test_on_a_torus_they_are_seen_across_the_edge():
    places = np.array([[1, 100], [299, 100], [150, 1], [150, 199]], np.float32)
    found = {edges: neighbour_lists(standing(places, Settings(300, 200, edges)), np.arange(4), 5) for edges in EDGES}
    assert as_lists(found["wrap"]) == [[1], [0], [3], [2]]
    assert as_lists(found["open"]) == [[], [], [], []]


@pytest.mark.parametrize("axes", ["xy", "xyz"])
@pytest.mark.parametrize("edges", EDGES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_each_may_have_a_radius_of_its_own(layout, edges, axes):
    for seed in range(4):
        rng = np.random.default_rng(seed)
        world = generated(layout, edges, seed, axes).world(rng)
        rows = all_rows(world)
        radii = rng.choice([0, 0.5, 12, 60, 400, 1e30], len(rows))
        assert as_lists(neighbour_lists(world, rows, radii)) == expected(world, rows, radii), f"{seed}"


@pytest.mark.parametrize("count", [0, 1])
def test_none_and_one_have_no_neighbours(count):
    found = neighbour_lists(scattered(count, TORUS), np.arange(count), 50)
    assert found.start.tolist() == [0] * (count + 1)
    assert (found.start.dtype, found.who.dtype, len(found.who)) == (np.int64, np.int32, 0)


def test_one_thread_and_two_give_the_same():
    world = scattered(2_000, Settings(600, 600, "wrap"))
    found = []
    for threads in (1, 2):
        numba.set_num_threads(min(threads, numba.config.NUMBA_NUM_THREADS))
        start, who = neighbour_lists(world, all_rows(world), 40)
        found.append((start.tobytes(), who.tobytes()))
    assert found[0] == found[1]
    assert len(who) > 20_000


def test_a_crowd_of_thousands_is_sorted_in_no_time():
    world = standing(np.full((3_000, 2), 5.0, np.float32), OPEN, np.random.default_rng(2))
    _, who = neighbour_lists(world, all_rows(world), 1)
    assert np.all(np.diff(world.table.serial[who[:2_999]]) > 0)
    assert len(who) == 3_000 * 2_999


@pytest.mark.parametrize("radius", [0, -1, float("nan"), float("inf")])
def test_a_radius_is_a_number_above_0(radius):
    world = scattered(3, TORUS)
    for ask in (lambda: neighbour_lists(world, np.arange(3), radius), lambda: neighbours(world, 0, radius)):
        with pytest.raises(ValueError, match="must be a number above 0"):
            ask()


@pytest.mark.parametrize("radii", [[1.0, 2.0], [1.0, -1.0, 2.0], [1.0, float("nan"), 2.0]])
def test_radii_are_as_many_as_rows_and_not_below_0(radii):
    with pytest.raises(ValueError, match="must be a number above 0, or one for each of the 3 rows"):
        neighbour_lists(scattered(3, TORUS), np.arange(3), np.array(radii))


@pytest.mark.parametrize("settings", [TORUS, OPEN], ids=["torus", "open"])
@pytest.mark.parametrize("radius", [10, 60, 170])
def test_the_neighbours_of_one_are_its_list(settings, radius):
    world = scattered(80, settings)
    lists = as_lists(neighbour_lists(world, all_rows(world), radius))
    assert [neighbours(world, row, radius).tolist() for row in range(80)] == lists
    assert neighbours(world, 3, radius, np.arange(40)).tolist() == [row for row in lists[3] if row < 40]
