"""Steering looks ahead and turns to the clear side."""

from __future__ import annotations

import time

import numba
import numpy as np
import pytest

from systems.engine.pipeline import Pipeline
from systems.engine.settings import Settings
from systems.engine.system import Phase
from systems.space.obstacles import CLEARANCE
from tests.terrain import STEERING, gaps, meetings, mover_rows, of_movers, scenery, shapes, terrain
from tests.worlds import run

OPEN = Settings(1000, 1000, "open")
STRENGTH = 600.0


def steered(values: dict, circles: object = (), walls: object = (), settings: Settings = OPEN) -> np.ndarray:
    """What avoidance adds."""
    world = terrain(settings, values, circles, walls, STEERING, ["Avoidance"])
    run(world, Phase.SENSE, Phase.STEER)
    return of_movers(world, "Motion.acceleration")


def one(x: float, y: float, vx: float, vy: float, **values: float) -> dict[str, object]:
    return {
        "Position.x": x, "Position.y": y, "Velocity.x": vx, "Velocity.y": vy, "Avoidance.strength": STRENGTH,
        **{f"Avoidance.{key}": value for key, value in values.items()},
    }  # fmt: skip


def along(p: np.ndarray, ways: np.ndarray, ends: np.ndarray, reach: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The first share of each way at which it comes within reach of a shape, and of which; NaN: a graze.

    p, ways: (n, 2); ends: (n, shapes, 4); reach: (n, shapes).
    """
    count = reach.shape[1]
    starts, every = np.repeat(p, count, axis=0), np.repeat(ways, count, axis=0)
    found = meetings(starts, every, ends.reshape(-1, 4), reach.ravel()).reshape(reach.shape)
    return found.min(axis=1), found.argmin(axis=1)


def nearest_point(p: np.ndarray, line: np.ndarray) -> np.ndarray:
    a, to = line[:2], line[2:] - line[:2]
    share = np.clip((p - a) @ to / max(to @ to, 1e-300), 0, 1)
    return a + share * to


def expected(p, v, look, ends, radius, serials) -> np.ndarray:
    """The equations of systems/steer/avoidance.py for each mover, (n, 2); NaN where rounding decides."""
    h = v / np.hypot(*v.T)[:, None]
    left = np.stack([-h[:, 1], h[:, 0]], axis=1)
    gap = gaps(p, ends, radius)
    every, half = np.broadcast_to(ends, (len(p), *ends.shape)), np.sqrt(0.5)
    ahead = along(p, h * look[:, None], *beyond(every, radius, gap, CLEARANCE))
    sides = [
        along(p, half * (h + side * left) * look[:, None], every, np.broadcast_to(radius, gap.shape))[0]
        for side in (1, -1)
    ]
    free = np.minimum(sides, 1).T
    each = zip(p, h, left, look, gap, *ahead, free, serials, strict=True)
    return np.array([_expected(*mover, ends) for mover in each])


def _expected(p, h, left, look, gap, share, k, free, serial, ends) -> np.ndarray:
    """The same for one. `gap`: how far each shape is; `share`, `k`: of its way ahead, until what; `free`: of others."""
    unclear, total = np.full(2, np.nan), np.zeros(2)
    if gap.min() < CLEARANCE:
        n = p - nearest_point(p, ends[gap.argmin()])
        total += STRENGTH * (1 - max(gap.min(), 0) / CLEARANCE) * n / np.hypot(*n)
    within = [
        k for k in np.flatnonzero(gap <= CLEARANCE) if (p - nearest_point(p, ends[k])) @ h < 0
    ]  # those already near and flown at are met at once
    if within:
        share, k = 0.0, within[0]
    if np.isnan(share) or len(within) > 1:
        return unclear
    if share > 1:
        return total
    hit = p + share * look * h
    n = hit - nearest_point(hit, ends[k])
    n /= np.hypot(*n)
    lean = float(n @ left)
    if np.isnan(free).any() or abs(abs(free[0] - free[1]) - 0.01) < 1e-4 or abs(abs(lean) - 0.02) < 1e-4:
        return unclear
    if abs(free[0] - free[1]) > 0.01:
        side = 1 if free[0] > free[1] else -1
    elif free.min() == 1 and abs(lean) > 0.02:
        side = np.sign(lean)
    else:
        side = 1 if serial % 2 == 0 else -1
    return total + STRENGTH * (1 - share) * (side * left - 0.5 * max(0, -h @ n) * h)


def beyond(ends: np.ndarray, radius: np.ndarray, gap: np.ndarray, more: float) -> tuple[np.ndarray, np.ndarray]:
    """Shapes a clearance wider, but for those one is leaving: put far away, in place."""
    far = np.where((gap <= more)[..., None], 1e7, ends)
    return far, np.broadcast_to(radius + more, gap.shape)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("radius", [0.0, 70.0])
def test_it_equals_the_equations(seed, radius):
    rng = np.random.default_rng(seed)
    made = scenery(rng, 500, circles=15, polygons=3, corners=3, walls=10)
    ends, widths = shapes(made.circles, made.walls)
    count = 300
    p = rng.uniform(0, 500, (count, 2)).astype(np.float32).astype(np.float64)
    v = rng.normal(0, 80, (count, 2)).astype(np.float32).astype(np.float64)
    values = {"Position.x": p[:, 0], "Position.y": p[:, 1], "Velocity.x": v[:, 0], "Velocity.y": v[:, 1]}
    more = {"Avoidance.strength": STRENGTH, "Avoidance.radius": radius, "Avoidance.look_ahead": 0.6}
    found = steered(values | more, made.circles, made.walls)
    free = np.flatnonzero((gaps(p, ends, widths) > 0).all(1))
    look = np.where(radius, radius, np.hypot(*v.T) * np.float64(np.float32(0.6)))
    first = len(made.circles) + len(made.walls) + 1
    wanted = expected(p[free], v[free], look[free], ends, widths, first + free)
    told = ~np.isnan(wanted).any(1)
    assert told.mean() > 0.9
    assert (np.abs(wanted[told]) > 1).any(1).sum() > 50
    assert np.abs(found[free][told] - wanted[told]).max() < 0.02


def test_without_strength_it_costs_nothing():
    rng = np.random.default_rng(1)
    ways, circles = rng.uniform(-50, 50, (2, 5000)), np.column_stack([rng.uniform(0, 1000, (300, 2)), np.full(300, 5)])
    values = one(*rng.uniform(0, 1000, (2, 5000)), *ways, radius=3000)
    spent = []
    for strength in (STRENGTH, 0):
        world = terrain(OPEN, values | {"Avoidance.strength": strength}, circles, (), STEERING, ["Avoidance"])
        numba.set_num_threads(1)
        run(world, Phase.SENSE, Phase.STEER)
        before = time.thread_time()
        for _ in range(5):
            run(world, Phase.STEER)
        spent.append(time.thread_time() - before)
    assert not of_movers(world, "Motion.acceleration").any()
    assert spent[1] < spent[0] / 2


def test_nothing_in_the_way_no_force():
    assert steered(one(0, 0, 100, 0), [[100, 60, 20]])[0].tolist() == [0, 0]
    assert steered(one(0, 0, 100, 0), [[85, 0, 20]])[0].tolist() == [0, 0]
    assert steered(one(0, 0, 0, 0), [[30, 0, 20]])[0].tolist() == [0, 0]


@pytest.mark.parametrize(("y", "left"), [(-10, True), (10, False)])
def test_it_goes_round_the_near_side_of_a_circle(y, left):
    push = steered(one(0, 0, 100, 0), [[60, y, 20]])[0]
    assert (push[1] > 0) == left


def test_dead_ahead_half_go_left_and_half_go_right_by_serial():
    values = one(0, 0, 100, 0) | {"Position.x": np.zeros(40), "Position.y": 0.0}
    for shape in ({"circles": [[60, 0, 20]]}, {"walls": [[60, -500, 60, 500, 2]]}):
        push = steered(values, **shape)
        assert np.all(push[0::2, 1] == -push[1::2, 1])
        assert np.all(push[:, 0] < 0)


def test_at_a_slanting_wall_it_turns_to_the_open_side():
    push = steered(one(0, 0, 100, 0), (), [[0, -60, 100, 40, 2]])[0]
    assert push[1] > 0
    assert steered(one(0, 0, 100, 0), (), [[0, 60, 100, -40, 2]])[0][1] < 0


def test_the_nearer_the_harder_up_to_the_strength():
    pushes = [steered(one(x, 0.1, 100, 0), [[100, 0, 20]])[0] for x in (25, 40, 60, 75)]
    sizes = np.array([push[1] for push in pushes])
    assert np.all(np.diff(sizes) > 0)
    assert sizes[-1] < STRENGTH


def test_too_near_it_is_pushed_off_along_a_wall_too():
    push = steered(one(0, 3, 100, 0), (), [[-500, 0, 500, 0, 2]])[0]
    assert push == pytest.approx((0, STRENGTH * (1 - 2 / CLEARANCE)), abs=1e-3)


def test_across_the_seam_it_sees_what_is_there():
    settings = Settings(200, 200, "wrap")
    here = steered(one(100, 100, 100, 10), [[140, 108, 10]], settings=settings)
    seam = steered(one(170, 100, 100, 10), [[10, 108, 10]], settings=settings)
    assert np.abs(here).max() > 10
    assert seam == pytest.approx(here, abs=1e-3)


def flown(values: dict, circles: object, walls: object, ticks: int, settings: Settings = OPEN) -> list[np.ndarray]:
    world = terrain(settings, values, circles, walls, STEERING, ["Avoidance"])
    places = []
    for _ in range(ticks):
        world.resource(Pipeline).tick(world)
        world.tick += 1
        places.append(of_movers(world, "Position"))
    return places


def test_nobody_stays_in_a_corner_or_before_a_wall():
    """A tank with acute corners; all fly at a constant speed into every direction."""
    corners = np.array([[100, 100], [900, 140], [500, 200], [850, 800], [480, 700], [120, 820.0]])
    walls = np.column_stack([corners, np.roll(corners, -1, 0), np.full(6, 2.0)])
    rng = np.random.default_rng(1)
    count = 200
    turn = rng.uniform(0, 2 * np.pi, count)
    start = {
        "Position.x": rng.uniform(250, 450, count), "Position.y": rng.uniform(250, 600, count),
        "Velocity.x": 100 * np.cos(turn), "Velocity.y": 100 * np.sin(turn),
        "Motion.min_speed": 60.0, "Motion.max_speed": 150.0, "Avoidance.strength": STRENGTH,
    }  # fmt: skip
    places = flown(start, (), walls, 1800)
    windows = [np.ptp(np.array(places[n : n + 240]), axis=0) for n in range(0, 1560, 240)]
    stuck = [np.hypot(*window.T) < 20 for window in windows]
    assert not np.any(stuck)
    ends, radius = shapes((), walls)
    assert np.mean([(gaps(p, ends, radius).min(1) < 0.05).mean() for p in places[100::20]]) < 0.01


def test_a_crowd_that_flies_at_obstacles_seldom_touches_them():
    rng = np.random.default_rng(2)
    circles = np.column_stack([rng.uniform(0, 1000, (30, 2)), rng.uniform(10, 30, 30)])
    count = 400
    turn = rng.uniform(0, 2 * np.pi, count)
    start = {
        "Position.x": rng.uniform(0, 1000, count), "Position.y": rng.uniform(0, 1000, count),
        "Velocity.x": 100 * np.cos(turn), "Velocity.y": 100 * np.sin(turn),
        "Motion.min_speed": 50.0, "Motion.max_speed": 150.0,
    }  # fmt: skip
    ends, radius = shapes(circles)
    touching = []
    for strength in (0.0, STRENGTH):
        places = flown(start | {"Avoidance.strength": strength}, circles, (), 300, Settings(1000, 1000, "wrap"))
        near = [(gaps(p, ends, radius, (1000.0, 1000.0)).min(1) < 0.1).mean() for p in places[60::20]]
        touching.append(np.mean(near))
    assert touching[0] > 0.002
    assert touching[1] < touching[0] / 10


def test_threads_and_the_order_of_rows_change_no_bit():
    made = scenery(np.random.default_rng(1), 500, circles=30, polygons=4, corners=6, walls=10)
    rng = np.random.default_rng(4)
    values = {
        "Position.x": rng.uniform(0, 500, 3000), "Position.y": rng.uniform(0, 500, 3000),
        "Velocity.x": rng.normal(0, 90, 3000), "Velocity.y": rng.normal(0, 90, 3000), "Avoidance.strength": 600.0,
        "Repulsion.radius": 80.0,
    }  # fmt: skip
    found = []
    for threads, shuffled in ((1, False), (2, True)):
        numba.set_num_threads(min(threads, numba.config.NUMBA_NUM_THREADS))
        more = ["Avoidance", "Repulsion"]
        world = terrain(Settings(500, 500, "wrap"), values, made.circles, made.walls, STEERING, more)
        if shuffled:
            world.table.reorder(np.random.default_rng(3).permutation(world.table.size))
        run(world, Phase.SENSE, Phase.STEER)
        found.append(of_movers(world, "Motion.acceleration"))
        assert len(mover_rows(world)) == 3000
    assert np.array_equal(*found)
