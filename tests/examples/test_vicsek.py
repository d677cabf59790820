"""Vicsek: the mean heading of those around, its own too, with an error that is uniform."""

from __future__ import annotations

import numpy as np
import pytest

from components.store.world import World
from systems.engine.settings import Settings
from systems.engine.system import Phase
from systems.exact.random import randoms
from systems.move import movement, wrap
from tests.bundled import module_of
from tests.groups import assert_only_serials_count, boids, moving, nearest_offsets, world_of_groups
from tests.worlds import run

vicsek = module_of("vicsek")
TORUS = Settings(300, 200, "wrap")
SPEED = 60.0


def flying(n: int, noise: float = 0.0, radius: float = 30.0, settings: Settings = TORUS, seed: int = 1) -> World:
    rng = np.random.default_rng(seed)
    turn = rng.random(n) * 2 * np.pi
    heading = SPEED * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    group = boids(rng.random((n, 2)) * (300, 200), heading, Vicsek__noise=noise, Vicsek__radius=radius)
    group |= {"Motion.min_speed": SPEED, "Motion.max_speed": SPEED}
    return world_of_groups([vicsek.install, movement.install, wrap.install], {"vicsek": group}, settings, seed, 7)


def tick(world: World) -> None:
    run(world, Phase.SENSE, Phase.STEER, Phase.MOVE)


def expected(world: World, radius: float, noise: float) -> np.ndarray:
    """Velocities after a tick, by all pairs in float64."""
    place, velocity = moving(world)
    apart = nearest_offsets(place[None] - place[:, None], world.resource(Settings).torus)
    near = np.hypot(*np.moveaxis(apart, 2, 0)) < radius
    total = near @ (velocity / SPEED)
    error = np.radians(noise) * (randoms(world, world.table.rows_of(np.arange(len(place)) + 1), vicsek.NOISE) - 0.5)
    turn = np.arctan2(total[:, 1], total[:, 0]) + error
    return SPEED * np.stack([np.cos(turn), np.sin(turn)], axis=1)


@pytest.mark.parametrize("edges", ["wrap", "open"])
@pytest.mark.parametrize("noise", [0.0, 40.0, 360.0])
@pytest.mark.parametrize("radius", [0.1, 30.0, 120.0])
def test_headings_are_those_of_the_equations(noise, radius, edges):
    world = flying(150, noise, radius, Settings(300, 200, edges))
    for _ in range(3):
        before, wanted = moving(world)[0], expected(world, radius, noise)
        tick(world)
        place, velocity = moving(world)
        assert velocity == pytest.approx(wanted, abs=2e-3 * SPEED)
        moved = nearest_offsets(place - before, world.resource(Settings).torus)
        assert moved == pytest.approx(velocity / 60, abs=1e-3)
        world.tick += 1


def test_the_speed_is_always_the_same():
    world = flying(100, 200.0)
    for _ in range(50):
        tick(world)
        world.tick += 1
    assert np.hypot(*moving(world)[1].T) == pytest.approx(SPEED, rel=1e-5)


def test_one_alone_without_noise_flies_straight_on():
    world = flying(1)
    before = moving(world)[1]
    for _ in range(20):
        tick(world)
    assert moving(world)[1] == pytest.approx(before, rel=1e-5)


def test_two_who_fly_at_each_other_have_no_mean_and_fly_on():
    group = boids([[100, 100], [110, 100]], [[SPEED, 0], [-SPEED, 0]], Vicsek__noise=0.0)
    world = world_of_groups([vicsek.install, movement.install], {"vicsek": group}, TORUS)
    tick(world)
    assert moving(world)[1] == pytest.approx(np.array([[SPEED, 0], [-SPEED, 0]]))


def test_each_has_its_own_radius_and_noise():
    places, velocities = [[100, 100], [120, 100]], [[SPEED, 0], [0, SPEED]]
    group = boids(places, velocities, Vicsek__noise=0.0, Vicsek__radius=[30, 10])
    world = world_of_groups([vicsek.install, movement.install], {"vicsek": group}, TORUS)
    tick(world)
    assert moving(world)[1] == pytest.approx(np.array([[0.5**0.5 * SPEED] * 2, [0, SPEED]]), rel=1e-5)


def test_the_error_is_uniform_within_half_the_noise_to_either_side():
    world = flying(4000, 90.0, 0.01)
    before = moving(world)[1]
    tick(world)
    after = moving(world)[1]
    cross = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
    turn = np.degrees(np.arctan2(cross, (before * after).sum(axis=1)))
    assert np.abs(turn).max() < 45.01
    assert np.histogram(turn, 6, (-45, 45))[0] == pytest.approx(np.full(6, 4000 / 6), rel=0.12)


def test_who_has_no_vicsek_is_left_alone():
    others = boids(np.full((20, 2), 50), (0, 30))
    world = world_of_groups(
        [vicsek.install], {"vicsek": boids([[50, 50]], (SPEED, 0), Vicsek__noise=0.0), "boid": others}, TORUS
    )
    run(world, Phase.SENSE, Phase.STEER)
    table = world.table
    assert not table.columns["Motion.acceleration.x"][: table.size].any()


def test_only_serials_count():
    def make() -> World:
        world = flying(300, 60.0)
        world.prefabs = {"boid": world.prefabs["vicsek"]}
        return world

    assert_only_serials_count(make)
