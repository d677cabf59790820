"""The grid: everyone in exactly one cell, and all within the radius in the 3 x 3 cells around."""

from itertools import product

import numpy as np
import pytest

from systems import commit
from systems.engine.pipeline import Pipeline
from systems.engine.threads import exactly
from systems.flocking.flock_grid import FlockGrid
from systems.space.grid import CELLS_PER_ENTITY, PADDING, CellGrid, build_grid
from tests import reference
from tests.flocks import generated
from tests.worlds import MOVING, columns, populated, run_system

TORI = [None, (1000.0, 640.5), (1e6, 1e6), (30.0, 1000.0), (1.0, 1.0)]


def built(n: int, radius: float, torus: tuple[float, float] | None, seed: int = 0) -> tuple[CellGrid, np.ndarray]:
    rng = np.random.default_rng(seed)
    places = rng.random((n, 2)) * (torus or (900, 900)) - (0 if torus else 450)
    places = np.minimum(places.astype(np.float32), np.nextafter(np.float32(torus or 1e6), np.float32(0)))
    x, y = np.ascontiguousarray(places[:, 0]), np.ascontiguousarray(places[:, 1])
    return build_grid(np.arange(n, dtype=np.int32), (x, y), radius, torus), places


@pytest.mark.parametrize("torus", TORI)
@pytest.mark.parametrize("radius", [0, 1e-3, 5, 50, 1e4])
@pytest.mark.parametrize("n", [0, 1, 2, 300])
def test_everyone_stands_in_exactly_one_cell(torus, radius, n):
    grid, places = built(n, radius, torus)
    order = grid.which[:-PADDING]
    assert sorted(order) == list(range(n))
    assert np.array_equal(grid.x[:-PADDING], places[order, 0])
    assert np.array_equal(grid.y[:-PADDING], places[order, 1])
    assert len(grid.start) == grid.stored_x * grid.stored_y + 1
    assert (grid.start[0], grid.start[-1]) == (0, n)
    assert np.all(np.diff(grid.start) >= 0)
    assert grid.stored_x * grid.stored_y <= CELLS_PER_ENTITY * n + 64


@pytest.mark.parametrize("torus", TORI)
def test_sorted_on_several_threads_everyone_stands_where_one_thread_puts_them(torus):
    with exactly(1):
        alone, _ = built(5000, 5, torus)
    for threads in (2, 3, 8):  # as many of these as there are cores
        with exactly(threads):
            together, _ = built(5000, 5, torus)
        assert all(np.array_equal(one, other) for one, other in zip(alone, together, strict=True))


@pytest.mark.parametrize("torus", TORI)
@pytest.mark.parametrize("radius", [0.1, 5, 50, 200])
def test_all_within_the_radius_stand_in_the_nine_cells_around(torus, radius):
    for seed in range(5):
        grid, _ = built(200, radius, torus, seed)
        n = len(grid.which) - PADDING
        cell = np.searchsorted(grid.start, np.arange(n), side="right") - 1
        column, line = cell % grid.stored_x, cell // grid.stored_x
        dx, dy = reference.offsets({"Position.x": grid.x[:n], "Position.y": grid.y[:n]}, torus)
        near = dx * dx + dy * dy < np.float32(radius) ** 2
        for index, cells in ((column, grid.stored_x), (line, grid.stored_y)):
            apart = np.abs(index[:, None] - index[None, :])
            apart = np.minimum(apart, cells - apart)
            assert apart[near].max(initial=0) <= 1


@pytest.mark.parametrize("torus", TORI[1:])
def test_a_torus_has_one_cell_along_an_axis_or_at_least_three(torus):
    for radius in (0.2, 3, 9, 11, 16, 300, 400, 600):
        grid, _ = built(300, radius, torus)
        assert grid.stored_x != 2
        assert grid.stored_y != 2


def looks(places: np.ndarray, radius: float) -> int:
    """At how many candidates all these together look, in a world without edges."""
    x, y = (np.ascontiguousarray(places[:, axis], np.float32) for axis in (0, 1))
    grid = build_grid(np.arange(len(x), dtype=np.int32), (x, y), radius, None)
    members = np.diff(grid.start).reshape(grid.stored_y, grid.stored_x)
    around = sum(np.roll(members, shift, (0, 1)) for shift in product((-1, 0, 1), repeat=2))
    return int((members * around).sum())


FAR_AWAY = {
    "nobody": [],
    "one": [(1e6, 1e6)],
    "one on the other side": [(-1e6, 0)],
    "two": [(1e5, 1e5), (1e6, -1e6)],
    "some all over": np.random.default_rng(3).uniform(-1e6, 1e6, (200, 2)),
}


@pytest.mark.parametrize("radius", [0, 5, 50])
@pytest.mark.parametrize("strays", FAR_AWAY)
def test_those_far_away_give_those_who_stand_together_no_more_to_look_at(strays, radius):
    together = np.random.default_rng(1).uniform(0, 2000, (20_000, 2))
    all_of_them = np.concatenate([together, np.reshape(FAR_AWAY[strays], (-1, 2))])
    assert looks(all_of_them, radius) < 1.3 * looks(together, max(radius, 7.0))


@pytest.mark.parametrize("flocks", [2, 7, 20])
def test_flocks_that_parted_look_at_no_more_than_one_flock_of_so_many(flocks):
    rng = np.random.default_rng(flocks)
    size = 20_000 // flocks
    together = [rng.uniform(0, 2000 / flocks**0.5, (size, 2)) for _ in range(flocks)]
    parted = np.concatenate([flock + rng.uniform(-1e6, 1e6, 2) for flock in together])
    assert looks(parted, 50) < 1.3 * sum(looks(flock, 50) for flock in together)


def test_spatial_order_changes_the_order_of_rows_and_nothing_else():
    flock = generated("spread", "wrap", 5)
    plain = flock.world()
    sorted_often = populated((*MOVING, commit.install), flock.settings, flock.values, flock.kind)
    sorted_often.resource(Pipeline).by_name["commit"].reorder_every = 1
    before = sorted_often.table.serial[: sorted_often.table.size].copy()
    run_system(sorted_often, "remember")
    run_system(sorted_often, "spatial_hash")
    order = sorted_often.resource(FlockGrid).grid.which[:-PADDING]
    run_system(sorted_often, "commit")
    table = sorted_often.table
    assert np.array_equal(table.serial[: table.size], before[order])
    one, other = columns(plain), columns(sorted_often)
    place = np.argsort(other["serial"])
    assert all(np.array_equal(one[key], other[key][place]) for key in one if ".previous" not in key)


def test_flocks_fly_the_same_way_whatever_the_order_of_rows():
    flock = generated("mixed radii", "wrap", 11)
    states = []
    for seed, every in ((None, 1000), (1, 1), (2, 3)):
        shuffle = None if seed is None else np.random.default_rng(seed)
        world = populated((*MOVING, commit.install), flock.settings, flock.values, flock.kind, shuffle)
        pipeline = world.resource(Pipeline)
        pipeline.by_name["commit"].reorder_every = every
        for world.tick in range(30):
            pipeline.tick(world)
        c = columns(world)
        order = np.argsort(c["serial"])
        states.append({key: column[order].tobytes() for key, column in c.items()})
        world.close()
    assert states[0] == states[1] == states[2]
