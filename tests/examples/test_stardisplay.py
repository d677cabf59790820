"""StarDisplay: each force of steering and of flight is that of its equation, within 1e-5."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import sandbox
from components.store.world import World
from systems.engine.kernel import kernel
from systems.engine.pipeline import Pipeline
from systems.engine.settings import Settings
from systems.engine.system import Phase
from systems.engine.threads import exactly
from systems.move import movement
from tests.bundled import MODS, module_of, opened
from tests.examples import stardisplay_reference as reference
from tests.examples.stardisplay_reference import Birds
from tests.groups import assert_only_serials_count, boids, world_of_groups
from tests.worlds import run, run_system

star = module_of("stardisplay")
decay = sys.modules[star.decide.__module__].decay
TICK = 1 / 200
SIZE = (60.0, 50.0, 40.0)
TORUS, OPEN = (Settings(60, 50, edges, depth=40, tick_rate=200) for edges in ("wrap", "open"))
WEIGHTS = "separation", "cohesion", "alignment", "back", "height", "error"
NO_SPEED_CONTROL = {"Starling__hurry": 1000.0}  # the longest


def flock(n: int = 150, settings: Settings = OPEN, seed: int = 1, **values) -> World:
    """Starlings anywhere, with all values of their own, some at the same place; between two roosts."""
    rng = np.random.default_rng(seed)
    places = rng.random((n, 3)) * SIZE
    places[1:2] = places[0]
    turn = rng.random(n) * 2 * np.pi
    own = {
        "Motion__max_speed": 100.0,
        "Starling__cruise": rng.uniform(5, 15, n),
        "Starling__mass": rng.uniform(0.05, 0.2, n),
        "Starling__ratio": rng.uniform(1, 5, n),
        "Starling__hurry": rng.uniform(0.3, 3, n),
        "Starling__hard": rng.uniform(0.2, 5, n),
        "Starling__spread": rng.uniform(1, 8, n),
        "Starling__blind": rng.choice([0, 60, 90, 200], n),
        "Starling__range": rng.uniform(2, 15, n),
        "Starling__bank_cosine": np.cos(turn),
        "Starling__bank_sine": np.sin(turn),
        "Starling__back": rng.uniform(0.01, 0.1, n),
        "Starling__height": rng.uniform(0.1, 1, n),
        "Starling__error": 0.0,
    }
    roosts = {"Position.x": [10, 50], "Position.y": [20, 30], "Position.z": [10, 30], "Roost.radius": [5, 12]}
    groups = {"boid": boids(places, rng.normal(size=(n, 3)) * 8, **{**own, **values}), "roost": roosts}
    return world_of_groups([star.install, movement.install], groups, settings, seed, 5)


def only(term: str, **values) -> dict[str, float]:
    """The values with which the steering is one term."""
    none = {f"Starling__{name}": 0.0 for name in WEIGHTS if name != term}
    return {**none, **NO_SPEED_CONTROL, **values}


@kernel
def decays(x):
    return decay(x)


def now(world: World) -> Birds:
    return reference.birds(world, star.Starling)


def decided(world: World, reaction: float = TICK) -> np.ndarray:
    """The steering of all, (n, 3), after they looked around."""
    world.resource(Pipeline).by_name["starling_senses"].reaction = reaction
    run(world, Phase.SENSE)
    return reference.steering(now(world))


def assert_near(found: np.ndarray, expected: np.ndarray) -> None:
    """The vectors differ by less than 1e-5 of the largest of each."""
    size = np.linalg.norm(expected, axis=1).max()
    assert size > 0
    off = np.linalg.norm(found - expected, axis=1) / np.maximum(np.linalg.norm(expected, axis=1), 0.1 * size)
    assert off.max() < 1e-5


def set_all(world: World, field: str, value: float) -> None:
    world.table.columns[f"Starling.{field}"][now(world).rows] = value


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("settings", [TORUS, OPEN], ids=["torus", "open"])
@pytest.mark.parametrize("term", ["separation", "cohesion", "alignment"])
def test_each_social_force_is_that_of_its_equation(term, settings, seed):
    world = flock(150, settings, seed, **only(term))
    before = now(world)
    expected = getattr(reference, term)(before) + reference.speed(before)
    assert_near(decided(world), expected)


@pytest.mark.parametrize("settings", [TORUS, OPEN], ids=["torus", "open"])
def test_the_speed_is_made_good(settings):
    world = flock(settings=settings, **only("none", Starling__hurry=0.7))
    expected = reference.speed(now(world))
    assert_near(decided(world), expected)


@pytest.mark.parametrize("settings", [TORUS, OPEN], ids=["torus", "open"])
@pytest.mark.parametrize("term", ["back", "height"])
def test_the_roost_brings_them_back_and_to_its_height(term, settings):
    world = flock(settings=settings, **only(term, Starling__mass=1e-6))
    before = now(world)
    roosts = np.array([[10, 20, 10], [50, 30, 30]], float)
    assert_near(decided(world), reference.roost(before, roosts, np.array([5.0, 12.0])))


def test_inside_its_radius_a_roost_does_not_turn_them():
    world = flock(**only("back", Starling__mass=1e-6))
    world.table.columns["Roost.radius"][world.table.rows(star.Roost)] = 1000
    assert np.abs(decided(world)).max() < 1e-4


def test_the_error_has_its_strength_and_points_anywhere():
    world = flock(2000, **only("error", Starling__error=0.02, Starling__mass=1e-9))
    found = decided(world)
    assert np.linalg.norm(found, axis=1) == pytest.approx(np.full(2000, 0.02), rel=1e-4)
    assert np.abs(found.mean(axis=0)).max() < 0.0015
    assert np.square(found / 0.02).mean(axis=0) == pytest.approx([1 / 3] * 3, abs=0.03)


@pytest.mark.parametrize("settings", [TORUS, OPEN], ids=["torus", "open"])
def test_all_forces_add_up_and_the_range_adapts(settings):
    world = flock(200, settings, 7)
    before = now(world)
    roosts = np.array([[10, 20, 10], [50, 30, 30]], float)
    forces = [getattr(reference, name)(before) for name in ("separation", "cohesion", "alignment", "speed")]
    assert_near(decided(world), sum(forces) + reference.roost(before, roosts, np.array([5.0, 12.0])))
    assert now(world).own["range"] == pytest.approx(reference.adapted_range(before, TICK), rel=1e-5)


def test_the_range_comes_to_hold_six_or_seven():
    world = flock(400, Settings(60, 50, "wrap", depth=40, tick_rate=200), Starling__hard=0.2)
    for _ in range(200):
        decided(world, 0.05)
        world.tick += 1
    assert now(world).heeded.sum(axis=1).mean() == pytest.approx(6.2, abs=0.5)


def test_a_tenth_of_them_decides_in_each_tick():
    world = flock(100)
    seen = np.zeros(100, int)
    for _ in range(10):
        before = reference.steering(now(world))
        seen += (decided(world, 0.05) != before).any(axis=1)
        world.tick += 1
    assert seen.tolist() == [1] * 100


@pytest.mark.parametrize("part", ["lift", "drag", "thrust", "weight", "all"])
def test_the_forces_of_flight_are_those_of_their_equations(part):
    """A part is what is left when the others are taken away."""
    world = flock(300)
    set_all(world, "steering.x", 0.3)
    before = now(world)
    forces = reference.flight(before) | {"steering": reference.steering(before)}
    run(world, Phase.STEER)
    found = world.table.stacked("Motion.acceleration", before.rows) * before.own["mass"][:, None]
    if part == "all":
        assert_near(found, sum(forces.values()))
    else:
        others = sum(force for name, force in forces.items() if name != part)
        assert_near(found - others + forces[part] * 9, forces[part] * 10)


def test_level_flight_at_cruise_speed_goes_on():
    world = flock(1, **{f"Starling__{name}": 0.0 for name in WEIGHTS})
    for key, value in {"Velocity.x": 6, "Velocity.y": 0, "Velocity.z": 8, "Starling.cruise": 10}.items():
        world.table.columns[key][now(world).rows] = value
    set_all(world, "bank_cosine", 1)
    set_all(world, "bank_sine", 0)
    for _ in range(400):
        run(world, Phase.SENSE, Phase.STEER, Phase.MOVE)
        world.tick += 1
    assert now(world).velocity == pytest.approx(np.array([[6, 0, 8]]), abs=1e-3)


@pytest.mark.parametrize("seed", range(3))
def test_they_bank_as_the_equation_says(seed):
    world = flock(200, seed=seed)
    for axis in "xyz":
        set_all(world, f"steering.{axis}", np.random.default_rng(seed).normal(size=200) * 0.3)
    expected = reference.bank(now(world), TICK)
    run(world, Phase.MOVE)
    after = now(world).own
    assert after["bank_cosine"] == pytest.approx(np.cos(expected), abs=1e-6)
    assert after["bank_sine"] == pytest.approx(np.sin(expected), abs=1e-6)


def test_who_steers_to_the_right_banks_to_the_right_until_lift_carries_it_there():
    world = flock(1, Starling__mass=0.08, Starling__roll_out=0.0)
    for key, value in {"Velocity.x": 0, "Velocity.y": 0, "Velocity.z": -10}.items():
        world.table.columns[key][now(world).rows] = value
    set_all(world, "steering.x", 0.4)
    set_all(world, "steering.y", 0)
    set_all(world, "steering.z", 0)
    for _ in range(60):
        run_system(world, "starling_roll")
    bank = np.arctan2(now(world).own["bank_sine"], now(world).own["bank_cosine"])
    assert np.degrees(bank) == pytest.approx(np.degrees(np.arctan2(0.4, 0.08 * 9.81)), abs=0.01)
    side, top = reference.wings(now(world))
    assert side[0, 0] > 0
    assert top[0, 0] > 0


@pytest.mark.parametrize("x", [0, 1e-9, 0.01, 0.5, 1, 3.7, 10, 39.9])
def test_the_gaussian_is_that_of_the_library(x):
    assert decays(float(x)) == pytest.approx(np.exp(-x), rel=1e-8)


def test_only_serials_count():
    def make() -> World:
        world = flock(300, TORUS, 3, Starling__error=0.1)
        world.resource(Pipeline).by_name["starling_senses"].reaction = TICK
        return world

    assert_only_serials_count(make)


def test_threads_rows_and_saving_change_no_bit(tmp_path: Path) -> None:
    digests = set()
    for threads, shuffled, saved in ((1, False, False), (2, False, False), (2, True, False), (2, False, True)):
        with exactly(threads), opened("stardisplay", "starlings") as sim:
            if shuffled:
                sim.world.table.reorder(np.random.default_rng(1).permutation(sim.world.table.size))
            sim.step(30)
            sim.save(tmp_path / "now.boids")
            if not saved:
                sim.step(30)
                digests.add(sim.digest())
        if saved:
            with sandbox.load(tmp_path / "now.boids", mods=[MODS / "stardisplay"]) as again:
                again.step(30)
                digests.add(again.digest())
    assert len(digests) == 1


def test_their_world_keeps_its_depth() -> None:
    with opened("stardisplay", "starlings") as sim:
        with pytest.raises(ValueError, match="the mod stardisplay can't be used: it runs only in worlds with depth"):
            sim.set("world.depth", 0)
        sim.step()
