"""The four kinds of edges."""

from itertools import product

import numpy as np
import pytest

from systems.engine.pipeline import Pipeline
from systems.engine.settings import EDGES, Settings
from systems.engine.system import Phase
from systems.move import bounce, movement, wrap
from systems.sense import remember
from systems.steer import containment
from tests.flocks import by_axis, sized
from tests.reference import vectors
from tests.worlds import MOVING, columns, populated, run, run_system


def after(kind: str, x: object, vx: object = 0.0, size: float = 100.0) -> tuple[np.ndarray, np.ndarray]:
    """Places and speeds along x after the edges of a world of this size worked; along y the same happens."""
    places = np.atleast_1d(np.array(x, np.float32))
    speeds = np.resize(np.array(vx, np.float32), places.shape)
    values = {"Position.x": places, "Position.y": places, "Velocity.x": speeds, "Velocity.y": speeds}
    world = populated([movement.install, bounce.install, wrap.install], Settings(size, size, kind), values)
    run_system(world, "bounce")
    run_system(world, "wrap")
    c, n = world.table.columns, len(places)
    assert np.array_equal(c["Position.x"][:n], c["Position.y"][:n])
    assert np.array_equal(c["Velocity.x"][:n], c["Velocity.y"][:n])
    return c["Position.x"][:n].copy(), c["Velocity.x"][:n].copy()


@pytest.mark.parametrize(
    ("place", "wrapped"), [(0, 0), (99.5, 99.5), (100, 0), (130, 30), (-1, 99), (-350, 50), (1e6, 0)]
)
def test_wrap_puts_a_place_on_the_torus(place, wrapped):
    assert after("wrap", place)[0][0] == pytest.approx(wrapped)


@pytest.mark.parametrize("size", [100.0, 640.5, 1.0, 1e6])
def test_wrap_never_ends_on_the_far_edge(size):
    rng = np.random.default_rng(0)
    near = np.nextafter(np.float32(size), np.float32([0, 1e9]))
    places = np.concatenate([rng.uniform(-3, 3, 2000) * size, near, -(10.0 ** -np.arange(45)), [-1e-45, size, -size]])
    found = after("wrap", places, size=size)[0]
    assert np.all((found >= 0) & (found < np.float32(size)))


@pytest.mark.parametrize(
    ("place", "speed", "bounced", "back"),
    [
        (50, 7, 50, 7),
        (-3, -7, 3, 7),
        (104, 7, 96, -7),
        (-3, 7, 3, 7),
        (100, 7, 100, 7),
        (500, 7, 0, -7),
        (-500, -7, 100, 7),
    ],
)
def test_bounce_reflects_place_and_speed_into_the_world(place, speed, bounced, back):
    places, speeds = after("bounce", place, speed)
    assert (places[0], speeds[0]) == (bounced, back)


@pytest.mark.parametrize("kind", ["turn", "open"])
def test_turn_and_open_move_nobody(kind):
    places, speeds = after(kind, [-1e6, -1, 0, 50, 100, 1e6], 7)
    assert places.tolist() == [-1e6, -1, 0, 50, 100, 1e6]
    assert np.all(speeds == 7)


@pytest.mark.parametrize(
    ("kind", "place", "pull"),
    [("turn", 5, 12), ("turn", 95, -12), ("turn", 50, 0), ("turn", -900, 12), ("turn", 900, -12), ("turn", 10, 0)]
    + [(kind, 5, 0) for kind in ("wrap", "bounce", "open")],
)
def test_within_the_margin_of_a_turn_edge_and_beyond_it_steering_points_inside(kind, place, pull):
    at = np.array([place], np.float32)
    settings = Settings(100, 100, kind, margin=10, acceleration=12)
    world = populated([remember.install, containment.install], settings, {"Position.x": at, "Position.y": at})
    run(world, Phase.SENSE, Phase.STEER)
    c = world.table.columns
    assert (c["Motion.acceleration.x"][0], c["Motion.acceleration.y"][0]) == (pull, pull)


@pytest.mark.parametrize(
    ("margin", "places", "pulls"),
    [
        (50, [20, 50, 80], [12, 0, -12]),
        (80, [-5, 10, 30, 70, 90, 105], [12, 12, 0, 0, -12, -12]),
        (1e6, [-5, 0, 30, 70, 100, 105], [12, 12, 0, 0, -12, -12]),
    ],
)
def test_where_the_margins_of_opposite_turn_edges_overlap_they_cancel(margin, places, pulls):
    at = np.array(places, np.float32)
    settings = Settings(100, 100, "turn", margin=margin, acceleration=12)
    world = populated([remember.install, containment.install], settings, {"Position.x": at, "Position.y": at})
    run(world, Phase.SENSE, Phase.STEER)
    assert world.table.columns["Motion.acceleration.x"][: len(at)].tolist() == pulls


@pytest.mark.parametrize("size", [(400, 300), (400, 300, 200)])
@pytest.mark.parametrize(("aside", "push"), [(0.0, 90.0), (1e-3, 90.0), (0.0, 400.0), (1e-3, 400.0)])
def test_who_flies_straight_out_and_cannot_brake_comes_back(size, aside, push):
    """From the middle of each side, of each edge where two sides meet, and from each corner."""
    ways = np.array([way for way in product((-1, 0, 1), repeat=len(size)) if any(way)])
    middle = np.array(size) / 2
    velocity = 120 * ways / np.linalg.norm(ways, axis=1)[:, None] + aside
    settings = sized(size, "turn")
    settings.margin, settings.acceleration = 40, push
    values = by_axis("Position", (middle + ways * middle).astype(np.float32)) | by_axis("Velocity", velocity)
    parts = remember.install, containment.install, movement.install
    world = populated(parts, settings, values | {"Motion.min_speed": 120.0, "Motion.max_speed": 200.0})
    for _ in range(8 * settings.tick_rate):
        world.resource(Pipeline).tick(world)
        world.tick += 1
    places = vectors(columns(world), "Position").T[: len(ways)]
    assert np.all(abs(places - middle) < middle + 400)


@pytest.mark.parametrize("size", [(100, 640.5), (100, 640.5, 33)])
@pytest.mark.parametrize("kind", EDGES)
def test_each_axis_has_its_own_size_and_all_equal_the_formulas(kind, size):
    rng = np.random.default_rng(5)
    settings = sized(size, kind)
    settings.margin, settings.acceleration = 20, 12
    places = (rng.uniform(-0.9, 1.9, (500, len(size))) * settings.size).astype(np.float32)
    speeds = rng.normal(0, 50, places.shape).astype(np.float32)
    world = populated(MOVING, settings, by_axis("Position", places) | by_axis("Velocity", speeds))
    for system in ("containment", "bounce", "wrap"):
        run_system(world, system)
    found = columns(world)
    far, margin = np.array(settings.size), np.minimum(20, settings.size)
    low, high = places < 0, places > far
    pulls = 12.0 * ((places < margin).astype(int) - (places > far - margin))
    turned = np.where(low, abs(speeds), np.where(high, -abs(speeds), speeds))
    ways = {"wrap": np.mod(places, far), "bounce": np.where(low, -places, np.where(high, 2 * far - places, places))}
    assert np.allclose(vectors(found, "Position").T, ways.get(kind, places), rtol=0, atol=1e-4)
    assert np.array_equal(vectors(found, "Velocity").T, turned if kind == "bounce" else speeds)
    assert np.array_equal(vectors(found, "Motion.acceleration").T, pulls if kind == "turn" else 0 * pulls)
