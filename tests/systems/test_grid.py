"""The grid: everyone in exactly one cell, and all within the radius in the 3 x 3 cells around."""

import numpy as np
import pytest

from systems import commit
from systems.core.flock_grid import FlockGrid
from systems.core.grid import CELLS_PER_ENTITY, PADDING, Grid, build_grid
from systems.core.pipeline import Pipeline
from tests import reference
from tests.flocks import generated
from tests.worlds import MOVING, columns, populated, run_system

TORI = [None, (1000.0, 640.5), (1e6, 1e6), (30.0, 1000.0), (1.0, 1.0)]


def built(n: int, radius: float, torus: tuple[float, float] | None, seed: int = 0) -> tuple[Grid, np.ndarray]:
    rng = np.random.default_rng(seed)
    places = rng.random((n, 2)) * (torus or (900, 900)) - (0 if torus else 450)
    places = np.minimum(places.astype(np.float32), np.nextafter(np.float32(torus or 1e6), np.float32(0)))
    x, y = np.ascontiguousarray(places[:, 0]), np.ascontiguousarray(places[:, 1])
    return build_grid(np.arange(n, dtype=np.int32), x, y, radius, torus), places


@pytest.mark.parametrize("torus", TORI)
@pytest.mark.parametrize("radius", [0, 1e-3, 5, 50, 1e4])
@pytest.mark.parametrize("n", [0, 1, 2, 300])
def test_everyone_stands_in_exactly_one_cell(torus, radius, n):
    grid, places = built(n, radius, torus)
    order = grid.row[:-PADDING]
    assert sorted(order) == list(range(n))
    assert np.array_equal(grid.x[:-PADDING], places[order, 0])
    assert np.array_equal(grid.y[:-PADDING], places[order, 1])
    assert len(grid.start) == grid.columns * grid.lines + 1
    assert (grid.start[0], grid.start[-1]) == (0, n)
    assert np.all(np.diff(grid.start) >= 0)
    assert grid.columns * grid.lines <= CELLS_PER_ENTITY * n + 64


@pytest.mark.parametrize("torus", TORI)
@pytest.mark.parametrize("radius", [0.1, 5, 50, 200])
def test_all_within_the_radius_stand_in_the_nine_cells_around(torus, radius):
    for seed in range(5):
        grid, _ = built(200, radius, torus, seed)
        n = len(grid.row) - PADDING
        cell = np.searchsorted(grid.start, np.arange(n), side="right") - 1
        column, line = cell % grid.columns, cell // grid.columns
        dx, dy = reference.offsets({"Position.x": grid.x[:n], "Position.y": grid.y[:n]}, torus)
        near = dx * dx + dy * dy < np.float32(radius) ** 2
        for index, cells, wraps in ((column, grid.columns, grid.torus_x), (line, grid.lines, grid.torus_y)):
            apart = np.abs(index[:, None] - index[None, :])
            apart = np.minimum(apart, cells - apart) if wraps else apart
            assert apart[near].max(initial=0) <= 1


@pytest.mark.parametrize("torus", TORI[1:])
def test_a_torus_has_one_cell_along_an_axis_or_at_least_three(torus):
    for radius in (0.2, 3, 9, 11, 16, 300, 400, 600):
        grid, _ = built(300, radius, torus)
        assert grid.columns != 2
        assert grid.lines != 2


def test_spatial_order_changes_the_order_of_rows_and_nothing_else():
    flock = generated("spread", "wrap", 5)
    plain = flock.world()
    sorted_often = populated((*MOVING, commit.install), flock.settings, flock.values, flock.kind)
    sorted_often.resource(Pipeline).by_name["commit"].reorder_every = 1
    before = sorted_often.table.serial[: sorted_often.table.size].copy()
    run_system(sorted_often, "remember")
    run_system(sorted_often, "spatial_hash")
    run_system(sorted_often, "commit")
    table = sorted_often.table
    assert np.array_equal(table.serial[: table.size], before[sorted_often.resource(FlockGrid).grid.row[:-PADDING]])
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
