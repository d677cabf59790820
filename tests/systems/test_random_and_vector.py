"""Random numbers and directions: the same on every machine, from whole numbers and + - * / sqrt alone."""

import numpy as np
import pytest
from numba.core.errors import TypingError

from systems.engine.kernel import kernel
from systems.engine.settings import Settings
from systems.exact import angles, vector
from systems.exact.random import (
    direction_between,
    directions,
    random_bits,
    random_normal,
    random_units,
    randoms,
    stream,
)
from systems.exact.vector import put
from systems.move import movement
from systems.space.torus import nearest_copy
from tests.worlds import populated


@kernel
def _cosines(degrees):
    """Cosines of angles in degrees, float32."""
    found = np.empty(len(degrees), np.float32)
    for k in range(len(degrees)):
        found[k] = angles.cosine(degrees[k])
    return found


@kernel
def _limited(pairs, most):
    found = np.empty_like(pairs)
    for k in range(len(pairs)):
        found[k, 0], found[k, 1] = vector.limited((pairs[k, 0], pairs[k, 1]), most)
    return found


@kernel
def _units(pairs):
    found = np.empty_like(pairs)
    for k in range(len(pairs)):
        found[k, 0], found[k, 1] = vector.unit((pairs[k, 0], pairs[k, 1]))
    return found


@kernel
def _bits(seed, tick, serial, stream):
    return random_bits(seed, tick, serial, stream)


@kernel
def _between(one, other):
    return direction_between(one, other, (0.0, 0.0))


@kernel
def _normals(count, tick):
    found = np.empty(count)
    for k in range(count):
        found[k] = random_normal(1, tick, k, 2)
    return found


def mixed(value: int) -> int:
    """The finaliser of SplitMix64, in Python's whole numbers."""
    mask = (1 << 64) - 1
    z = (value + 0x9E3779B97F4A7C15) & mask
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & mask
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & mask
    return z ^ (z >> 31)


def test_the_mixing_step_has_the_published_values():
    assert [mixed(0), mixed(0x9E3779B97F4A7C15)] == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4]


@pytest.mark.parametrize("key", [(0, 0, 0, 0), (7, 0, 1, 1), (2**63 - 1, 10**9, 10**12, 104)])
def test_random_bits_are_the_mixing_of_seed_tick_serial_and_stream(key):
    value = 0
    for part in key:
        value = mixed(value ^ part)
    assert int(_bits(*key)) % 2**64 == value


def test_random_units_are_uniform():
    values = random_units(3, np.arange(100_000), 0)
    assert np.all((values >= 0) & (values < 1))
    counts = np.histogram(values, 100, (0, 1))[0]
    assert ((counts - 1000) ** 2 / 1000).sum() < 160  # chi squared, 99 degrees of freedom: 1 in 10,000 above
    assert abs(np.corrcoef(values[:-1], values[1:])[0, 1]) < 0.015


def test_a_random_number_depends_on_its_serial_and_not_on_the_others():
    serials = np.array([5, 3, 99, 4])
    assert random_units(1, serials, 2).tolist() == [random_units(1, serials[k : k + 1], 2)[0] for k in range(4)]


def test_streams_and_seeds_are_apart():
    serials = np.arange(1000)
    values = [random_units(seed, serials, stream) for seed in (0, 1) for stream in (0, 1)]
    assert np.abs(np.corrcoef(values) - np.eye(4)).max() < 0.12


def test_normal_numbers_have_mean_0_and_deviation_1():
    values, later = _normals(100_000, 0), _normals(100_000, 1)
    assert abs(values.mean()) < 0.015
    assert values.std() == pytest.approx(1, abs=0.01)
    for within, share in ((1, 0.6827), (2, 0.9545), (3, 0.9973)):
        assert (np.abs(values) < within).mean() == pytest.approx(share, abs=0.007)
    assert abs(np.corrcoef(values, later)[0, 1]) < 0.015


def test_random_numbers_of_rows_go_with_serials_ticks_and_streams():
    values = {"Position.x": np.zeros(500), "Position.y": np.zeros(500)}
    worlds = [populated([movement.install], Settings(), values) for _ in range(2)]
    worlds[1].table.reorder(np.random.default_rng(0).permutation(500))
    rows = [world.table.rows_of(np.arange(1, 501)) for world in worlds]
    numbers = [randoms(world, r, stream("a")) for world, r in zip(worlds, rows, strict=True)]
    assert np.array_equal(*numbers)
    worlds[0].tick = 7
    drawn = [numbers[0], randoms(worlds[0], rows[0], stream("a")), randoms(worlds[0], rows[0], stream("b"))]
    assert np.abs(np.corrcoef(drawn) - np.eye(3)).max() < 0.15


def test_streams_of_names_are_apart_and_none_of_the_built_in_ones():
    found = [stream(f"name {n}") for n in range(1000)]
    assert len(set(found)) == 1000
    assert all(2**62 <= one < 2**63 for one in found)
    assert stream("name 0") == found[0]


def test_two_leave_one_point_in_opposite_directions():
    for one, other in ((1, 2), (7, 3), (10**12, 5)):
        (x, y), (back_x, back_y) = _between(one, other), _between(other, one)
        assert (x, y) == (-back_x, -back_y)
        assert np.hypot(x, y) == pytest.approx(1, abs=1e-6)


def test_directions_are_unit_vectors_within_float32():
    turns = np.concatenate([np.random.default_rng(0).uniform(-3, 3, 20_000), np.arange(-16, 17) / 8])
    expected = np.stack([np.cos(2 * np.pi * turns), np.sin(2 * np.pi * turns)], axis=1)
    assert np.abs(directions(turns) - expected).max() < 1e-7


def test_quarter_turns_are_exact():
    assert np.abs(directions(np.arange(4) / 4)).tolist() == [[1, 0], [0, 1], [1, 0], [0, 1]]


def test_cosines_are_within_float32_and_exact_at_right_angles():
    degrees = np.linspace(0, 180, 10_001)
    assert np.abs(_cosines(degrees) - np.cos(np.radians(degrees))).max() < 1e-7
    assert _cosines(np.array([0.0, 90.0, 180.0])).tolist() == [1, 0, -1]


def test_limited_shortens_what_is_longer_and_zero_is_no_limit():
    pairs = np.random.default_rng(1).normal(0, 50, (1000, 2)).astype(np.float32)
    size = np.hypot(*pairs.T)[:, None]
    assert np.array_equal(_limited(pairs, np.float32(0)), pairs)
    assert np.allclose(_limited(pairs, np.float32(40)), pairs * np.minimum(1, 40 / size), rtol=1e-6)
    kept = size[:, 0] < 39.99
    assert np.array_equal(_limited(pairs, np.float32(40))[kept], pairs[kept])


def test_unit_vectors_have_length_one_and_the_zero_vector_has_none():
    pairs = np.random.default_rng(2).normal(0, 50, (1000, 2)).astype(np.float32)
    assert np.allclose(np.hypot(*_units(pairs).T), 1, atol=1e-6)
    assert _units(np.zeros((1, 2), np.float32)).tolist() == [[0, 0]]


@kernel
def _with_three(x):
    return vector.add((x, x, x), (1.0, 2.0, 3.0)), vector.filled((x, x, x), 0.0), vector.lower((x, x, x), (0.0, 9.0, x))


def test_vectors_may_have_three_numbers():
    assert _with_three(5.0) == ((6.0, 7.0, 8.0), (0.0,) * 3, (0.0, 5.0, 5.0))


POINTS = np.zeros(3), np.zeros(3)
POSITIONS = np.zeros(3, [("x", np.float32), ("y", np.float32)])
TOO_LONG = {
    "add": lambda a, arrays, records: vector.add((a, a), (a, a, a)),
    "dot": lambda a, arrays, records: vector.dot((a, a), (a, a, a)),
    "nearest_copy": lambda a, arrays, records: nearest_copy((a, a, a), (a, a, a), (a, a)),
    "set_element": lambda a, arrays, records: vector.set_element(arrays, 0, (a, a, a)),
    "add_element": lambda a, arrays, records: vector.add_element(arrays, 0, (a, a, a)),
    "put": lambda a, arrays, records: put(records[0], (a, a, a)),
}


@pytest.mark.parametrize("name", TOO_LONG)
def test_a_vector_that_is_too_long_is_refused_when_it_is_compiled(name):
    with pytest.raises(TypingError, match=r"vectors? of [23] (and 3 )?numbers: (they|it) must have"):
        kernel(TOO_LONG[name])(1.0, POINTS, POSITIONS)
