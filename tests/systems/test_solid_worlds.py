"""In space nobody gets into a ball, a pillar or a wall, or through it; who is put inside goes to free ground nearby."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from components.store.fields import DEEP
from components.store.world import World
from systems.engine.pipeline import Pipeline
from systems.engine.settings import Settings
from systems.engine.system import Phase
from systems.engine.threads import exactly
from systems.sense import food_index
from systems.space.obstacles import CLEARANCE, obstacles_of
from tests.solids import Solids, deep_settings, random_solids, units, vectors
from tests.terrain import MOVING, STEERING, crossings, mover_rows, of_movers, terrain
from tests.worlds import run

SIZE = (600.0, 600.0, 400.0)
EDGES = ["wrap", "bounce", "open", "turn"]
OPEN = deep_settings(SIZE, "open")
STRENGTH = 600.0


def tick(world: World, ticks: int = 1) -> None:
    for _ in range(ticks):
        world.resource(Pipeline).tick(world)
        world.tick += 1


def world_of(made: Solids, movers: dict, **more: object) -> World:
    return terrain(made.settings, movers, made.pillars, made.walls, balls=made.balls, **more)


def swarm(rng: np.random.Generator, count: int, fast: float) -> dict[str, object]:
    """Anywhere, all fast, some only just awake."""
    values = vectors("Position", rng.uniform(0, 1, (count, 3)) * SIZE)
    values |= vectors("Velocity", units(rng, count) * rng.choice([5, fast], (count, 1)))
    return {**values, "Motion.min_speed": rng.choice([0, 50], count), "Motion.max_speed": fast}


class Watch:
    """Looks after every tick whether someone got in, or through."""

    def __init__(self, world: World, made: Solids, fast: float) -> None:
        self.world, self.made, self.fast = world, made, fast
        self.before = of_movers(world, "Position")

    def look(self) -> None:
        places, made = of_movers(self.world, "Position"), self.made
        assert np.isfinite(places).all()
        assert made.gaps(places).min() >= 0
        if made.settings.edges in ("bounce", "wrap"):
            assert ((places >= 0) & (places <= SIZE)).all()
        longest, torus = self.fast / made.settings.tick_rate + 0.1, made.torus or (0.0, 0.0)
        before, after = (np.ascontiguousarray(each[:, :2]) for each in (self.before, places))
        assert crossings(before, after, made.ends, *torus[:2], longest) == 0
        assert made.passed_through(self.before, places, longest) == 0
        self.before = places


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), edges=st.sampled_from(EDGES), fast=st.sampled_from([60.0, 400.0, 3000.0]))
def test_nobody_gets_in_or_through(seed: int, edges: str, fast: float) -> None:
    """Everyone presses on into a direction of its own, kept for a while, with some noise."""
    rng = np.random.default_rng(seed)
    made = random_solids(rng, deep_settings(SIZE, edges), balls=25)
    world = world_of(made, swarm(rng, 150, fast), seed=seed)
    run(world, Phase.COMMANDS)
    watch, rows, wanted = Watch(world, made, fast), mover_rows(world), units(rng, 150)
    for _ in range(60):
        change = rng.random(150) < 0.02
        wanted[change] = units(rng, 150)[change]
        push = fast / 10 * (wanted + rng.normal(0, 0.25, wanted.shape))
        for axis, along in zip(DEEP, push.T, strict=True):
            world.table.columns[f"Velocity.{axis}"][rows] += along.astype(np.float32)
        tick(world)
        watch.look()


def slid(made: Solids, start: np.ndarray, along: np.ndarray, skin: float) -> np.ndarray:
    """Where a move ends that slides along one thing; NaN: it meets more, or rounding decides."""
    times = made.met(start, along, skin)
    if times.min() > 1:
        return start + along
    if np.isnan(times).any():
        return np.full(3, np.nan)
    first = int(times.argmin())
    start, along = start + times[first] * along, (1 - times[first]) * along
    out = made.out_of(start, first)
    along = along - (along @ out) * out
    others = np.delete(made.met(start, along, skin), first)
    return start + along if (others > 1).all() else np.full(3, np.nan)


@pytest.mark.parametrize("seed", range(3))
def test_a_move_stops_where_the_path_first_meets_something_and_slides_along_it(seed: int) -> None:
    rng = np.random.default_rng(seed)
    made = random_solids(rng, OPEN, balls=25)
    start, way = rng.uniform(0, 1, (500, 3)) * SIZE, units(rng, 500) * rng.choice([5, 60, 160], (500, 1))
    start = start.astype(np.float32).astype(np.float64)
    world = world_of(made, vectors("Position", start) | vectors("Velocity", way * 60) | {"Motion.max_speed": 1e4})
    skin = obstacles_of(world).skin
    free = np.flatnonzero(made.gaps(start).min(axis=1) > skin)
    tick(world)
    found = of_movers(world, "Position")
    wanted = np.array([slid(made, start[n], way[n], skin) for n in free])
    told = ~np.isnan(wanted).any(axis=1)
    assert told.mean() > 0.8
    assert (np.linalg.norm(wanted - start[free] - way[free], axis=1)[told] > 1).sum() > 20
    assert np.abs(found[free] - wanted)[told].max() < 2e-3


def test_who_flies_dead_at_a_ball_at_any_speed_stops_before_it_and_who_flies_past_does_not() -> None:
    ways = units(np.random.default_rng(1), 200) * np.geomspace(1, 1e4, 200)[:, None]
    heading = ways / np.linalg.norm(ways, axis=1)[:, None]
    made = Solids([[300, 300, 200, 20]], [], [], OPEN)
    values = vectors("Velocity", ways) | {"Motion.max_speed": 1e4}
    world = world_of(made, values | vectors("Position", (300, 300, 200) - 20.5 * heading))
    tick(world)
    assert np.abs(made.from_balls(of_movers(world, "Position")) - 20.25).max() < 0.3
    aside = np.cross(heading, units(np.random.default_rng(2), 200))
    aside *= 20.5 / np.linalg.norm(aside, axis=1)[:, None]
    start = ((300, 300, 200) - 50 * heading + aside).astype(np.float32)
    world = world_of(made, values | vectors("Position", start))
    tick(world)
    assert np.abs(of_movers(world, "Position") - start - ways / 60).max() < 1e-3


def test_who_presses_into_the_crease_between_two_pillars_slides_along_it() -> None:
    made = Solids([], [[300, 280, 25], [300, 320, 25]], [], OPEN)
    values = vectors("Position", [280, 300, 50]) | vectors("Velocity", [60, 3, 80]) | {"Motion.max_speed": 100.0}
    world = world_of(made, values)
    rows = mover_rows(world)
    for _ in range(120):
        world.table.columns["Velocity.x"][rows] = 60
        world.table.columns["Velocity.z"][rows] = 80
        tick(world)
    assert made.gaps(of_movers(world, "Position")).min() >= 0
    assert of_movers(world, "Position")[0, 2] == pytest.approx(50 + 160, rel=0.05)


def pushed(places: np.ndarray, made: Solids) -> np.ndarray:
    """Where COMMANDS leaves those who were put there."""
    world = world_of(made, vectors("Position", places))
    run(world, Phase.COMMANDS)
    return of_movers(world, "Position")


def test_out_of_a_ball_and_a_pillar_by_the_nearest_way() -> None:
    made = Solids([[100, 100, 100, 10]], [[300, 300, 20]], [], OPEN)
    found = pushed(np.array([[102, 103, 106], [303, 304, 77]]), made)
    assert found[0] == pytest.approx((100 + 20 / 7, 100 + 30 / 7, 100 + 60 / 7), abs=0.01)
    assert found[1] == pytest.approx((312, 316, 77), abs=0.01)


def test_from_the_very_middle_they_part_in_all_directions() -> None:
    made = Solids([[100, 100, 100, 10]], [], [], OPEN)
    away = pushed(np.full((200, 3), 100.0), made) - 100
    assert np.linalg.norm(away, axis=1) == pytest.approx(np.full(200, 10), abs=0.01)
    assert np.abs(away.mean(axis=0)).max() < 1
    assert np.square(away).mean(axis=0) == pytest.approx([100 / 3] * 3, rel=0.1)


def test_where_nothing_at_all_is_free_they_stay() -> None:
    for edges in ("wrap", "bounce"):
        places = np.array([[30.0, 40.0, 50.0], [100.0, 190.0, 20.0]])
        made = Solids([[300, 300, 200, 1000]], [], [], deep_settings(SIZE, edges))
        assert np.array_equal(pushed(places, made), places)


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), edges=st.sampled_from(EDGES))
def test_among_solids_that_overlap_they_go_to_free_ground_nearby_in_the_world(seed: int, edges: str) -> None:
    rng = np.random.default_rng(seed)
    made = random_solids(rng, deep_settings(SIZE, edges), balls=40)
    places = (rng.uniform(0, 1, (400, 3)) * SIZE).astype(np.float32).astype(np.float64)
    found, inside = pushed(places, made), made.gaps(places).min(axis=1) < 0
    assert made.gaps(found).min() >= 0
    assert np.array_equal(found[~inside], places[~inside])
    if edges in ("wrap", "bounce"):
        assert ((found >= 0) & (found <= SIZE)).all()
    far = np.linalg.norm(made.nearest(found - places), axis=1)
    near = [far[n] <= 1.1 * farthest_search(rng, made, places[n]) + 0.1 for n in np.flatnonzero(inside)[:20]]
    assert np.mean(near) >= 0.8 if near else True


def farthest_search(rng: np.random.Generator, made: Solids, place: np.ndarray) -> float:
    """How far it is to free ground along some of 500 ways."""
    ways = units(rng, 500)
    for far in np.geomspace(0.05, 500, 100):
        there = place + far * ways
        if made.settings.edges == "bounce":
            there = there[((there >= 0) & (there <= SIZE)).all(axis=1)]
        if len(there) and made.gaps(there).min(axis=1).max() >= 0.01:
            return float(far)
    return np.inf


def test_whom_a_ball_is_put_onto_is_pushed_out_and_food_too() -> None:
    made = Solids([[100, 100, 100, 10]], [], [], OPEN)
    world = world_of(made, vectors("Position", [300, 300, 300]), more=["Food"], parts=(*MOVING, food_index.install))
    run(world, Phase.COMMANDS)
    row = mover_rows(world)[0]
    for axis, value in zip(DEEP, (305, 300, 300), strict=True):
        world.table.write(f"Position.{axis}", 0, value)
    run(world, Phase.COMMANDS)
    assert world.table.columns["Position.x"][row] == pytest.approx(295, abs=0.01)


def steered(made: Solids, p: np.ndarray, v: np.ndarray, more: list[str], **values: object) -> np.ndarray:
    """What these components add."""
    given = vectors("Position", p) | vectors("Velocity", v)
    given |= {key.replace("_", ".", 1): value for key, value in values.items()}
    world = world_of(made, given, parts=STEERING, more=more)
    run(world, Phase.SENSE, Phase.STEER)
    return of_movers(world, "Motion.acceleration")


def avoiding(made: Solids, p: np.ndarray, v: np.ndarray, look: float, serial: int) -> np.ndarray:
    """What avoidance adds, by its equations; NaN where rounding decides."""
    unclear, pushed_off = np.full(3, np.nan), np.zeros(3)
    heading, gap = v / np.linalg.norm(v), made.gaps(p)[0]
    if gap.min() < CLEARANCE:
        pushed_off = STRENGTH * (1 - max(gap.min(), 0) / CLEARANCE) * made.out_of(p, int(gap.argmin()))
    times = np.where(gap <= CLEARANCE, 2.0, made.met(p, heading * look, CLEARANCE))
    for n in np.flatnonzero(gap <= CLEARANCE):
        if heading @ made.out_of(p, n) < 0:
            times[n] = 0.0
    if np.isnan(times).any() or (times == 0).sum() > 1:
        return unclear
    k, share = int(times.argmin()), times.min()
    if share > 1:
        return pushed_off
    normal = made.out_of(p + share * look * heading, k)
    left = np.array([-heading[1], heading[0], 0])
    left = left / np.linalg.norm(left)
    across = normal - (normal @ heading) * heading
    leaning = np.linalg.norm(across)
    side = across / leaning if k >= len(made.ends) and leaning > 0.02 else left
    ways = [np.sqrt(0.5) * look * (heading + sign * side) for sign in (1, -1)]
    one, other = (min(made.met(p, way, 0.0).min(), 1.0) for way in ways)
    lean = float(side @ normal)
    if (
        np.isnan(one + other)
        or abs(abs(one - other) - 0.01) < 1e-4
        or min(abs(abs(lean) - 0.02), abs(leaning - 0.02)) < 1e-4
    ):
        return unclear
    if abs(one - other) > 0.01:
        side = side if one > other else -side
    elif one == other == 1 and abs(lean) > 0.02:
        side = np.sign(lean) * side
    else:
        side = left if serial % 2 == 0 else -left
    return pushed_off + STRENGTH * (1 - share) * (side - 0.5 * max(0, -heading @ normal) * heading)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("radius", [0.0, 70.0])
def test_avoidance_equals_the_equations(seed: int, radius: float) -> None:
    rng, count = np.random.default_rng(seed), 600
    made = random_solids(rng, OPEN, balls=40)
    p = (rng.uniform(0, 1, (count, 3)) * SIZE).astype(np.float32).astype(np.float64)
    v = rng.normal(0, 60, (count, 3)).astype(np.float32).astype(np.float64)
    values = {"Avoidance_strength": STRENGTH, "Avoidance_radius": radius, "Avoidance_look_ahead": 0.6}
    found = steered(made, p, v, ["Avoidance"], **values)
    free = np.flatnonzero(made.gaps(p).min(axis=1) > 0)
    look = np.where(radius, radius, np.linalg.norm(v, axis=1) * np.float64(np.float32(0.6)))
    first = len(made.balls) + len(made.pillars) + len(made.walls) + 1
    wanted = np.array([avoiding(made, p[n], v[n], look[n], first + n) for n in free])
    told = ~np.isnan(wanted).any(axis=1)
    assert told.mean() > 0.9
    assert (np.abs(wanted[told]) > 1).any(axis=1).sum() > 50
    assert np.abs(found[free] - wanted)[told].max() < 0.02


def test_in_one_plane_with_the_balls_they_turn_as_round_the_circles_of_a_flat_world() -> None:
    rng = np.random.default_rng(3)
    circles = np.column_stack([rng.uniform(0, 600, (30, 2)), rng.uniform(5, 40, 30)])
    p, v = rng.uniform(0, 600, (500, 2)), rng.normal(0, 80, (500, 2))
    flat = {"Position.x": p[:, 0], "Position.y": p[:, 1], "Velocity.x": v[:, 0], "Velocity.y": v[:, 1]}
    world = terrain(Settings(600, 600, "open"), flat, circles, (), STEERING, ["Avoidance"])
    run(world, Phase.SENSE, Phase.STEER)
    level, still = np.full(500, 200.0), np.zeros(500)
    made = Solids(np.insert(circles, 2, 200, axis=1), [], [], OPEN)
    found = steered(made, np.column_stack([p, level]), np.column_stack([v, still]), ["Avoidance"])
    assert np.abs(found[:, 2]).max() == 0
    assert np.abs(found[:, :2] - of_movers(world, "Motion.acceleration")).max() < 1e-3


def test_it_goes_round_the_near_side_of_a_ball_and_dead_ahead_by_serial() -> None:
    aside = units(np.random.default_rng(5), 100) * (0, 10, 10)
    p = np.zeros((100, 3)) + aside
    push = steered(Solids([[60, 0, 0, 20]], [], [], OPEN), p, np.full((100, 3), (100.0, 0, 0)), ["Avoidance"])
    across, away = push[:, 1:], aside[:, 1:] / np.linalg.norm(aside[:, 1:], axis=1)[:, None]
    assert ((across * away).sum(axis=1) / np.linalg.norm(across, axis=1))[
        np.linalg.norm(aside, axis=1) > 2
    ].min() > 0.999
    for way in np.eye(3) * 100:
        ball = np.append(0.6 * way, 20)
        push = steered(Solids([ball], [], [], OPEN), np.zeros((10, 3)), np.full((10, 3), way), ["Avoidance"])
        heading = way / 100
        across = push - (push @ heading)[:, None] * heading
        assert np.linalg.norm(across, axis=1).min() > 100
        assert across[0::2] == pytest.approx(-across[1::2])


def repelled(made: Solids, p: np.ndarray, v: np.ndarray, reach: float, angle: float) -> np.ndarray:
    """What repulsion adds with a strength of 60 and no limit; NaN where rounding decides."""
    away = np.concatenate([p - made.balls[:, :3], np.append(p[:2], 0) - np.insert(made.pillars[:, :2], 2, 0, axis=1)])
    away = made.nearest(away)
    if made.torus:
        away[len(made.balls) :, 2] = 0
    d, speed = np.linalg.norm(away, axis=1), np.linalg.norm(v)
    cosine = away @ v / (d * speed) if speed else np.ones(len(d))
    shown = np.cos(np.radians(angle))
    if (np.abs(d - reach) < 1e-3).any() or (speed and (np.abs(cosine - shown)[d < reach] < 1e-5).any()):
        return np.full(3, np.nan)
    told = (d < reach) & (cosine >= shown)
    total = (away[told] / d[told, None] ** 2).sum(axis=0)
    if not told.any():
        return np.zeros(3)
    return 60 * (180 * total / np.linalg.norm(total) - v)


@pytest.mark.parametrize("edges", ["wrap", "open"])
@pytest.mark.parametrize(("reach", "angle"), [(80.0, 108.0), (80.0, 180.0), (1000.0, 90.0)])
def test_repulsion_equals_the_equation(edges: str, reach: float, angle: float) -> None:
    rng = np.random.default_rng([int(reach), int(angle)])
    made = random_solids(rng, deep_settings(SIZE, edges), balls=30)
    if made.torus:
        made.balls[:, :3], made.pillars[:, :2] = made.balls[:, :3] % SIZE, made.pillars[:, :2] % SIZE[:2]
        made = Solids(made.balls, made.pillars, made.walls, made.settings)
    p = (rng.uniform(0, 1, (300, 3)) * SIZE).astype(np.float32).astype(np.float64)
    v = (rng.normal(0, 80, (300, 3)) * rng.choice([0, 1, 1, 1], (300, 1))).astype(np.float32).astype(np.float64)
    values = {
        "Motion_max_speed": 180.0,
        "Repulsion_radius": reach,
        "Repulsion_strength": 60.0,
        "Repulsion_angle": angle,
    }
    found = steered(made, p, v, ["Repulsion"], **values)
    wanted = np.array([repelled(made, p[n], v[n], reach, angle) for n in range(300)])
    told = ~np.isnan(wanted).any(axis=1)
    assert told.mean() > 0.9
    assert (np.abs(wanted[told]) > 1).any(axis=1).sum() > 50
    assert np.abs(found - wanted)[told].max() < 0.5


@pytest.mark.parametrize("edges", EDGES)
def test_threads_and_the_order_of_rows_change_no_bit(edges: str) -> None:
    rng = np.random.default_rng(4)
    made = random_solids(rng, deep_settings(SIZE, edges), balls=40)
    values = {**swarm(rng, 1500, 400.0), "Avoidance.strength": STRENGTH, "Repulsion.radius": 80.0}
    found = []
    for threads, shuffled in ((1, False), (2, False), (2, True)):
        with exactly(threads):
            world = world_of(made, values, parts=STEERING)
            for n in range(40):
                if shuffled and n % 7 == 0:
                    world.table.reorder(np.random.default_rng(n).permutation(world.table.size))
                tick(world)
            found.append(np.hstack([of_movers(world, "Position"), of_movers(world, "Velocity")]))
    assert np.array_equal(found[0], found[1])
    assert np.array_equal(found[0], found[2])
