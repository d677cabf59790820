"""The three rules: accelerations equal the equations in float64, within 1e-3 * (|a| + 1 u/s²)."""

import numpy as np
import pytest

from components.flock import DESIRED, METRIC, TOPOLOGICAL
from components.store.fields import DEEP, FLAT
from systems.engine.settings import Settings
from systems.flocking.flock_grid import FlockGrid
from tests import reference
from tests.flocks import EDGES, LAYOUTS, Flock, extreme, generated
from tests.worlds import accelerations, columns

few_or_many = pytest.mark.parametrize(
    "seeds", [range(8), pytest.param(range(2_000, 2_500), marks=pytest.mark.verify)], ids=["few seeds", "many seeds"]
)


def deviations(flock: Flock, seed: int) -> np.ndarray:
    """By how much each boid's acceleration misses the equations, in units of what is allowed."""
    world, torus = flock.world(np.random.default_rng(seed)), flock.settings.torus
    found = accelerations(world)
    c = columns(world)
    world.close()
    expected = reference.acceleration(c, torus)
    missed = np.linalg.norm(found - expected, axis=1) / (1e-3 * (np.linalg.norm(expected, axis=1) + 1))
    push, _ = reference.total(c, torus, "separation")
    # A push that vanishes is one from mates at the very border of its radius.
    vanishing = (np.linalg.norm(push, axis=0) < 1e-9) & (push != 0).any(axis=0)
    return np.where(vanishing & (c["Flocker.separation_steer"] == DESIRED), 0, missed)


flat_or_deep = pytest.mark.parametrize("axes", [FLAT, DEEP])


@few_or_many
@flat_or_deep
@pytest.mark.parametrize("edges", EDGES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_accelerations_equal_the_equations(layout, edges, axes, seeds):
    for seed in seeds:
        assert deviations(generated(layout, edges, seed, axes), seed).max(initial=0) < 1, f"seed {seed}"


@pytest.mark.parametrize("seeds", [range(30), pytest.param(range(2_000, 2_500), marks=pytest.mark.verify)])
@flat_or_deep
@pytest.mark.parametrize("edges", EDGES)
def test_accelerations_equal_the_equations_at_the_ends_of_all_bounds(edges, axes, seeds):
    for seed in seeds:
        assert deviations(extreme(edges, seed, axes), seed).max(initial=0) < 1, f"seed {seed}"


@pytest.mark.parametrize("falloff", range(5), ids=["constant", "linear", "inverse", "distance", "smooth"])
@pytest.mark.parametrize("steer", [0, 1], ids=["direct", "desired"])
@pytest.mark.parametrize("limit", [0, 90], ids=["no limit", "limit"])
@pytest.mark.parametrize("mean", [False, True], ids=["sum", "mean"])
def test_every_falloff_steers_by_the_equations(falloff, steer, limit, mean):
    flock = generated("spread", "wrap", 4)
    flock.values |= {"Flocker.separation_falloff": np.array(falloff), "Flocker.separation_mean": np.array(mean)}
    for rule in reference.RULES:
        flock.values |= {f"Flocker.{rule}_steer": np.array(steer), f"Flocker.{rule}_limit": np.float32(limit)}
    assert deviations(flock, 0).max() < 1


@pytest.mark.parametrize(
    ("rule", "falloff", "edges"),
    [
        *(("separation", falloff, "wrap" if falloff in (1, 2) else "open") for falloff in range(5)),
        *((rule, 0, edges) for rule in ("alignment", "cohesion") for edges in ("open", "wrap")),
    ],
)
def test_ten_thousand_within_one_radius_add_up_without_overflow(rule, falloff, edges):
    """Rule by rule: separation is so strong that it would hide the others."""
    rng = np.random.default_rng(falloff)
    n, size, seen = 10_000, 300.0, rng.choice(10_000, 2)
    places = (rng.random((n, 2)) * 35).astype(np.float32)
    places[:50] = places[0]
    velocity = rng.normal(0, 60, (n, 2)).astype(np.float32)
    flock = Flock(Settings(size, size, edges), np.zeros(n, int))
    flock.values |= {"Position.x": places[:, 0], "Position.y": places[:, 1]}
    flock.values |= {"Velocity.x": velocity[:, 0], "Velocity.y": velocity[:, 1]}
    flock.values |= {"Flocker.separation_radius": np.float32(50), "Flocker.separation_falloff": np.array(falloff)}
    flock.values |= {"Perception.fov": np.float32(360)}
    world = flock.world()
    for other in reference.RULES:
        world.table.columns[f"Flocker.{other}_strength"][:n] = float(other == rule)
    found, c = accelerations(world), columns(world)
    for row in (0, *seen):
        expected = only(c, row, flock.settings.torus)
        assert np.hypot(*(found[row] - expected)) < 1e-3 * (np.hypot(*expected) + 1), f"row {row}"


def only(c: dict[str, np.ndarray], row: int, torus: reference.Torus) -> np.ndarray:
    """The expected acceleration of one row: all in its view, and itself, suffice to know it."""
    near = np.flatnonzero(np.arange(len(c["serial"])) != row)
    total = np.zeros(2)
    for rule in reference.RULES:
        s, weight, v = np.zeros(2), 0, np.array([c["Velocity.x"][row], c["Velocity.y"][row]], float)
        for part in np.array_split(near, 100):
            some = {key: column[np.append(part, row)] for key, column in c.items()}
            x, count = reference.total(some, torus, rule)
            s += x[:, -1] * (1 if rule == "separation" else count[-1])
            weight += count[-1]
        x = s if rule == "separation" else s / max(weight, 1)
        total += c[f"Flocker.{rule}_strength"][row] * (x - v if rule == "alignment" else x) * (weight > 0)
    return total


@pytest.mark.parametrize("reach", [METRIC, TOPOLOGICAL])
@pytest.mark.parametrize("edges", ["wrap", "open"])
@pytest.mark.parametrize("idle", reference.RULES)
def test_a_rule_of_strength_0_widens_no_cell_and_its_radius_changes_no_bit(idle, edges, reach):
    n, size = 400, 2000.0
    places, velocity = np.random.default_rng(1).random((2, n, 2)).astype(np.float32) * np.float32(size)
    found, widths = [], []
    for sight in (40, 500):
        flock = Flock(Settings(size, size, edges), np.arange(n) % 2)
        flock.values |= {"Position.x": places[:, 0], "Position.y": places[:, 1]}
        flock.values |= {"Velocity.x": velocity[:, 0] / 10, "Velocity.y": velocity[:, 1] / 10}
        flock.values |= {f"Flocker.{rule}_radius": np.float32(40) for rule in reference.RULES}
        flock.values |= {f"Flocker.{idle}_strength": np.float32(0), f"Flocker.{idle}_radius": np.float32(0)}
        flock.values |= {"Perception.radius": np.float32(sight), "Perception.reach": np.array(reach)}
        world = flock.world()
        found.append(accelerations(world).tobytes())
        widths.append(1 / world.resource(FlockGrid).grid.per_x)
        world.close()
    assert found[0] == found[1]
    assert widths[0] == widths[1] < 60


def pair(**values: float) -> Flock:
    """Two boids at one point, at rest, that only keep apart."""
    flock = Flock(Settings(100, 100, "open"), np.zeros(2, int))
    at = {"Position.x": np.full(2, 30, np.float32), "Position.y": np.full(2, 40, np.float32)}
    flock.values |= at | {"Flocker.alignment_strength": np.float32(0), "Flocker.cohesion_strength": np.float32(0)}
    flock.values |= {f"Flocker.{key}": np.array(value) for key, value in values.items()}
    return flock


def test_two_at_one_point_part_in_opposite_directions_at_full_strength():
    a, b = accelerations(pair(separation_strength=600.0).world())
    assert np.hypot(*a) == pytest.approx(600, rel=1e-5)
    assert a.tolist() == (-b).tolist()


def test_a_distance_that_float32_can_not_square_is_the_same_point():
    flock = pair(separation_strength=600.0)
    flock.values["Position.x"], flock.values["Position.y"] = np.array([0, 1e-30], np.float32), np.zeros(2, np.float32)
    assert np.hypot(*accelerations(flock.world())[0]) == pytest.approx(600, rel=1e-5)


def test_a_boid_alone_steers_nowhere():
    flock = pair()
    flock.values["Position.x"] = np.array([0, 90], np.float32)
    assert accelerations(flock.world()).tolist() == [[0, 0], [0, 0]]


def test_of_equally_near_ones_the_topological_reach_takes_the_lower_serials():
    angles = np.arange(4) * np.pi / 2
    x, y = np.append(50 + 10 * np.cos(angles).round(), 50), np.append(50 + 10 * np.sin(angles).round(), 50)
    flock = pair()
    flock.kind = np.zeros(5, int)
    flock.values |= {"Position.x": x.astype(np.float32), "Position.y": y.astype(np.float32)}
    flock.values |= {"Perception.reach": np.array(TOPOLOGICAL), "Perception.neighbours": np.array(1)}
    flock.values |= {"Flocker.cohesion_strength": np.float32(1), "Flocker.separation_strength": np.float32(0)}
    for seed in range(5):
        world = flock.world(np.random.default_rng(seed))
        found = accelerations(world)[world.table.rows_of(np.array([5]))[0]]
        assert found == pytest.approx([10, 0], abs=1e-4)
        world.close()
