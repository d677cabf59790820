"""Measures are what a plain reference says, but for the rounding of each term to fixed point; a flock measures the
same wherever it is on a torus. (That rows and threads change no bit: tests/sandbox/test_measures_everywhere.py.)"""

import math
from collections.abc import Sequence

import numba
import numpy as np
import pytest

from components.store.fields import AMOUNT_SCALE, DEEP, FLAT
from systems.engine.ledger import Ledger
from systems.engine.measures import Measures
from systems.engine.pipeline import Pipeline
from systems.engine.settings import Settings
from systems.engine.system import Phase
from systems.measure import order
from systems.measure.flocks import count_flocks
from systems.measure.nearest_neighbour import nearest_neighbour
from systems.move import movement
from tests import flocks, meadows, reference
from tests.worlds import MEASURING, populated, run


def measured(places: np.ndarray, velocity: np.ndarray, edges: str = "open", size: float = 1000) -> dict[str, float]:
    values = flocks.by_axis("Position", places) | flocks.by_axis("Velocity", velocity)
    world = populated(MEASURING, flocks.sized([size] * places.shape[1], edges), values)
    world.resource(Measures).wanted = world.resource(Pipeline).by_name
    run(world, Phase.MEASURE)
    return world.resource(Measures).values


def ring(n: int, radius: float) -> tuple[np.ndarray, np.ndarray]:
    angle = np.arange(n) * 2 * np.pi / n
    return radius * np.stack([np.cos(angle), np.sin(angle)], 1), 50 * np.stack([-np.sin(angle), np.cos(angle)], 1)


def mean(values: np.ndarray) -> float:
    return math.fsum(values) / len(values)


flat_or_deep = pytest.mark.parametrize("axes", [FLAT, DEEP])


@flat_or_deep
def test_random_flocks_measure_what_the_definitions_say(axes):
    rng = np.random.default_rng(3)
    for n in (1, 2, 17, 500):
        places = rng.uniform(0, 1000, (n, len(axes))).astype(np.float32)
        velocity = rng.normal(10, 30, (n, len(axes))).astype(np.float32)
        velocity[0] = 0
        found = measured(places, velocity)
        places, velocity = places.astype(float), velocity.astype(float)
        speed = np.sqrt((velocity**2).sum(axis=1))
        heading = velocity / np.where(speed > 0, speed, 1)[:, None]
        out = places - [mean(along) for along in places.T]
        out /= np.maximum(np.sqrt((out**2).sum(axis=1)), 1e-12)[:, None]
        turns = np.cross(*(np.pad(vectors, ((0, 0), (0, 3 - len(axes)))) for vectors in (out, heading)))
        assert found["mean_speed"] == pytest.approx(mean(speed), abs=2**-28)
        polarization = math.hypot(*(mean(along) for along in heading.T))
        assert found["polarization"] == pytest.approx(polarization, abs=2**-39)
        assert found["milling"] == pytest.approx(math.hypot(*(mean(along) for along in turns.T)), abs=1e-8)
        assert found["entities"] == found["population.kind0"] == n


def test_everything_that_moves_counts_whether_it_flocks_or_not():
    values = {"Position.x": [0, 5, 90], "Position.y": [0, 5, 7], "Velocity.x": [3, 3, 3], "Velocity.y": [4, 4, 4]}
    world = populated((movement.install, order.install), Settings(), values)
    assert "Flocker" not in world.table.components
    world.resource(Measures).wanted = ("order",)
    run(world, Phase.MEASURE)
    assert world.resource(Measures).values["mean_speed"] == 5
    assert world.resource(Measures).values["polarization"] == pytest.approx(1, abs=2**-39)


def test_all_on_one_heading_are_polarized_and_do_not_mill():
    found = measured(ring(60, 80)[0] + 500, np.tile([30.0, 40.0], (60, 1)))
    assert found["polarization"] == pytest.approx(1, abs=2**-39)
    assert found["milling"] == pytest.approx(0, abs=1e-7)
    assert found["mean_speed"] == 50


@pytest.mark.parametrize("edges", ["open", "wrap"])
@pytest.mark.parametrize("centre", [(500, 500), (0, 0), (250, 250), (999, 300), (750, 100), (120, 880)])
def test_a_mill_mills_wherever_it_is(edges, centre):
    places, velocity = ring(60, 80)
    places = places + centre
    found = measured(places % 1000 if edges == "wrap" else places, velocity, edges)
    assert found["milling"] == pytest.approx(1, abs=0.02)
    assert found["polarization"] == pytest.approx(0, abs=1e-5)


@pytest.mark.parametrize("edges", ["open", "wrap"])
def test_what_is_a_mean_of_nobody_is_no_number(edges):
    found = measured(np.zeros((0, 2)), np.zeros((0, 2)), edges)
    undefined = {name for name, value in found.items() if math.isnan(value)}
    of_flocks = {"flocks", "nearest_neighbour", "correlation_length", "shortest_width", "longest_width", "width_ahead"}
    of_flocks |= {f"anisotropy.{n}" for n in range(1, 11)}
    assert undefined == {"polarization", "milling", "mean_speed", "mean_energy", *of_flocks}
    assert {value for name, value in found.items() if name not in undefined} == {0}


def test_nothing_is_measured_until_someone_wants_it():
    world = populated(MEASURING, Settings(), {"Position.x": np.zeros(3), "Position.y": np.zeros(3)})
    run(world, Phase.MEASURE)
    assert world.resource(Measures).values == {}
    world.resource(Measures).wanted = {"population"}
    run(world, Phase.MEASURE)
    assert world.resource(Measures).values == {"entities": 3, "population.kind0": 3}


def apart(places: Sequence[np.ndarray], torus: tuple[float, ...] | None) -> np.ndarray:
    """All distances, the shortest way round, float64 (n, n)."""
    columns = {f"Position.{axis}": along for axis, along in zip("xyz", places, strict=False)}
    return np.sqrt(reference.squares(reference.exact_offsets(columns, torus)))


def linked(distance: np.ndarray, link: float) -> int:
    """How many groups of two or more: everyone takes the lowest number among those it is linked to, until none does."""
    group = np.arange(len(distance))
    near = distance < link
    for _ in group:
        group = np.array([group[row].min() for row in near])
    return int((np.bincount(group, minlength=1) >= 2).sum())


@pytest.mark.parametrize("seeds", [range(10), pytest.param(range(2_000, 2_200), marks=pytest.mark.verify)])
@flat_or_deep
@pytest.mark.parametrize("edges", ["open", "wrap"])
@pytest.mark.parametrize("layout", flocks.LAYOUTS)
def test_flocks_and_nearest_neighbours_are_what_all_distances_say(layout, edges, axes, seeds):
    for seed in seeds:
        flock = flocks.generated(layout, edges, seed, axes)
        given = [flock.values[f"Position.{axis}"] for axis in axes]
        distance, torus, n = apart(given, flock.settings.torus), flock.settings.torus, len(given[0])
        places = tuple(along.astype(float) for along in given)
        for link in (1.0, 30.0, max(float(np.median(distance)) / 3, 0.5) if n else 1.0, 1e4):
            assert count_flocks(places, link, torus) == linked(distance, link), f"seed {seed}, link {link}"
        np.fill_diagonal(distance, np.inf)
        nearest = mean(distance.min(axis=1)) if n > 1 else math.nan
        found = nearest_neighbour(places, torus)
        assert found == pytest.approx(nearest, rel=1e-12, nan_ok=True), f"seed {seed}"


def test_two_mills_and_a_loner_are_two_flocks():
    places = np.concatenate([ring(40, 60)[0] + 300, ring(40, 60)[0] + 600, [[900, 100]]])
    found = measured(places, np.ones((81, 2)))
    assert found["flocks"] == 2
    assert found["nearest_neighbour"] == pytest.approx(
        (80 * 120 * np.sin(np.pi / 40) + np.hypot(240, 440)) / 81, rel=0.02
    )


@pytest.mark.parametrize(("distance", "count"), [(24.9, 1), (25.1, 0)])
def test_two_are_linked_up_to_the_distance_wherever_they_are(distance, count):
    rng = np.random.default_rng(5)
    for turn in np.append(rng.random(300) * 7, np.pi / 4):
        x, y = rng.random(2) * 1000
        far = np.array([[x, x + distance * np.cos(turn), -1e5], [y, y + distance * np.sin(turn), -1e5]])
        assert count_flocks(tuple(far), 25.0, None) == count
        assert count_flocks(tuple(far[:, :2] % 1000), 25.0, (1000.0, 1000.0)) == count


def test_flocks_are_linked_across_the_edge_of_a_torus():
    places = np.array([[5, 500], [995, 500], [500, 3], [500, 998]])
    assert measured(places, np.ones((4, 2)), "wrap")["flocks"] == 2
    assert measured(places, np.ones((4, 2)), "open")["flocks"] == 0


@pytest.mark.timeout(30)  # it takes a moment, and minutes where all are compared with all
@pytest.mark.parametrize("shape", ["a point", "a line", "two crowds far apart"])
def test_a_crowd_of_thousands_is_measured_soon(shape):
    n = 20_000
    rng = np.random.default_rng(1)
    x, y = rng.random(n) * 1e-3, np.zeros(n)
    if shape == "a line":
        x, y = np.full(n, 7.0), rng.random(n) * 1e6
    if shape == "two crowds far apart":
        x[: n // 2] += 1e6
    numba.set_num_threads(2)
    count_flocks((x[:9], y[:9]), 25.0, None), nearest_neighbour((x[:9], y[:9]), None)
    assert count_flocks((x, y), 25.0, None) >= 1
    assert nearest_neighbour((x, y), None) < 100


def test_what_was_counted_and_what_the_living_live_on():
    meadow = meadows.generated("spread", "open", 4)
    world = meadow.world((*meadows.PARTS, *MEASURING[-3:]))
    world.resources[Ledger] = Ledger(births=3, deaths=4, meals=5, catches=6)
    world.resource(Measures).wanted = world.resource(Pipeline).by_name
    run(world, Phase.MEASURE)
    found, c = world.resource(Measures).values, meadows.held(world)
    assert [found[name] for name in ("births", "deaths", "meals", "catches")] == [3, 4, 5, 6]
    energies = c["Energy.level"][c["Energy"]].tolist()
    assert found["mean_energy"] == sum(energies) / AMOUNT_SCALE / len(energies)
    assert found["food"] == sum(c["Food.amount"][c["Food"]].tolist()) / AMOUNT_SCALE
    assert found["mean_energy"] > 0


@pytest.mark.parametrize("rounds", [1, -2, 10])
def test_a_place_outside_a_torus_is_the_place_inside(rounds: int) -> None:
    generator = np.random.default_rng(5)
    places, velocity = generator.uniform(0, 512, (60, 2)).round(), generator.normal(0, 50, (60, 2))
    inside = measured(places, velocity, "wrap", 512)
    places[::7, 0] += rounds * 512  # as a system of a mod may write, in LIFE
    assert measured(places, velocity, "wrap", 512) == inside
    assert {"flocks", "nearest_neighbour", "milling"} < inside.keys()
