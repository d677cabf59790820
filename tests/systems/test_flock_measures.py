"""What field studies measure of flocks: as plain references say, and as it must be where the answer is known."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems.exact.symmetric import eigen
from systems.measure.anisotropy import anisotropy
from systems.measure.correlation import BINS, correlation_length
from systems.measure.widths import widths
from systems.space.flock import MOST, Flock, some_of

WORLDS = [(0.0, 0.0), (0.0, 0.0, 0.0), (400.0, 300.0), (400.0, 300.0, 500.0)]


def flock(places: np.ndarray, velocities: np.ndarray, torus: tuple[float, ...] = ()) -> Flock:
    velocities = np.broadcast_to(velocities, places.shape)
    return Flock(tuple(places.T.copy()), tuple(velocities.T.astype(float)), torus or (0.0,) * places.shape[1])


def somewhere(seed: int, torus: tuple[float, ...], count: int = 200) -> Flock:
    rng = np.random.default_rng(seed)
    shape = count, len(torus)
    size = np.array(torus if torus[0] else [400, 300, 500][: len(torus)])
    return flock(rng.random(shape) * size, rng.normal([20, 5, -9][: len(torus)], 10, shape), torus)


def offsets_between(it: Flock) -> np.ndarray:
    """From each to each, the shortest way round, (n, n, axes)."""
    places = np.stack(it.places, axis=1)
    found = places[None] - places[:, None]
    return found - np.round(found / it.torus) * it.torus if it.torus[0] else found


@given(st.integers(0, 2**32), st.sampled_from([2, 3]), st.sampled_from([0.0, 1e-9, 1.0]))
def test_eigenvalues_and_vectors_are_those_of_the_matrix(seed, axes, mixed):
    rng = np.random.default_rng(seed)
    matrix = np.diag(rng.choice([0.0, 1.0, 5.0], axes)) + mixed * rng.normal(size=(axes, axes))
    matrix = matrix + matrix.T
    found = eigen(matrix.tolist())
    assert [value for value, _ in found] == pytest.approx(np.linalg.eigvalsh(matrix).tolist(), abs=1e-12)
    for value, vector in found:
        assert matrix @ vector == pytest.approx(value * np.array(vector), abs=1e-12)
        assert np.linalg.norm(vector) == pytest.approx(1)


# ---- correlation length


@pytest.mark.parametrize("torus", WORLDS)
def test_the_correlation_length_is_where_the_plain_correlation_first_crosses_zero(torus):
    for seed in range(5):
        it = somewhere(seed, torus)
        own = np.stack(it.velocities, axis=1)
        own = own + np.array(it.places[0])[:, None] / 20  # those at one side fly faster
        it = it._replace(velocities=tuple(own.T))
        own = own - own.mean(axis=0)
        distance = np.linalg.norm(offsets_between(it), axis=2)
        span = [size / 2 or np.ptp(along) for size, along in zip(torus, it.places, strict=True)]
        width = math.hypot(*span) / BINS
        pairs = np.triu_indices(len(own), 1)
        number = np.minimum((distance / width).astype(int), BINS - 1)[pairs]
        mean = {n: (own @ own.T)[pairs][number == n].mean() for n in np.unique(number).tolist()}
        after = next(n for n in mean if mean[n] <= 0)
        before = max((n for n in mean if n < after), default=after)
        share = mean[before] / (mean[before] - mean[after]) if before < after else math.nan
        expected = (before + 0.5 + (after - before) * share) * width if before < after else 0
        assert correlation_length(it) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("length", [100.0, 900.0])
def test_along_a_line_whose_ends_differ_evenly_it_is_a_share_of_the_length(length):
    """The mean of x (x + r) over a line of length L is (L - r)**2 / 12 - r**2 / 4: 0 at r = L / (1 + sqrt(3))."""
    x = np.linspace(0, length, 1000)
    line = flock(np.stack([x, 0 * x, 0 * x], axis=1), np.stack([50 + 0.1 * x, 0 * x, 0 * x], axis=1))
    assert correlation_length(line) == pytest.approx(length / (1 + math.sqrt(3)), rel=0.01)


def test_those_who_all_fly_alike_or_alone_have_no_correlation_length():
    places = np.random.default_rng(1).random((50, 3)) * 100
    assert math.isnan(correlation_length(flock(places, np.array([3, 4, 5]))))
    assert math.isnan(correlation_length(flock(places[:1], np.array([3, 4, 5]))))
    assert math.isnan(correlation_length(flock(0 * places, np.random.default_rng(2).random((50, 3)))))


def test_of_a_large_flock_some_stand_for_all():
    assert some_of(3).tolist() == [0, 1, 2]
    chosen = some_of(100_000)
    assert (len(chosen), chosen[0]) == (MOST, 0)
    assert {*np.diff(chosen).tolist()} == {24, 25}
    large = somewhere(1, (0.0, 0.0, 0.0), 20_000)
    whole = large._replace(velocities=tuple(along + large.places[0] / 10 for along in large.velocities))
    some = flock(*(np.stack(each, axis=1)[some_of(20_000)] for each in (whole.places, whole.velocities)))
    assert correlation_length(whole) == correlation_length(some)
    assert widths(whole)["longest_width"] == pytest.approx(500, rel=0.02)


# ---- anisotropy


@pytest.mark.parametrize("torus", WORLDS)
def test_anisotropy_is_what_the_definition_says(torus):
    for seed in range(5):
        it = somewhere(seed, torus, 120)
        offsets = offsets_between(it)
        distance = np.linalg.norm(offsets, axis=2)
        ahead = np.stack(it.velocities, axis=1).mean(axis=0)
        order = np.argsort(distance, axis=1)
        for n, found in enumerate(anisotropy(it), 1):
            rows = np.arange(len(distance)), order[:, n]
            way = offsets[rows] / distance[rows][:, None]
            _, vectors = np.linalg.eigh(way.T @ way / len(way))
            expected = (vectors[:, 0] @ ahead) ** 2 / (ahead @ ahead)
            assert found == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("axes", [2, 3])
def test_an_even_cloud_is_isotropic(axes):
    rng = np.random.default_rng(4)
    found = [anisotropy(flock(rng.random((200, axes)), rng.normal(size=axes))) for _ in range(100)]
    assert np.mean(found) == pytest.approx(1 / axes, abs=0.04)


def test_in_a_lattice_that_is_stretched_the_nearest_are_rarest_along_it():
    lattice = np.stack(np.meshgrid(*[np.arange(7.0)] * 3), axis=-1).reshape(-1, 3) * [3, 1, 1]
    for velocity, expected in (([50, 0, 0], 1), ([0, 50, 0], 0), ([30, 0, 40], 0.36)):
        assert anisotropy(flock(lattice, np.array(velocity)))[:4] == pytest.approx([expected] * 4, abs=1e-12)


def test_who_has_no_tenth_neighbour_or_no_heading_has_no_anisotropy():
    places = np.random.default_rng(3).random((5, 2)) * 100
    found = anisotropy(flock(places, np.array([10, 0])))
    assert [math.isnan(value) for value in found] == [False] * 4 + [True] * 6
    assert all(math.isnan(value) for value in anisotropy(flock(places, np.array([0, 0]))))


# ---- widths


def test_the_widths_of_a_box_are_its_sides_and_those_of_a_flat_one_too():
    rng = np.random.default_rng(5)
    turned, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    places = (rng.random((20_000, 3)) * [300, 20, 120]) @ turned.T + [5000, -300, 0]
    found = widths(flock(places, 40 * turned[:, 1]))
    assert found.pop("width_ahead") == pytest.approx(20, rel=0.02)
    assert [*found] == ["shortest_width", "middle_width", "longest_width"]
    assert [*found.values()] == pytest.approx([20, 120, 300], rel=0.02)
    sheet = widths(flock(rng.random((20_000, 2)) * [200, 50], np.array([30, 40])))
    assert (sheet["shortest_width"], sheet["longest_width"]) == pytest.approx((50, 200), rel=0.02)
    assert sheet["width_ahead"] == pytest.approx(math.hypot(0.6 * 200, 0.8 * 50), rel=0.02)


def test_a_ball_is_as_wide_along_all_axes():
    places = np.random.default_rng(6).normal(size=(20_000, 3))
    shell = 100 * places / np.linalg.norm(places, axis=1)[:, None]
    assert [*widths(flock(shell, np.array([1, 2, 3]))).values()] == pytest.approx([200] * 4, rel=0.03)


@pytest.mark.parametrize("axes", [2, 3])
def test_the_widths_on_a_torus_are_those_wherever_the_flock_is(axes):
    rng = np.random.default_rng(7)
    torus = (1000.0, 800.0, 600.0)[:axes]
    places = rng.random((500, axes)) * [120, 60, 30][:axes]
    velocity = np.array([1, 2, 3])[:axes]
    expected = widths(flock(places, velocity))
    for shift in (0, 950, 430):
        assert widths(flock((places + shift) % torus, velocity, torus)) == pytest.approx(expected, rel=1e-6)


def test_all_at_one_place_have_no_width_and_without_a_heading_none_ahead():
    found = widths(flock(np.full((3, 3), 7.0), np.zeros(3)))
    assert math.isnan(found.pop("width_ahead"))
    assert {*found.values()} == {0}
