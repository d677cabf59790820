"""Nobody gets into anything or through a wall, whatever the speed, and everyone slides along."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from components.store.world import World
from systems.engine.pipeline import Pipeline
from systems.engine.settings import Settings
from systems.engine.system import Phase
from tests.terrain import Scenery, crossings, deepest, gaps, mover_rows, of_movers, scenery, shapes, terrain, winding
from tests.worlds import run

FAST = 400.0  # u/s
SIZE = 600.0


def tick(world: World, ticks: int = 1) -> None:
    for _ in range(ticks):
        world.resource(Pipeline).tick(world)
        world.tick += 1


def mover(x: float, y: float, vx: float, vy: float, top: float = 1e4) -> dict[str, object]:
    return {"Position.x": x, "Position.y": y, "Velocity.x": vx, "Velocity.y": vy, "Motion.max_speed": top}


def swarm(rng: np.random.Generator, count: int, size: float) -> dict[str, object]:
    """Anywhere, all fast, some only just awake."""
    turn, speed = rng.uniform(0, 2 * np.pi, count), rng.choice([5, FAST], count)
    return {
        "Position.x": rng.uniform(0, size, count), "Position.y": rng.uniform(0, size, count),
        "Velocity.x": np.cos(turn) * speed, "Velocity.y": np.sin(turn) * speed,
        "Motion.min_speed": rng.choice([0, 50], count), "Motion.max_speed": FAST,
    }  # fmt: skip


class Watch:
    """Looks after every tick whether someone got in, or through."""

    def __init__(self, world: World, made: Scenery, settings: Settings) -> None:
        self.world, self.made, self.settings = world, made, settings
        self.ends, self.radius = shapes(made.circles, made.walls)
        self.torus = settings.torus or (0.0, 0.0)
        self.before = of_movers(world, "Position")
        self.looks = 0
        self.sides = self.inside()

    def inside(self) -> list[np.ndarray]:
        """Who is in each polygon."""
        found = []
        for corner in self.made.polygons:
            place = of_movers(self.world, "Position") - corner.mean(0)
            if self.settings.torus:
                place -= self.torus * np.rint(place / self.torus)
            found.append(winding(place, corner - corner.mean(0)))
        return found

    def look(self) -> None:
        places = of_movers(self.world, "Position")
        assert np.isfinite(places).all()
        assert deepest(places, self.ends, self.radius, *self.torus) >= 0
        if self.settings.edges == "bounce":
            assert places.min() >= 0
            assert (places <= (self.settings.width, self.settings.height)).all()
        longest = FAST / self.settings.tick_rate + 0.1
        assert crossings(self.before, places, self.ends, *self.torus, longest) == 0
        for before, now in zip(self.sides, self.inside(), strict=True):
            assert np.array_equal(before, now)
        self.before = places
        self.looks += 1


def shove(world: World, rng: np.random.Generator, wanted: np.ndarray, hard: float) -> None:
    """Everyone presses on into a direction of its own, kept for a while, with some noise."""
    rows = mover_rows(world)
    change = rng.random(len(rows)) < 0.02
    turn = rng.uniform(0, 2 * np.pi, len(rows))
    wanted[change] = np.stack([np.cos(turn), np.sin(turn)], 1)[change]
    push = hard * wanted + rng.normal(0, hard / 4, wanted.shape)
    for axis, column in enumerate(("Velocity.x", "Velocity.y")):
        world.table.columns[column][rows] += push[:, axis].astype(np.float32)


def campaign(edges: str, seed: int, count: int, ticks: int, size: float, made: Scenery) -> int:
    """After how many ticks everyone was looked at, and nobody was found inside anything or beyond a wall."""
    rng = np.random.default_rng(seed)
    world_settings = Settings(size, size, edges)
    world = terrain(world_settings, swarm(rng, count, size), made.circles, made.walls, seed=seed)
    wanted = rng.normal(0, 1, (count, 2))
    wanted /= np.hypot(*wanted.T)[:, None]
    run(world, Phase.COMMANDS)
    watch = Watch(world, made, world_settings)
    for _ in range(ticks):
        shove(world, rng, wanted, 40)
        tick(world)
        watch.look()
    return watch.looks


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), edges=st.sampled_from(["wrap", "bounce", "open", "turn"]))
def test_nobody_gets_in_or_through(seed: int, edges: str) -> None:
    made = scenery(np.random.default_rng(seed), SIZE, circles=12, polygons=4, corners=5, walls=15)
    assert campaign(edges, seed, count=120, ticks=80, size=SIZE, made=made) == 80


@pytest.mark.verify
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("edges", ["wrap", "bounce"])
def test_nobody_of_thousands_gets_in_or_through_for_five_thousand_ticks(edges: str) -> None:
    made = scenery(np.random.default_rng(1), 3000.0, circles=150, polygons=36, corners=40, walls=74)
    numba.set_num_threads(numba.config.NUMBA_NUM_THREADS)
    assert campaign(edges, 2, count=5200, ticks=5000, size=3000.0, made=made) == 5000


@pytest.mark.parametrize("speed", [1.0, 60.0, 1000.0, 1e4])
@pytest.mark.parametrize("tick_rate", [1, 60])
def test_no_speed_leads_through_the_thinnest_wall(speed, tick_rate):
    turns = np.linspace(0.05, np.pi - 0.05, 50)
    start = {"Position.x": np.full(50, 300.0), "Position.y": np.full(50, 290.0), "Motion.max_speed": 1e4}
    way = {"Velocity.x": np.cos(turns) * speed, "Velocity.y": np.sin(turns) * speed}
    wall = [[-2e5, 300, 2e5, 300, 0.1]]
    world = terrain(Settings(1000, 1000, "open", tick_rate=tick_rate), start | way, (), wall)
    for _ in range(30):
        tick(world)
        assert np.all(of_movers(world, "Position")[:, 1] < 300)
    velocity = of_movers(world, "Velocity")
    if speed * 0.5 * np.sin(turns).min() > 10:  # all have come to it
        assert np.abs(velocity[:, 0] - np.cos(turns) * speed).max() < 1e-3 * speed
        assert np.all(velocity[:, 1] <= 0)


def test_the_rest_of_the_way_slides_along():
    # 60 u to the right and up: 3 of 5 are left when the wall 30 u above stops what leads up.
    world = terrain(Settings(1000, 1000, "open", tick_rate=1), mover(100, 100, 60, 50), (), [[0, 121, 500, 121, 2]])
    tick(world)
    assert of_movers(world, "Position")[0] == pytest.approx((160, 120), abs=0.005)
    assert of_movers(world, "Velocity")[0] == pytest.approx((60, 0), abs=1e-4)


def test_round_a_circle_it_slides_along_the_tangent_at_the_hit():
    world = terrain(Settings(1000, 1000, "open", tick_rate=1), mover(90, 80, 0, 40), [[100, 110, 14]])
    tick(world)
    hit = np.array([90, 110 - np.sqrt(14.004**2 - 100)])
    n = (hit - (100, 110)) / 14.004
    rest = np.array([0, 120 - hit[1]])
    assert of_movers(world, "Position")[0] == pytest.approx(hit + rest - (rest @ n) * n, abs=1e-3)
    velocity = np.array([0.0, 40])
    assert of_movers(world, "Velocity")[0] == pytest.approx(velocity - (velocity @ n) * n, abs=1e-2)


def test_across_the_seam_of_a_torus_as_anywhere():
    wall = [[95, 50, 105, 50, 1]]
    world = terrain(Settings(100, 100, "wrap", tick_rate=1), mover(2, 40, 1, 30), (), wall)
    tick(world)
    assert of_movers(world, "Position")[0] == pytest.approx((3, 49.5), abs=0.005)
    circle = [[1, 50, 5]]
    world = terrain(Settings(100, 100, "wrap", tick_rate=1), mover(97, 20, 0, 500), circle)
    tick(world)
    assert of_movers(world, "Position")[0, 1] < 50


def test_reflected_at_an_edge_nobody_lands_behind_a_wall():
    world = terrain(Settings(100, 100, "bounce", tick_rate=1), mover(50, 90, 0, 50), (), [[0, 70, 100, 70, 1]])
    for _ in range(50):
        tick(world)
        assert of_movers(world, "Position")[0, 1] > 70.5


@pytest.mark.parametrize("circle", [[395, 5, 30], [380, 150, 40], [400, 300, 80], [200, 290, 9.5]])
@pytest.mark.parametrize("tick_rate", [1, 60])
def test_an_obstacle_at_the_edge_of_a_bounce_world_leads_nobody_out(circle, tick_rate):
    rng = np.random.default_rng(1)
    start = {"Position.x": rng.uniform(0, 400, 300), "Position.y": rng.uniform(0, 300, 300)}
    turns = rng.uniform(0, 2 * np.pi, 300)
    start |= {"Velocity.x": 150 * np.cos(turns), "Velocity.y": 150 * np.sin(turns)}
    start |= {"Motion.min_speed": rng.choice([0, 150], 300)}
    world = terrain(Settings(400, 300, "bounce", tick_rate=tick_rate), start, [circle])
    ends, radius = shapes([circle])
    for _ in range(300):
        tick(world)
        places = of_movers(world, "Position")
        assert places.min() >= 0
        assert (places <= (400, 300)).all()
        assert gaps(places, ends, radius).min() >= 0


def test_at_the_far_end_of_an_open_world_nobody_is_pressed_into_an_obstacle():
    start = {"Position.x": np.full(9, 999_900.0), "Position.y": np.linspace(-40, 40, 9)}
    start |= {"Velocity.x": 1e4, "Motion.max_speed": 1e4}
    world = terrain(Settings(100, 100, "open"), start, [[1e6, 0, 30]])
    ends, radius = shapes([[1e6, 0, 30]])
    for _ in range(10):
        tick(world)
        places = of_movers(world, "Position")
        assert places.max() <= 1e6
        assert gaps(places, ends, radius).min() >= 0


def test_where_nothing_is_free_nobody_is_flung_through_the_world():
    """Each way out of the obstacle's depth would be searched in thousands of steps, too."""
    places = np.random.default_rng(1).random((50, 2)) * 5000
    start = {"Position.x": places[:, 0], "Position.y": places[:, 1], "Velocity.x": 60.0, "Motion.max_speed": 60.0}
    world = terrain(Settings(5000, 5000, "bounce"), start, [[2500, 2500, 1e5]])
    for _ in range(3):
        before = of_movers(world, "Position").copy()
        tick(world)
        assert np.abs(of_movers(world, "Position") - before).max() < 30


def test_whoever_touches_nothing_keeps_every_bit():
    rng = np.random.default_rng(3)
    movers = swarm(rng, 500, 1000)
    circles = np.column_stack([rng.uniform(0, 1000, (10, 2)), np.full(10, 30)])
    with_them = terrain(Settings(1000, 1000, "wrap"), movers, circles)
    without = terrain(Settings(1000, 1000, "wrap"), movers)
    ends, radius = shapes(circles)
    far = gaps(of_movers(without, "Position"), ends, radius, (1000.0, 1000.0)).min(1) > 7 * FAST / 60
    assert 100 < far.sum() < 500
    for world in (with_them, without):
        tick(world, 5)
    for name in ("Position", "Velocity"):
        assert np.array_equal(of_movers(with_them, name)[far], of_movers(without, name)[far])


@pytest.mark.parametrize("size", [100.0, 4000.0, 900_000.0])
@pytest.mark.parametrize("turn", [0, 0.3, 1.1, 2.0])
@pytest.mark.parametrize("ticks", [600, pytest.param(3000, marks=pytest.mark.verify)])
def test_nobody_creeps_into_what_it_leans_on_or_gets_stuck_at_it(size, turn, ticks):
    ux, uy = np.cos(turn), np.sin(turn)
    at = size * 0.9
    wall = [at - 1e4 * ux, at - 1e4 * uy, at + 1e4 * ux, at + 1e4 * uy, 1.0]
    lean = 10.0 ** np.arange(-9, 3)
    start = {"Position.x": np.full(len(lean), at + 2 * uy), "Position.y": at - 2 * ux, "Motion.max_speed": 150.0}
    world = terrain(Settings(size, size, "open"), start, (), [wall])
    ends, radius = shapes((), [wall])
    rows = mover_rows(world)
    first = of_movers(world, "Position")
    for n in range(ticks):
        world.table.columns["Velocity.x"][rows] = 20 * ux - lean * uy
        world.table.columns["Velocity.y"][rows] = 20 * uy + lean * ux
        tick(world)
        if n % 100 == 99:
            assert gaps(of_movers(world, "Position"), ends, radius).min() >= 0
    assert np.hypot(*(of_movers(world, "Position") - first).T) == pytest.approx(np.full(len(lean), ticks / 3), rel=0.1)


def test_in_an_acute_corner_it_stays_and_comes_out_again():
    walls = [[0, 0, 200, 10, 1], [0, 0, 200, -10, 1]]
    world = terrain(Settings(1000, 1000, "open"), mover(150, 0, -300, 20, 300), (), walls)
    ends, radius = shapes((), walls)
    rows = mover_rows(world)
    for way in (-300.0, 300.0):
        for _ in range(200):
            world.table.columns["Velocity.x"][rows] = way
            tick(world)
            assert gaps(of_movers(world, "Position"), ends, radius).min() >= 0
        assert of_movers(world, "Position")[0, 0] < 30 if way < 0 else of_movers(world, "Position")[0, 0] > 300


def test_who_is_caught_in_an_acute_corner_turns_round():
    walls = [[0, 0, 200, 10, 1], [0, 0, 200, -10, 1]]
    values = mover(100, 0, -300, 20, 300) | {"Motion.min_speed": 60.0}
    world = terrain(Settings(1000, 1000, "open"), values, (), walls)
    places = []
    for _ in range(300):
        tick(world)
        places.append(of_movers(world, "Position")[0, 0])
    assert min(places) < 30
    assert places[-1] > 200


def test_who_is_an_obstacle_itself_is_not_stopped():
    values = {"Position.x": 50.0, "Position.y": 20.0, "Velocity.x": 0.0, "Velocity.y": 100.0}
    world = terrain(Settings(1000, 1000, "open"), values, [[50, 50, 10]], more=["Obstacle"])
    tick(world, 60)
    assert of_movers(world, "Position")[0, 1] == pytest.approx(120, abs=0.01)


def state(threads: int, shuffle: int | None) -> np.ndarray:
    numba.set_num_threads(min(threads, numba.config.NUMBA_NUM_THREADS))
    rng = np.random.default_rng(5)
    made = scenery(rng, SIZE, circles=12, polygons=4, corners=5, walls=15)
    world = terrain(Settings(SIZE, SIZE, "wrap"), swarm(rng, 2000, SIZE), made.circles, made.walls)
    for n in range(60):
        if shuffle is not None and n % 7 == 0:
            world.table.reorder(np.random.default_rng([shuffle, n]).permutation(world.table.size))
        tick(world)
    return np.hstack([of_movers(world, "Position"), of_movers(world, "Velocity")])


def test_threads_and_the_order_of_rows_change_no_bit():
    first = state(1, None)
    assert np.array_equal(first, state(2, None))
    assert np.array_equal(first, state(2, 3))
