"""From acceleration to position: the order of the steps, and the limits."""

import numpy as np
import pytest

from systems.engine.settings import Settings
from systems.engine.system import Phase
from systems.move import movement, wrap
from tests.reference import vectors
from tests.worlds import populated, run

DT = 1 / 60
OPEN, IN_SPACE = Settings(1000, 1000, "open"), Settings(1000, 1000, "open", depth=1000)
flat_or_deep = pytest.mark.parametrize("settings", [OPEN, IN_SPACE], ids=["flat", "deep"])


def moved(settings: Settings = OPEN, **values: object) -> dict[str, np.ndarray]:
    """The columns of boids after one MOVE; by default one at (10, 20) flying (30, 40)."""
    given = {"Position.x": 10.0, "Position.y": 20.0, "Velocity.x": 30.0, "Velocity.y": 40.0}
    given |= {key.replace("__", "."): value for key, value in values.items()}
    acceleration = {key: given.pop(key) for key in list(given) if "acceleration." in key}
    count = max(np.size(value) for value in given.values())
    world = populated([movement.install], settings, {key: np.resize(value, count) for key, value in given.items()})
    for key, value in acceleration.items():
        world.table.columns[key][:count] = value
    run(world, Phase.MOVE)
    return {key: column[:count].copy() for key, column in world.table.columns.items()}


def velocity(c: dict[str, np.ndarray]) -> tuple[float, float]:
    return float(c["Velocity.x"][0]), float(c["Velocity.y"][0])


def test_velocity_changes_first_and_position_by_the_new_velocity():
    c = moved(**{"Motion.acceleration.x": 60.0, "Motion.acceleration.y": -60.0})
    assert velocity(c) == pytest.approx((31, 39))
    assert (c["Position.x"][0], c["Position.y"][0]) == pytest.approx((10 + 31 * DT, 20 + 39 * DT))


def test_the_acceleration_is_limited_before_it_works():
    c = moved(**{"Motion.acceleration.x": 3000.0, "Motion.acceleration.y": 4000.0, "Motion.max_acceleration": 600.0})
    assert velocity(c) == pytest.approx((30 + 360 * DT, 40 + 480 * DT))


def test_drag_works_before_the_clamp():
    assert velocity(moved(Motion__drag=6.0, Motion__max_speed=45.0)) == pytest.approx((27, 36))
    assert velocity(moved(Motion__drag=15.0, Motion__max_speed=45.0)) == pytest.approx((24, 32))


def test_drag_after_the_clamp_takes_from_the_clamped_speed():
    c = moved(Motion__drag=6.0, Motion__max_speed=45.0, Motion__drag_after_clamp=True)
    assert velocity(c) == pytest.approx((27 / 1.1, 36 / 1.1))


@pytest.mark.parametrize("after_clamp", [False, True])
@pytest.mark.parametrize("tick_rate", [1, 20, 60, 1000])
def test_drag_slows_down_and_never_turns_round(tick_rate, after_clamp):
    drags = np.array([0, 0.25, 6, 30, 60], np.float32)
    values = {"Velocity.x": 100.0, "Motion.drag": drags, "Motion.drag_after_clamp": after_clamp}
    settings = Settings(1000, 1000, "open", tick_rate=tick_rate)
    world = populated([movement.install], settings, {"Position.x": np.zeros(5), **values})
    for ticks in range(1, 6):
        run(world, Phase.MOVE)
        expected = 100 / (1 + drags.astype(float) / tick_rate) ** ticks
        assert world.table.columns["Velocity.x"][:5] == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize(("low", "high", "speed"), [(0, 25, 25), (100, 150, 100), (0, 150, 50), (50, 50, 50)])
def test_the_speed_is_clamped_along_the_heading(low, high, speed):
    c = moved(Motion__min_speed=float(low), Motion__max_speed=float(high))
    assert velocity(c) == pytest.approx((0.6 * speed, 0.8 * speed))


@flat_or_deep
def test_at_rest_a_direction_made_from_the_serial_is_taken(settings):
    still = {"Velocity.x": np.zeros(200), "Velocity.y": np.zeros(200), "Motion.min_speed": 10.0}
    v, again = (vectors(moved(settings, **still), "Velocity") for _ in range(2))
    assert len(v) == len(settings.size)
    assert np.linalg.norm(v, axis=0) == pytest.approx(np.full(200, 10), rel=1e-6)
    assert [len(np.unique(along)) for along in v] == [200] * len(v)
    assert np.abs(v.mean(axis=1)).max() < 2
    assert v @ v.T / (200 * 100) == pytest.approx(np.eye(len(v)) / len(v), abs=0.1)
    assert np.array_equal(v, again)


def test_at_rest_without_a_lowest_speed_it_stays_at_rest():
    assert velocity(moved(Velocity__x=0.0, Velocity__y=0.0)) == (0, 0)


@flat_or_deep
def test_every_step_at_once_equals_the_equations_for_many(settings):
    rng = np.random.default_rng(1)
    n = 500
    c = {
        **{f"Position.{axis}": np.float64(place) for axis, place in zip(settings.axes, (10, 20, 30), strict=False)},
        **{f"Velocity.{axis}": rng.normal(0, 100, n) for axis in settings.axes},
        **{f"Motion.acceleration.{axis}": rng.normal(0, 900, n) for axis in settings.axes},
        "Motion.max_acceleration": rng.choice([0, 300], n), "Motion.drag": rng.uniform(0, 5, n),
        "Motion.drag_after_clamp": rng.random(n) < 0.5, "Motion.min_speed": rng.uniform(0, 60, n),
        "Motion.max_speed": rng.uniform(60, 150, n),
    }  # fmt: skip
    a = vectors(c, "Motion.acceleration")
    size, most = np.linalg.norm(a, axis=0), c["Motion.max_acceleration"]
    a *= np.where((most > 0) & (size > most), most / size, 1)
    v = vectors(c, "Velocity") + a * DT
    drag = 1 / (1 + c["Motion.drag"] * DT)
    v *= np.where(c["Motion.drag_after_clamp"], 1, drag)
    speed = np.linalg.norm(v, axis=0)
    v *= np.clip(speed, c["Motion.min_speed"], c["Motion.max_speed"]) / speed
    v *= np.where(c["Motion.drag_after_clamp"], drag, 1)
    found = moved(settings, **c)
    assert np.allclose(vectors(found, "Velocity"), v, rtol=1e-5, atol=1e-4)
    assert np.allclose(vectors(found, "Position"), vectors(c, "Position")[:, None] + v * DT, rtol=1e-5)


@flat_or_deep
@pytest.mark.parametrize("push", [1e12, -1e12, 1e30, 3e38])
def test_whatever_pushes_velocity_and_position_stay_within_their_bounds(push, settings):
    ways = dict(zip(settings.axes, (1, -1, 1), strict=False))
    given = {f"Motion.acceleration.{axis}": push * way for axis, way in ways.items()}
    c = moved(settings, **given, **{f"Position.{axis}": 1e6 * way for axis, way in ways.items()})
    assert np.all(np.abs(vectors(c, "Velocity")) <= 1e4)
    assert np.all(np.abs(vectors(c, "Position")) <= 1e6)


def test_a_torus_as_wide_as_a_position_can_be_is_crossed_like_any_other():
    settings = Settings(1e6, 1e6, "wrap", tick_rate=1)
    start = {"Position.x": 999_000.0, "Position.y": 500.0, "Velocity.x": 5000.0, "Motion.max_speed": 1e4}
    world = populated([movement.install, wrap.install], settings, start)
    run(world, Phase.MOVE)
    assert world.table.columns["Position.x"][0] == 4000
