"""Noise: smooth everywhere, free of divergence, about 1 in size, and the same bits on every machine."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from systems.engine.kernel import kernel
from systems.space.noise import CHANGE, EDDY, eddies, lattice_over, wavering
from tests import plain_noise

# What (0, 0, 0), (12.5, 700.25, 1) and so on give: psi of four places, then vx, then vy.
EDDIES = [
    "-0x1.8540600000000p-1",
    "0x1.e2e18697d8fa7p-3",
    "-0x1.8152d315c5127p-5",
    "0x1.058069f3a151dp-3",
    "0x1.916fb33333334p-2",
    "0x1.2e6a19161be2cp-1",
    "-0x1.70d7967dd89c1p-2",
    "-0x1.2d567969933bfp-2",
    "-0x1.ad06000000000p-3",
    "-0x1.0f15cd1a55d5fp-5",
    "-0x1.76ab12d4a7a6bp-2",
    "-0x1.249ebd167f482p-1",
]
EDDIES_IN_SPACE = [
    "-0x1.c120000000000p-3",
    "-0x1.0b59fe87925eep-2",
    "0x1.926aefa4dc334p-2",
    "0x1.45dced916872bp-1",
    "0x1.17e7a1ff76bbcp-2",
    "-0x1.18c94254ce5a2p-1",
    "-0x1.9d0004189374bp-3",
    "0x1.0ca52df18c7d6p-1",
    "0x1.6e242125f1e04p-2",
    "-0x1.1a561cac08314p-4",
    "-0x1.a1fea8f7bb0c3p-2",
    "0x1.a079f9cf8a466p-2",
]
WAVERING = ["-0x1.25499fd3762efp-2", "-0x1.8badffc6715b8p-1", "0x1.7611950c8ac10p-2"]
KEY = np.uint64(0x1234_5678_9ABC_DEF0)
TORUS = (1000.0, 730.0)
WORLDS = [None, TORUS]


@kernel
def _eddies(key, x, y, time, lattice):
    found = np.empty((3, len(x)))
    for k in range(len(x)):
        found[0, k], (found[1, k], found[2, k]) = eddies(key, (x[k], y[k]), time[k], lattice)
    return found


@kernel
def _eddies_in_space(key, places, time, lattice):
    found = np.empty((4, len(places)))
    for k in range(len(places)):
        here = places[k, 0], places[k, 1], places[k, 2]
        found[0, k], (found[1, k], found[2, k], found[3, k]) = eddies(key, here, time[k], lattice)
    return found


@kernel
def _wavering(seed, serials, stream, steps):
    found = np.empty(len(serials))
    for k in range(len(serials)):
        found[k] = wavering(seed, serials[k], stream, steps[k])
    return found


def noise(x, y, time, torus=None, key=KEY):
    """psi and the velocity, float64 (3, n)."""
    x, y, time = np.broadcast_arrays(*(np.atleast_1d(np.asarray(a, float)) for a in (x, y, time)))
    return _eddies(key, x.copy(), y.copy(), time.copy(), lattice_over(torus or (0.0, 0.0)))


def noise_in_space(places, time, torus=None, key=KEY):
    """psi and the velocity in a world with depth, float64 (4, n)."""
    places = np.atleast_2d(np.asarray(places, float))
    return _eddies_in_space(key, places, np.asarray(time, float), lattice_over(torus or (0.0,) * 3))


def somewhere(n, size=(1000, 730), seed=0):
    rng = np.random.default_rng(seed)
    return rng.uniform(0, size[0], n), rng.uniform(0, size[1], n), rng.uniform(0, 500, n)


@pytest.mark.parametrize("torus", WORLDS)
def test_potential_and_velocity_are_those_of_the_plain_reference(torus):
    x, y, time = somewhere(200, (4000, 4000))
    x, y = x - 1500, y - 1500
    psi, vx, vy = noise(x, y, time, torus)
    for k in range(200):
        where = int(KEY), (x[k], y[k]), time[k], torus
        assert psi[k] == pytest.approx(plain_noise.potential(*where)[0], abs=1e-11)
        assert (vx[k], vy[k]) == pytest.approx(plain_noise.eddy(*where), abs=1e-6)


@pytest.mark.parametrize("torus", WORLDS)
def test_the_velocity_has_no_divergence(torus):
    x, y, time = somewhere(20_000)
    h = 1e-3
    along = (noise(x + h, y, time, torus)[1] - noise(x - h, y, time, torus)[1]) / (2 * h)
    up = (noise(x, y + h, time, torus)[2] - noise(x, y - h, time, torus)[2]) / (2 * h)
    assert np.abs(along).mean() > 0.005  # each of the two is far from 0
    assert np.abs(along + up).max() < 1e-6


@pytest.mark.parametrize("torus", WORLDS)
@pytest.mark.parametrize("axis", ["x", "y", "time"])
def test_nothing_jumps_at_the_borders_of_cells_and_time_steps(torus, axis):
    x, y, time = somewhere(5000)
    points = plain_noise.lattice_place((0, 0), torus)[1]
    cell = {"x": torus[0] / points[0], "y": torus[1] / points[1]} if torus else {"x": EDDY, "y": EDDY}
    place = {"x": x, "y": y, "time": time}
    unit = (cell | {"time": CHANGE})[axis]
    place[axis] = np.round(place[axis] / unit) * unit
    before, after = (noise(*(place[a] + (side if a == axis else 0) for a in place), torus) for side in (-1e-7, 1e-7))
    assert np.abs(after - before).max() < 1e-6


def test_nothing_jumps_at_the_seam_of_a_torus_nor_on_any_round():
    x, y, time = somewhere(5000)
    width, height = TORUS
    assert np.allclose(noise(0 * x, y, time, TORUS), noise(0 * x + width, y, time, TORUS), atol=1e-9)
    assert np.allclose(noise(x, 0 * y, time, TORUS), noise(x, 0 * y + height, time, TORUS), atol=1e-9)
    assert np.allclose(noise(x, y, time, TORUS), noise(x - 3 * width, y + 8 * height, time, TORUS), atol=1e-9)
    assert np.abs(noise(x, y, time, TORUS) - noise(x + width / 2, y, time, TORUS)).max() > 1
    assert np.abs(noise(0 * x - 1e-17, y, time, TORUS) - noise(0 * x, y, time, TORUS)).max() < 1e-9


@pytest.mark.parametrize("torus", [(30.0, 30.0), (149.0, 260.0), (7.0, 1e6)])
def test_a_small_torus_has_noise_as_well(torus):
    x, y, time = somewhere(3000, torus)
    psi, vx, vy = noise(x, y, time, torus)
    assert psi.std() > 0.1
    assert np.hypot(vx, vy).max() > 0.5
    assert np.allclose(noise(x + torus[0], y - torus[1], time, torus), (psi, vx, vy), atol=1e-6)


def test_it_is_about_one_in_size_and_nothing_on_average():
    x, y, time = somewhere(400_000, (1e5, 1e5))
    psi, vx, vy = noise(x, y, time)
    assert np.abs([psi.mean(), vx.mean(), vy.mean()]).max() < 0.01
    size = np.hypot(vx, vy)
    assert np.sqrt((size**2).mean()) == pytest.approx(1, abs=0.02)
    assert 0.7 < np.median(size) < 0.8
    assert np.quantile(size, 0.99) < 2.4
    assert size.max() < 8
    assert psi.std() == pytest.approx(0.5, abs=0.03)


@pytest.mark.parametrize("phase", [0, 0.3, 0.5, 0.9])
def test_it_is_as_lively_between_two_steps_as_at_them(phase):
    x, y, _ = somewhere(100_000, (1e5, 1e5))
    _, vx, vy = noise(x, y, CHANGE * (7 + phase))
    assert np.sqrt((vx**2 + vy**2).mean()) == pytest.approx(1, abs=0.03)


def test_keys_places_and_times_far_apart_have_nothing_in_common():
    x, y, time = somewhere(20_000, (1e5, 1e5))
    found = [noise(x, y, time), noise(x, y, time, key=~KEY), noise(x + 500, y, time)]
    found += [noise(x, y, time + 5), noise(y, x, time)]
    assert np.abs(np.corrcoef([v[1] for v in found]) - np.eye(5)).max() < 0.06


def test_the_bits_are_always_the_same():
    x, y, time = [0.0, 12.5, -1e6, 999.9], [0.0, 700.25, 1e6, -3.0], [0.0, 1.0, 1e5, 59.983333]
    assert [value.hex() for value in noise(x, y, time).ravel().tolist()] == EDDIES
    waved = _wavering(7, np.array([1, 2, 10**12]), 3, np.array([0.0, 0.25, 1e7]))
    assert [value.hex() for value in waved.tolist()] == WAVERING


DEEP_TORUS = (1000.0, 730.0, 240.0)
DEEP_WORLDS = [None, DEEP_TORUS]


def in_space(n, seed=0, size=DEEP_TORUS):
    rng = np.random.default_rng(seed)
    return rng.random((n, 3)) * size, rng.uniform(0, 500, n)


@pytest.mark.parametrize("torus", DEEP_WORLDS)
def test_with_depth_they_are_the_curl_of_the_plain_vector_potential(torus):
    places, time = in_space(100)
    places = 4 * places - 700
    found = noise_in_space(places, time, torus)
    for k in range(100):
        where = int(KEY), tuple(places[k]), time[k], torus
        assert found[0, k] == pytest.approx(plain_noise.potential(*where)[2], abs=1e-11)
        assert found[1:, k] == pytest.approx(plain_noise.eddy(*where), abs=1e-6)


@pytest.mark.parametrize("torus", DEEP_WORLDS)
def test_with_depth_the_velocity_has_no_divergence_either(torus):
    places, time = in_space(20_000)
    h = 1e-3
    slopes = []
    for axis in range(3):
        step = h * np.eye(3)[axis]
        ends = noise_in_space(places + step, time, torus), noise_in_space(places - step, time, torus)
        slopes.append((ends[0] - ends[1])[1 + axis] / (2 * h))
    assert np.abs(slopes).mean(axis=1).min() > 0.003  # each of the three is far from 0
    assert np.abs(sum(slopes)).max() < 1e-6


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_with_depth_nothing_jumps_at_a_cell_nor_at_the_seam_of_a_torus(axis):
    places, time = in_space(5000)
    way = np.eye(3)[axis]
    at_cell = np.where(way, np.round(places / EDDY) * EDDY, places)
    assert np.abs(noise_in_space(at_cell + 1e-7 * way, time) - noise_in_space(at_cell - 1e-7 * way, time)).max() < 1e-6
    here, once_round = (noise_in_space(p, time, DEEP_TORUS) for p in (places, places + way * DEEP_TORUS))
    assert np.allclose(here, once_round, atol=1e-9)


def test_with_depth_it_is_about_one_in_size_and_alike_along_all_axes():
    places, time = in_space(200_000, size=(1e5, 1e5, 1e5))
    found = noise_in_space(places, time)
    assert np.abs(found.mean(axis=1)).max() < 0.01
    assert found.std(axis=1) == pytest.approx([0.44, *[3**-0.5] * 3], abs=0.02)
    assert np.abs(np.corrcoef(found[1:]) - np.eye(3)).max() < 0.02
    size = np.linalg.norm(found[1:], axis=0)
    assert 0.85 < np.median(size) < 0.92
    assert np.quantile(size, 0.99) < 2.1
    assert size.max() < 19


def test_with_depth_the_bits_are_always_the_same():
    places = [[0.0, 0.0, 0.0], [12.5, 700.25, -3.0], [-1e6, 1e6, 0.5]]
    assert [value.hex() for value in noise_in_space(places, [0.0, 1.0, 1e5]).ravel().tolist()] == EDDIES_IN_SPACE


@settings(deadline=None)
@given(st.integers(0, 2**63 - 1), st.integers(1, 2**40), st.integers(0, 200), st.floats(0, 1e6), st.floats(-0.01, 0.01))
def test_wavering_is_the_plain_reference_within_one_and_smooth(seed, serial, stream, steps, further):
    found = _wavering(seed, np.full(2, serial), stream, np.array([steps, steps + further]))
    assert np.all(np.abs(found) <= 1)
    assert abs(found[1] - found[0]) <= 4 * abs(further) + 1e-12
    assert found[0] == pytest.approx(plain_noise.wavering(seed, serial, stream, steps), abs=1e-9)


def test_wavering_takes_both_sides_alike_and_each_serial_its_own_time():
    serials = np.arange(1, 50_001)
    found = np.array([_wavering(1, serials, 3, np.full(50_000, steps)) for steps in (0, 0.5, 40)])
    assert np.abs(found.mean(axis=1)).max() < 0.01
    assert found.std(axis=1) == pytest.approx([0.5] * 3, abs=0.02)
    assert abs(np.corrcoef(found)[0, 2]) < 0.02
    assert abs(np.corrcoef(found[0, :-1], found[0, 1:])[0, 1]) < 0.02
