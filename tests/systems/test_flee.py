"""Flight equals the equation in float64, within 1e-3 * (|a| + 1 u/s²), and needs nobody where nobody hunts."""

import numpy as np
import pytest

from components.predation import Predator, Prey
from components.store.fields import DEEP, FLAT
from systems.engine.pipeline import Pipeline
from systems.engine.settings import Settings
from systems.engine.system import Phase
from systems.move import movement
from systems.space.hunting import Quarry, Threats
from tests import hunting_reference as reference
from tests.hunts import EDGES, HUNTING, LAYOUTS, generated, seen_by_reference, steering
from tests.worlds import FLOCKING, populated, run

few_or_many = pytest.mark.parametrize(
    "seeds", [range(25), pytest.param(range(2_000, 2_500), marks=pytest.mark.verify)], ids=["few seeds", "many seeds"]
)
flat_or_deep = pytest.mark.parametrize("axes", [FLAT, DEEP])


def added(world):
    return steering(world, "flee")


@few_or_many
@flat_or_deep
@pytest.mark.parametrize("edges", EDGES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_flight_equals_the_equation(layout, edges, axes, seeds):
    fled = 0
    for seed in seeds:
        hunt = generated(layout, edges, seed, axes)
        world = hunt.world(np.random.default_rng(seed))
        c = seen_by_reference(world)
        found, expected = added(world), reference.flee(c, hunt.settings.torus)
        world.close()
        missed = np.linalg.norm(found - expected, axis=1) / (1e-3 * (np.linalg.norm(expected, axis=1) + 1))
        assert missed.max(initial=0) < 1, f"seed {seed}"
        fled += np.count_nonzero(expected.any(axis=1))
    assert fled > 10 or layout in ("few", "far")


def pair(**values):
    """A predator at (50, 50), serial 1, and prey beside it, serial 2, flying to the right."""
    given = {"Position.x": [50, 60], "Position.y": [50, 50], "Velocity.x": [0, 50], "Velocity.y": [0, 0]}
    given |= {"Prey.fear": 600, "Prey.fear_radius": 40, "Perception.fov": 360} | values
    given = {key: np.broadcast_to(np.array(value, np.float32), 2) for key, value in given.items()}
    world = populated(HUNTING, Settings(1000, 1000, "open"), given)
    world.table.set_presence([0], [Prey], present=False)
    world.table.set_presence([1], [Predator], present=False)
    return world


def test_prey_flees_the_harder_the_nearer():
    assert added(pair())[1] == pytest.approx([450, 0])
    assert added(pair(**{"Position.x": [50, 80]}))[1] == pytest.approx([150, 0])


def test_prey_without_fear_does_not_flee_and_widens_no_search():
    world = pair(**{"Prey.fear": [0, 0], "Prey.fear_radius": 1e4})
    assert added(world).tolist() == [[0, 0], [0, 0]]
    assert world.resource(Threats).radius == 0


@pytest.mark.parametrize(("x", "push"), [(89.9, 1.5), (90, 0), (91, 0)])
def test_it_does_not_fear_one_at_its_fear_radius_or_beyond(x, push):
    assert added(pair(**{"Position.x": [50, x]}))[1, 0] == pytest.approx(push, rel=1e-3)


def test_fear_reaches_farther_than_sight():
    assert added(pair(**{"Perception.radius": 0}))[1] == pytest.approx([450, 0])


@pytest.mark.parametrize(("fov", "push"), [(300, 0), (360, 450)])
def test_it_does_not_flee_from_one_behind_that_it_does_not_see(fov, push):
    assert added(pair(**{"Perception.fov": fov}))[1, 0] == pytest.approx(push)


def test_a_predator_that_rests_frightens_too():
    assert added(pair(**{"Predator.rest": 100}))[1] == pytest.approx([450, 0])


def test_from_one_at_its_very_point_it_flees_with_all_its_fear():
    assert np.hypot(*added(pair(**{"Position.x": 50}))[1]) == pytest.approx(600, rel=1e-6)


def test_a_predator_that_is_prey_does_not_flee_from_itself():
    world = pair(**{"Position.x": [50, 500]})
    world.table.set_presence([0], [Prey])
    assert not added(world).any()


def test_without_predators_nothing_is_built_and_nothing_happens():
    world = pair()
    run(world, Phase.SENSE)
    assert Threats in world.resources
    world.table.set_presence([0], [Predator], present=False)
    assert not added(world).any()
    assert not {Threats, Quarry} & set(world.resources)


def test_many_who_fear_little_do_not_look_at_far_predators_for_one_who_fears_all():
    rng = np.random.default_rng(0)
    n = 2000
    places = (rng.random((n, 2)) * 4000).astype(np.float32)
    fear = np.where(np.arange(n) == 7, 1e4, 80).astype(np.float32)
    values = {"Position.x": places[:, 0], "Position.y": places[:, 1], "Prey.fear_radius": fear}
    world = populated(HUNTING, Settings(4000, 4000, "wrap"), values)
    world.table.set_presence(np.arange(50, n), [Predator], present=False)
    run(world, Phase.SENSE)
    assert world.resource(Threats).radius == 80
    c = seen_by_reference(world)
    assert np.abs(added(world) - reference.flee(c, (4000.0, 4000.0))).max() < 0.1


def test_a_flock_that_flees_keeps_farther_from_its_predator():
    def mean_distance(flees):
        rng = np.random.default_rng(3)
        n = 101
        values = {
            "Position.x": rng.normal(0, 40, n), "Position.y": rng.normal(0, 40, n),
            "Velocity.x": rng.normal(0, 20, n), "Velocity.y": rng.normal(0, 20, n),
            "Motion.max_speed": np.where(np.arange(n) < 1, 60, 80), "Predator.catch_radius": np.zeros(n),
            "Perception.radius": np.where(np.arange(n) < 1, 200, 50),
        }  # fmt: skip
        values = {key: value.astype(np.float32) for key, value in values.items()}
        parts = [*FLOCKING, *HUNTING[1:], movement.install]
        world = populated(parts, Settings(1000, 1000, "open"), values, (np.arange(n) > 0).astype(int))
        world.table.set_presence(np.arange(1, n), [Predator], present=False)
        world.table.set_presence([0], [Prey], present=False)
        world.resource(Pipeline).by_name["flee"].enabled = flees
        total = 0.0
        for _ in range(300):
            world.resource(Pipeline).tick(world)
            world.commit()
            total += np.hypot(*reference.exact_offsets(seen_by_reference(world), None))[0, 1:].mean()
        return total / 300

    assert mean_distance(True) > 1.1 * mean_distance(False)
