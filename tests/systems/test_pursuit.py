"""Pursuit equals the equations in float64, within 1e-3 * (|a| + 1 u/s²)."""

import numpy as np
import pytest

from components.flock import Perception
from components.life import Energy
from components.motion import Velocity
from components.predation import CENTRE, NEAREST, WEAKEST, Predator, Prey
from components.store.fields import DEEP, FLAT
from systems.engine.settings import Settings
from tests import hunting_reference as reference
from tests.hunts import EDGES, HUNTING, LAYOUTS, generated, seen_by_reference, steering
from tests.worlds import populated

few_or_many = pytest.mark.parametrize(
    "seeds", [range(25), pytest.param(range(2_000, 2_500), marks=pytest.mark.verify)], ids=["few seeds", "many seeds"]
)
flat_or_deep = pytest.mark.parametrize("axes", [FLAT, DEEP])


@few_or_many
@flat_or_deep
@pytest.mark.parametrize("edges", EDGES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_pursuit_equals_the_equations(layout, edges, axes, seeds):
    pursued = np.zeros(3, int)
    for seed in seeds:
        hunt = generated(layout, edges, seed, axes)
        world = hunt.world(np.random.default_rng(seed))
        c = seen_by_reference(world)
        found, expected = steering(world, "pursuit"), reference.pursuit(c, hunt.settings.torus)
        world.close()
        missed = np.linalg.norm(found - expected, axis=1) / (1e-3 * (np.linalg.norm(expected, axis=1) + 1))
        assert missed.max(initial=0) < 1, f"seed {seed}"
        pursued += np.bincount(c["Predator.target"][expected.any(axis=1)], minlength=3)
    assert pursued.min() > 3 or layout in ("few", "far")


def chase(prey, **values):
    """A predator at (0, 0) at rest, serial 1, strength 1, speed 100, and prey at these places, the last at rest."""
    n = len(prey) + 1
    given = {"Position.x": [0, *[x for x, _ in prey]], "Position.y": [0, *[y for _, y in prey]]}
    given |= {"Predator.strength": 1, "Motion.max_speed": 100, "Perception.radius": 200} | values
    kinds = {key: np.int64 if key == "Energy.level" else np.float32 for key in given}
    given = {key: np.broadcast_to(np.asarray(value, kinds[key]), n) for key, value in given.items()}
    given |= {"Predator.target": np.full(n, values.get("Predator.target", NEAREST))}
    world = populated(HUNTING, Settings(1000, 1000, "open"), given)
    world.table.set_presence([0], [Prey], present=False)
    world.table.set_presence(np.arange(1, n), [Predator], present=False)
    return world


def aim(world):
    return steering(world, "pursuit")[0]


def test_nearest_flies_at_full_speed_to_prey_that_stands_still():
    assert aim(chase([(30, 40), (60, 60)])) == pytest.approx([60, 80])


def test_it_cuts_off_prey_that_flies_across():
    """Prey at (80, 0) flies up at 60: the predator at 100 meets it after 1 s, at (80, 60)."""
    world = chase([(80, 0)], **{"Velocity.x": [0, 0], "Velocity.y": [0, 60]})
    assert aim(world) == pytest.approx([80, 60])


def test_prey_that_can_not_be_met_soon_is_led_by_its_distance():
    """Prey at (50, 0) flies away at 200 up: 0.5 s at full speed, so to (50, 100)."""
    world = chase([(50, 0)], **{"Velocity.x": [0, 0], "Velocity.y": [0, 200]})
    assert aim(world) == pytest.approx(100 * np.array([1, 2]) / np.sqrt(5), rel=1e-5)


def test_prey_of_its_own_speed_that_comes_nearer_is_met_halfway():
    world = chase([(100, 0)], **{"Velocity.x": [0, -100]})
    assert aim(world) == pytest.approx([100, 0])


def test_prey_that_flies_at_it_faster_than_it_can_is_met_on_the_way():
    world = chase([(100, 0)], **{"Velocity.x": [0, -300]})
    assert aim(world) == pytest.approx([100, 0])


def test_prey_without_velocity_stands_still():
    world = chase([(100, 0)], **{"Velocity.y": [0, 100]})
    world.table.set_presence([1], [Velocity], present=False)
    assert aim(world) == pytest.approx([100, 0])


def test_its_own_velocity_is_taken_off():
    world = chase([(100, 0)], **{"Velocity.x": [30, 0], "Velocity.y": [10, 0], "Perception.fov": 360})
    assert aim(world) == pytest.approx([70, -10])


def test_centre_is_drawn_to_the_mean_of_the_prey_it_sees():
    assert aim(chase([(30, 0), (0, 60), (150, 150)], **{"Predator.target": CENTRE})) == pytest.approx([15, 30])


def test_weakest_picks_the_least_energy_then_the_nearest():
    levels = {"Energy.level": [0, 7, 3, 3], "Predator.target": WEAKEST}
    assert aim(chase([(10, 0), (0, 90), (-50, 0)], **levels)) == pytest.approx([-100, 0])


def test_prey_without_energy_is_the_strongest():
    world = chase([(10, 0), (0, 90)], **{"Energy.level": [0, 0, 10**12], "Predator.target": WEAKEST})
    world.table.set_presence([1], [Energy], present=False)
    assert aim(world) == pytest.approx([0, 100])


@pytest.mark.parametrize("target", [NEAREST, WEAKEST])
def test_of_equally_good_prey_the_lower_serial(target):
    for seed in range(4):
        world = chase([(0, 50), (50, 0), (0, -50)], **{"Predator.target": target})
        world.table.reorder(np.random.default_rng(seed).permutation(4))
        row = world.table.rows_of(np.array([1]))[0]
        assert steering(world, "pursuit")[row] == pytest.approx([0, 100])
        world.close()


def test_whoever_can_not_fly_rests_or_sees_nothing_does_not_steer():
    for values in ({"Motion.max_speed": 0}, {"Predator.rest": 0.1}, {"Perception.radius": 10}):
        assert not steering(chase([(10, 0)], **values), "pursuit").any()
    blind = chase([(10, 0)], **{"Velocity.x": [-50, 0], "Perception.fov": 180})
    assert not aim(blind).any()
    unseeing = chase([(10, 0)])
    unseeing.table.set_presence([0], [Perception], present=False)
    assert not aim(unseeing).any()


def test_it_sees_across_the_seam_of_a_torus():
    world = chase([(990, 0)])
    world.resource(Settings).edges = "wrap"
    assert aim(world) == pytest.approx([-100, 0])


def test_ten_thousand_in_sight_have_an_exact_centre():
    rng = np.random.default_rng(0)
    prey = (rng.random((10_000, 2)) * 100).astype(np.float32)
    world = chase(prey.tolist(), **{"Predator.target": CENTRE})
    assert aim(world) == pytest.approx(prey.astype(float).mean(axis=0), rel=1e-6)
