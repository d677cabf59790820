"""Couzin: zones of repulsion, orientation and attraction, an error, and a turn no faster than it can."""

from __future__ import annotations

import numpy as np
import pytest

from components.store.world import World
from systems.engine.settings import Settings
from systems.engine.system import Phase
from systems.move import movement, wrap
from tests.bundled import module_of
from tests.groups import assert_only_serials_count, boids, moving, nearest_offsets, world_of_groups
from tests.worlds import run

couzin = module_of("couzin")
TORUS, OPEN = Settings(400, 300, "wrap"), Settings(400, 300, "open")
DEEP, DEEP_OPEN = (Settings(400, 300, edges, depth=200) for edges in ("wrap", "open"))
SPEED = 144.0
ALL = pytest.mark.parametrize("settings", [TORUS, OPEN, DEEP, DEEP_OPEN], ids=["torus", "open", "deep torus", "deep"])
AGILE = {"Couzin__turning": 36000.0, "Couzin__noise": 0.0}


def fish(places, velocities, settings: Settings = OPEN, seed: int = 3, **values) -> World:
    group = boids(places, velocities, **{**AGILE, **values})
    group |= {"Motion.min_speed": SPEED, "Motion.max_speed": SPEED}
    return world_of_groups([couzin.install, movement.install, wrap.install], {"boid": group}, settings, seed, 5)


def school(n: int, settings: Settings = TORUS, seed: int = 1, **values) -> World:
    rng = np.random.default_rng(seed)
    if settings.depth:
        heading = rng.normal(size=(n, 3))
        heading *= SPEED / np.linalg.norm(heading, axis=1, keepdims=True)
    else:
        turn = rng.random(n) * 2 * np.pi
        heading = SPEED * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    return fish(rng.random((n, len(settings.axes))) * settings.size, heading, settings, **values)


def state(world: World) -> tuple[np.ndarray, np.ndarray]:
    """Places and headings, float64 (n, 2) or (n, 3), by serial."""
    place, velocity = moving(world)
    return place, velocity / np.linalg.norm(velocity, axis=1, keepdims=True)


def tick(world: World) -> np.ndarray:
    """The headings after a tick."""
    run(world, Phase.SENSE, Phase.STEER, Phase.MOVE)
    world.tick += 1
    return state(world)[1]


def expected(world: World, repulsion: float, orientation: float, attraction: float, blind: float) -> np.ndarray:
    """The directions that the zones want, by all pairs in float64."""
    place, heading = state(world)
    offset = nearest_offsets(place[None] - place[:, None], world.resource(Settings).torus)
    distance = np.linalg.norm(offset, axis=2)
    np.fill_diagonal(distance, np.inf)
    to = offset / distance[..., None]
    ahead = np.degrees(np.arccos(np.clip((to * heading[:, None]).sum(-1), -1, 1)))
    seen = ahead < 180 - blind / 2 if blind else np.full(distance.shape, True)
    apart = distance < repulsion
    aligns = seen & ~apart & (distance < repulsion + orientation)
    seeks = seen & ~apart & ~aligns & (distance < repulsion + orientation + attraction)
    away = -(to * apart[..., None]).sum(1)
    along = aligns @ heading + (to * seeks[..., None]).sum(1)
    wanted = np.where(apart.any(1)[:, None], away, along)
    size = np.linalg.norm(wanted, axis=1, keepdims=True)
    return np.where(size > 1e-6, wanted / np.maximum(size, 1e-6), heading)


@ALL
@pytest.mark.parametrize("zones", [(8, 48, 112, 90), (20, 0, 60, 0), (5, 30, 0, 180), (1, 10, 10, 300)], ids=str)
def test_headings_are_those_of_the_equations(zones, settings):
    world = school(120, settings, **values_of(zones))
    for _ in range(3):
        wanted = expected(world, *zones)
        assert tick(world) == pytest.approx(wanted, abs=3e-3)


def values_of(zones: tuple[float, ...]) -> dict[str, float]:
    names = ("repulsion", "orientation", "attraction", "blind")
    return {f"Couzin__{name}": float(value) for name, value in zip(names, zones, strict=True)}


@ALL
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    "zones", [(90, 0, 0, 0), (0.01, 120, 0, 90), (0.01, 0, 120, 90)], ids=["repulsion", "orientation", "attraction"]
)
def test_each_zone_alone_gives_its_direction(zones, settings, seed):
    world = school(120, settings, seed, **values_of(zones))
    wanted = expected(world, *zones)
    assert np.linalg.norm(tick(world) - wanted, axis=1).max() < 1e-5


def test_repulsion_goes_before_all_else():
    places = [[100, 100], [105, 100], [140, 100], [150, 100], [160, 100]]
    world = fish(places, [[0, SPEED]] * 5, Couzin__orientation=0.0)
    assert tick(world)[0] == pytest.approx([-1, 0], abs=1e-5)


def test_who_is_behind_is_neither_aligned_with_nor_sought_but_avoided():
    world = fish([[100, 100], [70, 100]], [[SPEED, 0], [0, SPEED]])
    assert tick(world)[0] == pytest.approx([1, 0], abs=1e-6)
    world = fish([[100, 100], [95, 100]], [[0, SPEED], [SPEED, 0]])
    assert tick(world)[0] == pytest.approx([1, 0], abs=1e-6)


def test_one_alone_swims_straight_on():
    world = fish([[100, 100]], [[SPEED, 0]])
    assert tick(world).tolist() == [[1, 0]]


@ALL
def test_they_turn_towards_it_by_no_more_than_they_can(settings):
    zones, most = (8, 48, 112, 90), 240 / 60
    world = school(150, settings, **{**values_of(zones), "Couzin__turning": 240.0})
    before, wanted = state(world)[1], expected(world, *zones)
    after = tick(world)
    to_go = np.degrees(np.arccos(np.clip((before * wanted).sum(1), -1, 1)))
    turned = np.degrees(np.arccos(np.clip((before * after).sum(1), -1, 1)))
    left = np.degrees(np.arccos(np.clip((after * wanted).sum(1), -1, 1)))
    assert turned == pytest.approx(np.minimum(to_go, most), abs=0.05)
    assert left == pytest.approx(np.maximum(to_go - most, 0), abs=0.05)  # on the shortest way


def test_with_depth_who_wants_straight_back_turns_to_some_side():
    world = fish([[100, 100, 100], [105, 100, 100]], [[SPEED, 0, 0]] * 2, DEEP, Couzin__turning=90.0)
    turned = tick(world)
    assert np.degrees(np.arccos(turned[0, 0])) == pytest.approx(1.5, abs=1e-3)


@pytest.mark.parametrize("side", [1, -1])
def test_nobody_turns_faster_than_it_can(side):
    world = fish([[100, 100], [100, 100 + 90 * side]], [[SPEED, 0], [SPEED, 0]], Couzin__turning=90.0)
    for turned in (1.5, 3.0, 4.5):
        heading = tick(world)[0]
        assert np.degrees(np.arctan2(heading[1], heading[0])) == pytest.approx(side * turned, abs=1e-3)


def test_errors_are_normally_distributed():
    n = 3000
    places = np.stack([np.arange(n) * 400.0, np.zeros(n)], axis=1)
    world = fish(places, [[SPEED, 0]] * n, Couzin__noise=10.0)
    heading = tick(world)
    error = np.degrees(np.arctan2(heading[:, 1], heading[:, 0]))
    assert error.mean() == pytest.approx(0, abs=0.6)
    assert error.std() == pytest.approx(10, rel=0.05)
    assert (np.abs(error) < 10).mean() == pytest.approx(0.683, abs=0.03)


def test_with_depth_errors_are_as_large_and_to_all_sides():
    """A normally distributed angle to a random side: the spherically wrapped Gaussian of the paper."""
    n = 3000
    places = np.stack([np.arange(n) * 400.0, np.zeros(n), np.zeros(n)], axis=1)
    world = fish(places, [[SPEED, 0, 0]] * n, DEEP_OPEN, Couzin__noise=10.0)
    heading = tick(world)
    error = np.degrees(np.arccos(heading[:, 0]))
    assert np.sqrt(np.square(error).mean()) == pytest.approx(10, rel=0.05)
    assert (error < 10).mean() == pytest.approx(0.683, abs=0.03)
    side = heading[:, 1:] / np.linalg.norm(heading[:, 1:], axis=1, keepdims=True)
    assert np.abs(side.mean(axis=0)).max() < 0.06
    assert np.square(side).mean(axis=0) == pytest.approx([0.5, 0.5], abs=0.04)


@ALL
def test_the_speed_is_always_the_same(settings):
    world = school(80, settings, **{"Couzin__noise": 5.0, "Couzin__turning": 300.0})
    for _ in range(50):
        tick(world)
    assert np.linalg.norm(moving(world)[1], axis=1) == pytest.approx(np.full(80, SPEED), rel=1e-5)


@pytest.mark.parametrize("settings", [TORUS, DEEP], ids=["flat", "deep"])
def test_only_serials_count(settings):
    assert_only_serials_count(lambda: school(200, settings, **{"Couzin__noise": 3.0, "Couzin__turning": 150.0}))
