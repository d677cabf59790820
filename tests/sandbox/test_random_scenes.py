"""Whatever a valid scene says, with depth or without: nobody leaves a "bounce" or "wrap" world, gets into an obstacle
or through a wall or a ball, every value stays within its bounds, who can move does, and the same bits come of it on
any threads, in any order of rows, through save and load.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

import numpy as np
import pytest

from components.motion import Motion, Position, Velocity
from components.store.fields import DEEP, FLAT
from components.store.records import form_of, limits
from components.wind import Wind
from sandbox import opening
from sandbox.scenes.reader import scene_of
from sandbox.simulation import Simulation
from sandbox.toml.source import TomlSource
from systems.engine.settings import Settings
from systems.engine.threads import exactly
from systems.space.obstacles import Obstacles, obstacles_of
from tests.random_scenes import random_scene
from tests.solids import Solids
from tests.terrain import crossings, deepest

TICKS = 30
DEEPEST = 0.01  # u


def opened(seed: int, axes: str) -> Simulation:
    return Simulation(scene_of(TomlSource(f"random{seed}.toml", random_scene(seed, axes).encode())))


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    with exactly(1):
        yield


worlds = pytest.mark.parametrize("axes", [FLAT, DEEP])


@worlds
@pytest.mark.parametrize("seed", range(4))
def test_the_laws_hold_in_a_random_scene(seed: int, axes: str, tmp_path: Path) -> None:
    check(seed, axes, tmp_path)


@pytest.mark.verify
@worlds
@pytest.mark.parametrize("seed", range(4, 340))
def test_the_laws_hold_in_many_random_scenes(seed: int, axes: str, tmp_path: Path) -> None:
    check(seed, axes, tmp_path)


@worlds
def test_random_worlds_are_alive(axes: str) -> None:
    check_life(range(8), axes)


@pytest.mark.verify
@pytest.mark.parametrize("first", range(0, 3000, 100))
def test_three_thousand_random_worlds_with_depth_are_alive(first: int) -> None:
    check_life(range(first, first + 100), DEEP)


def check_life(seeds: range, axes: str) -> None:
    """Who can move does, and goes on where neither drag nor air holds it; no number is NaN, and nobody is outside."""
    alive = 0
    for seed in seeds:
        with opened(seed, axes) as simulation:
            before, can_move = places_of(simulation), movers(simulation)
            settings, obstacles = simulation.world.resource(Settings), obstacles_of(simulation.world)
            for _ in range(TICKS):
                simulation.step()
                check_inside(simulation)
            check_values(simulation)
            after, speeds = places_of(simulation), speeds_without_brakes(simulation, can_move)
            windy = len(simulation.world.table.rows(Wind)) > 0  # air that stands still can stop anyone within a tick
        moved = [(after[serial] != before[serial]).any() for serial in can_move if serial in after]
        if moved and not windy and not (any(moved) and (not len(speeds) or speeds.mean() > 0)):
            assert not is_free_ground(settings, obstacles), f"seed {seed}"
        alive += any(moved)
    assert alive > len(seeds) / 3


def movers(simulation: Simulation) -> list[int]:
    """The serials of those who have a top speed, and fly or must fly."""
    table = simulation.world.table
    rows = table.rows(Position, Velocity, Motion)
    flies = table.stacked("Velocity", rows).any(axis=1) | (table.columns["Motion.min_speed"][rows] > 0)
    found: list[int] = table.serial[rows[flies & (table.columns["Motion.max_speed"][rows] > 0)]].tolist()
    return found


def speeds_without_brakes(simulation: Simulation, serials: list[int]) -> np.ndarray:
    """The speeds of those of them who have little drag, u/s."""
    table = simulation.world.table
    rows = table.living(np.array(serials, np.int64))
    rows = rows[table.columns["Motion.drag"][rows] <= 1]
    speeds: np.ndarray = np.linalg.norm(table.stacked("Velocity", rows).astype(float), axis=1)
    return speeds


def check_inside(simulation: Simulation) -> None:
    """Everyone who moves is somewhere, and not beyond edges that nobody can pass."""
    settings = simulation.world.resource(Settings)
    now = np.reshape([*places_of(simulation).values()], (-1, len(settings.size)))
    assert np.isfinite(now).all()
    if settings.edges in ("bounce", "wrap"):
        assert ((now >= 0) & (now <= np.array(settings.size, np.float32))).all()


def check(seed: int, axes: str, folder: Path) -> None:
    with opened(seed, axes) as simulation:
        check_places(simulation, {}, obstacles_of(simulation.world))
        for _ in range(TICKS):
            before = places_of(simulation), obstacles_of(simulation.world)
            simulation.step()
            check_places(simulation, *before)
            check_values(simulation)
            check_speeds(simulation, before[0])
        expected = simulation.digest()
    assert on_two_threads(seed, axes) == expected
    assert with_rows_shuffled(seed, axes) == expected
    assert through_files(seed, axes, folder / "state.boids") == expected


def on_two_threads(seed: int, axes: str) -> str:
    with opened(seed, axes) as simulation, exactly(2):
        simulation.step(TICKS)
        return simulation.digest()


def with_rows_shuffled(seed: int, axes: str) -> str:
    shuffle = np.random.default_rng(seed)
    with opened(seed, axes) as simulation:
        for _ in range(TICKS):
            simulation.world.table.reorder(shuffle.permutation(simulation.world.table.size))
            simulation.step()
        return simulation.digest()


def through_files(seed: int, axes: str, path: Path) -> str:
    simulation = opened(seed, axes)
    for _ in range(3):
        simulation.save(path)
        simulation.close()
        simulation = opening.load(path)
        simulation.step(TICKS // 3)
    with simulation:
        return simulation.digest()


def places_of(simulation: Simulation) -> dict[int, np.ndarray]:
    """Where everyone is who moves, float64 (axes,), by serial."""
    table = simulation.world.table
    rows = table.rows(Position, Velocity)
    places = table.stacked("Position", rows).astype(float)
    return dict(zip(table.serial[rows].tolist(), places, strict=True))


def check_places(simulation: Simulation, before: dict[int, np.ndarray], obstacles_before: Obstacles) -> None:
    """Nobody is outside, or inside anything (unless a tick ago there was no room anywhere), or has crossed a wall."""
    check_inside(simulation)
    settings, found = simulation.world.resource(Settings), places_of(simulation)
    now = np.reshape([*found.values()], (-1, len(settings.size)))
    obstacles, torus = obstacles_of(simulation.world), settings.torus or (0.0, 0.0)
    if not obstacles or not len(now):
        return
    inside = (gaps(now, settings, obstacles) < -DEEPEST).any()
    assert not inside or not is_free_ground(settings, obstacles_before)
    longest = 1e4 / settings.tick_rate + 0.1
    if not inside and not 0 < min(torus) <= 2 * longest:  # on a torus any move may also be a shorter one, the other way
        stayed = [serial for serial in found if serial in before]
        ways = [np.reshape([places[serial] for serial in stayed], (-1, now.shape[1])) for places in (before, found)]
        was_outside = gaps(ways[0], settings, obstacles_before) >= -DEEPEST  # others are moved to where there is room
        ways = [way[was_outside] for way in ways]
        assert crossings(*(way[:, :2] for way in ways), obstacles.capsules.ends, *torus[:2], longest) == 0
        if now.shape[1] == 3:
            assert balls_of(settings, obstacles).passed_through(*ways, longest) == 0


def is_free_ground(settings: Settings, obstacles: Obstacles) -> bool:
    """Whether there is room anywhere in a world; without edges there always is."""
    if settings.edges in ("open", "turn"):
        return True
    places = np.random.default_rng(0).random((5000, len(settings.size))) * settings.size
    return bool((gaps(places, settings, obstacles) > 2 * obstacles.skin).any())


def gaps(places: np.ndarray, settings: Settings, obstacles: Obstacles) -> np.ndarray:
    """How far each place is from anything solid, negative inside."""
    ends, radius, torus = obstacles.capsules.ends, obstacles.capsules.radius, obstacles.capsules.torus or (0.0, 0.0)
    found = np.array([deepest(place[None], ends, radius, *torus) for place in places[:, :2]])
    balls = balls_of(settings, obstacles)
    return np.minimum(found, balls.gaps(places).min(axis=1)) if len(balls.balls) else found


def balls_of(settings: Settings, obstacles: Obstacles) -> Solids:
    """The balls among the obstacles, if the world has depth."""
    balls = obstacles.balls
    found = [] if balls is None else np.column_stack([balls.ends[:, :3], balls.radius])
    return Solids(np.array(found), np.zeros((0, 3)), np.zeros((0, 5)), settings)


def check_values(simulation: Simulation) -> None:
    """All are what a snapshot may hold."""
    table, prefabs = simulation.world.table, len(simulation.world.prefabs)
    for component in table.components.values():
        rows = table.rows(component)
        for field in form_of(component).fields:
            for key in field.columns():
                allowed = limits(field, prefabs)
                assert allowed.hold(table.columns[key][rows]), (key, table.columns[key][rows], allowed.must)


def check_speeds(simulation: Simulation, before: Collection[int]) -> None:
    """Nobody is faster than it may be; the young take their parent's velocity and have not moved yet."""
    table = simulation.world.table
    rows = table.rows(Position, Velocity, Motion)
    rows = rows[np.isin(table.serial[rows], list(before))]
    speed = np.linalg.norm(table.stacked("Velocity", rows).astype(float), axis=1)
    assert (speed <= table.columns["Motion.max_speed"][rows] * (1 + 1e-5) + 1e-6).all()
