"""The walk over a grid's cells meets everyone within the radius, and nobody twice; ways on a torus are the shortest."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from systems.engine.kernel import kernel
from systems.exact.vector import ZERO
from systems.space.grid import CellGrid, build_grid
from systems.space.torus import minimum_image, minimum_images, nearest_copy, toward
from systems.space.walk import cells_within, stretch

f32, i32 = np.float32, np.int32
WORLDS = {"torus": (300.0, 200.0), "narrow torus": (300.0, 20.0), "box": None}


@kernel
def met(grid, x, y, radius):
    """How often the walk meets each place of the grid."""
    times = np.zeros(len(grid.which), i32)
    window = cells_within(grid, (x, y), radius)
    for n in range(window.stretches):
        first, last = stretch(grid, window, n)
        for k in range(first, last):
            times[k] += 1
    return times


@kernel
def ways(offsets, sizes):
    found = np.empty_like(offsets)
    for k in range(len(offsets)):
        found[k] = minimum_image((offsets[k], ZERO), (sizes[k], ZERO))[0]
    return found


@kernel
def copies(there, here, size):
    here, there, torus = (here, ZERO), (there, ZERO), (size, ZERO)
    return nearest_copy(there, here, torus)[0], toward(here, there, torus)[0]


def grid_of(places: np.ndarray, side: float, torus: tuple[float, float] | None) -> CellGrid:
    x, y = places.astype(f32).T.copy()
    return build_grid(np.arange(len(x), dtype=i32), (x, y), side, torus)


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("side", [0.0, 12.0, 70.0])
@given(seed=st.integers(0, 2**32), radius=st.floats(0.1, 400))
@settings(max_examples=25, deadline=None)
def test_it_meets_everyone_within_the_radius_and_nobody_twice(world, side, seed, radius):
    torus, rng = WORLDS[world], np.random.default_rng(seed)
    places = rng.random((rng.integers(1, 80), 2)) * (torus or (300.0, 200.0))
    if torus is None and seed % 2:
        places[0] = (1e5, -1e5)  # one who is far away: only some of the cells are kept
    grid = grid_of(places, side, torus)
    here = places[-1].astype(f32)
    times = met(grid, *here, f32(radius))[: len(places)]
    offsets = minimum_images(np.stack([grid.x, grid.y], axis=1)[: len(places)].astype(float) - here, torus)
    assert (times[np.hypot(*offsets.T) < radius] == 1).all()
    assert times.max() <= 1


coordinate = st.floats(0, 1, exclude_max=True, width=32)


@given(there=coordinate, here=coordinate, size=st.floats(1, 1e6, width=32))
@example(there=0.75, here=0.25, size=800.0)
@settings(max_examples=200, deadline=None)
def test_a_minimum_image_is_the_shortest_offset_to_any_copy(there, here, size):
    offset = Fraction(there * size) - Fraction(here * size)
    shortest = min(abs(offset + n * Fraction(size)) for n in (-1, 0, 1))
    found = ways(np.array([float(offset), -float(offset)]), np.array([size, size]))
    assert abs(abs(Fraction(found[0])) - shortest) <= size * 1e-15
    assert found[0] == -found[1]


def test_at_exactly_half_a_world_an_offset_stays_as_it_is():
    offsets = np.array([400.0, -400.0, 300.0, -300.0, 401.0, -401.0])
    expected = np.array([400.0, -400.0, 300.0, -300.0, -399.0, 399.0])
    assert np.array_equal(ways(offsets, np.full(6, 800.0)), expected)
    assert np.array_equal(minimum_images(offsets.reshape(3, 2), (800.0, 800.0)), expected.reshape(3, 2))


def test_where_the_world_does_not_repeat_an_offset_stays_as_it_is():
    offsets = np.array([5e5, -3.0, 0.0])
    assert np.array_equal(ways(offsets, np.zeros(3)), offsets)
    assert np.array_equal(minimum_images(offsets, None), offsets)


def test_offsets_of_many_worlds_are_brought_back_and_keep_their_type():
    found = minimum_images(np.array([[2010.0, -1990.0]], f32), (1000.0, 1000.0))
    assert found.tolist() == [[10.0, 10.0]]
    assert found.dtype == f32


def test_the_way_that_mods_see_leads_to_the_nearest_copy():
    place, way = copies(f32(990), f32(20), f32(1000))
    assert (place, way) == (-10, -30)
