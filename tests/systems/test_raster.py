"""Grids over a world: what is deposited is there to the last bit, spreads the same everywhere, and fades."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from components.store.fields import AMOUNT_SCALE
from components.store.grids import MOST_CELLS, Grid, empty
from components.store.world import World
from systems.engine.kernel import kernel
from systems.engine.settings import Settings
from systems.engine.threads import exactly
from systems.space.raster import Raster, deposit, diffused, raster_of, sample

CELL = 10.0


@kernel
def deposit_all(raster, x, y, amounts):
    for k in range(len(x)):
        deposit(raster, (x[k], y[k]), amounts[k])


@kernel
def samples(raster, x, y):
    found = np.empty(len(x))
    for k in range(len(x)):
        found[k] = sample(raster, (x[k], y[k]))
    return found


@kernel
def deposit_in_space(raster, x, y, z, amount):
    deposit(raster, (x, y, z), amount)


@kernel
def sample_in_space(raster, x, y, z):
    return sample(raster, (x, y, z))


def raster(grid: Grid | None = None, edges: str = "wrap", width: float = 200, height: float = 120) -> Raster:
    world = World(resources={Settings: Settings(width=width, height=height, edges=edges)})
    return raster_of(world, grid or empty(CELL))


def filled(edges: str = "wrap", seed: int = 1) -> Raster:
    amounts = np.random.default_rng(seed).integers(0, 50 * AMOUNT_SCALE, (12, 20))
    return raster(Grid(CELL, amounts), edges)


def plain_diffusion(raster: Raster, share: float) -> np.ndarray:
    """The equation of `raster.py` by whole arrays; beyond an edge lies what is at the edge."""
    before = np.pad(raster.amounts, 1, mode="wrap" if raster.torus_x else "edge")
    own, after = raster.amounts, raster.amounts.copy()
    lines, columns = own.shape
    for up in (0, 1, 2):
        for right in (0, 1, 2):
            weight = share * (1 / 20 if up != 1 and right != 1 else 1 / 5)
            after += np.trunc((before[up : up + lines, right : right + columns] - own) * weight).astype(np.int64)
    return after


def test_its_cells_cover_the_world_whatever_its_size():
    assert raster().amounts.shape == (12, 20)
    assert raster(width=207, height=5).amounts.shape == (1, 21)
    assert max(raster(width=1e6, height=1e6).amounts.shape) == MOST_CELLS


@pytest.mark.parametrize(("plane", "shape", "cell"), [("picture", (12, 20), (11, 3)), ("floor", (31, 20), (25, 3))])
@pytest.mark.parametrize("edges", ["wrap", "turn"])
def test_with_depth_they_cover_the_picture_or_the_floor(plane, shape, cell, edges):
    deep = World(resources={Settings: Settings(width=200, height=120, depth=310, edges=edges)})
    full = raster_of(deep, empty(CELL, plane))
    assert full.amounts.shape == shape
    deposit_in_space(full, 35.0, 115.0, 255.0, 7.0)
    assert np.argwhere(full.amounts).tolist() == [[*cell]]
    assert sample_in_space(full, 35.0, 115.0, 255.0) == 7
    flat = raster(empty(CELL, plane))
    assert flat.amounts.shape == (12, 20)
    deposit_all(flat, np.array([35.0]), np.array([115.0]), np.array([7.0]))
    assert np.argwhere(flat.amounts).tolist() == [[11, 3]]


def test_in_a_world_of_another_size_amounts_stay_where_they_are():
    grid = Grid(CELL, filled().amounts)
    larger, smaller = raster(grid, width=300, height=200), raster(grid, width=100, height=60)
    assert (larger.amounts[:12, :20] == grid.amounts).all()
    assert larger.amounts.sum() == grid.amounts.sum()
    assert (smaller.amounts == grid.amounts[:6, :10]).all()


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 1000), edges=st.sampled_from(["wrap", "turn"]))
def test_deposits_come_to_the_same_in_any_order(seed, edges):
    rng = np.random.default_rng(seed)
    x, y, amounts = rng.uniform(-50, 250, 300), rng.uniform(-50, 170, 300), rng.uniform(0, 10, 300)
    one, other, order = raster(edges=edges), raster(edges=edges), rng.permutation(300)
    deposit_all(one, x, y, amounts)
    deposit_all(other, x[order], y[order], amounts[order])
    assert (one.amounts == other.amounts).all()
    inside = (x >= 0) & (x < 200) & (y >= 0) & (y < 120) | (edges == "wrap")
    assert one.amounts.sum() == np.floor(amounts[inside] * AMOUNT_SCALE + 0.5).sum()


@pytest.mark.parametrize("edges", ["wrap", "turn"])
def test_in_the_middle_of_a_cell_there_is_what_the_cell_holds(edges):
    full = filled(edges)
    x, y = (each.ravel() for each in np.meshgrid(np.arange(20) * CELL + 5, np.arange(12) * CELL + 5))
    assert samples(full, x, y) == pytest.approx(full.amounts.ravel() / AMOUNT_SCALE)


def test_between_cells_there_is_what_lies_between_their_amounts():
    full = filled()
    row = full.amounts[3] / AMOUNT_SCALE
    assert samples(full, np.array([10.0, 200.0]), np.array([35.0, 35.0])) == pytest.approx(
        [(row[0] + row[1]) / 2, (row[19] + row[0]) / 2]
    )


def test_outside_of_a_world_with_edges_there_is_nothing_and_on_a_torus_what_is_on_the_other_side():
    x, y = np.array([-5.0, 205.0, 50.0]), np.array([35.0, 35.0, 1235.0])
    assert (samples(filled("turn"), x, y) == 0).all()
    assert samples(filled(), x, y) == pytest.approx(samples(filled(), x % 200, y % 120))


@pytest.mark.parametrize("edges", ["wrap", "turn"])
@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_diffusion_is_the_equation_and_loses_nothing(edges, share):
    before = filled(edges)
    after = diffused(before, share, 1.0)
    assert (after == plain_diffusion(before, share)).all()
    assert after.sum() == before.amounts.sum()
    assert after.min() >= 0


def test_what_fades_is_gone_one_day():
    now, before = filled(), filled().amounts.sum()
    after = diffused(now, 0.5, 0.9)
    assert after.sum() == pytest.approx(0.9 * before)
    for _ in range(400):
        now = now._replace(amounts=diffused(now, 0.5, 0.9))
    assert not now.amounts.any()


def test_threads_change_nothing():
    with exactly(1):
        one = diffused(filled(), 0.7, 0.95)
    with exactly(2):
        assert (diffused(filled(), 0.7, 0.95) == one).all()
