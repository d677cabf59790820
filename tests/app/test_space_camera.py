"""The camera of a world with depth: pixels and places belong together, however it was moved."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.app.drawing.space.camera import SpaceCamera

SIZE = 1600.0, 900.0, 700.0
PIXEL = st.tuples(st.floats(0, 1280), st.floats(0, 720))
MOVES = st.lists(
    st.one_of(
        st.tuples(st.just("zoom_at"), st.floats(0, 1280), st.floats(0, 720), st.floats(0.3, 4)),
        st.tuples(st.just("pan"), st.floats(-500, 500), st.floats(-500, 500)),
        st.tuples(st.just("orbit"), st.floats(-900, 900), st.floats(-900, 900)),
        st.tuples(st.just("fly"), *[st.floats(-300, 300)] * 3),
        st.tuples(st.just("look_from"), st.floats(-4, 4), st.floats(-2, 2)),
        st.tuples(st.just("resize"), st.integers(200, 3000), st.integers(200, 3000)),
        st.tuples(st.just("keep_clear"), st.tuples(*[st.floats(0, 80)] * 4)),
        st.tuples(st.just("lift_plane"), st.floats(-900, 900)),
        st.tuples(st.just("fit")),
    ),
    max_size=6,
)
HEADING = st.tuples(st.floats(-4, 4), st.floats(-1.5, 1.5)).map(lambda turns: heading(*turns))
RIDE = st.tuples(st.just("ride"), st.tuples(*[st.floats(0, 700)] * 3), HEADING, st.floats(4, 40))
CAMERAS = st.builds(
    lambda moves, ride, up, parallel: moved([*moves, *ride], up, parallel),
    MOVES,
    st.lists(RIDE, max_size=1),
    st.sampled_from("yz"),
    st.booleans(),
)


def heading(turn: float, rise: float) -> tuple[float, float, float]:
    return math.cos(rise) * math.cos(turn), math.cos(rise) * math.sin(turn), math.sin(rise)


def moved(moves: list[tuple[object, ...]], up: str, parallel: bool) -> SpaceCamera:
    camera = SpaceCamera(SIZE, (1280, 720), up=up, parallel=parallel)
    for name, *arguments in moves:
        getattr(camera, str(name))(*arguments)
    return camera


def corners() -> np.ndarray:
    return np.array(np.meshgrid(*((0.0, side) for side in SIZE))).reshape(3, -1).T


@given(CAMERAS)
def test_its_axes_are_those_of_a_right_handed_frame_and_its_horizon_is_level(camera: SpaceCamera) -> None:
    axes = camera.axes
    assert axes @ axes.T == pytest.approx(np.eye(3), abs=1e-12)
    assert np.linalg.det(axes) == pytest.approx(1)
    assert axes[0]["xyz".index(camera.up)] == pytest.approx(0)
    assert axes[1]["xyz".index(camera.up)] >= 0


@given(CAMERAS, PIXEL)
def test_what_lies_under_a_pixel_is_shown_there(camera: SpaceCamera, pixel: tuple[float, float]) -> None:
    place = camera.to_world(*pixel)
    assert camera.project(place) == pytest.approx(pixel, abs=1e-4)
    begin, way = map(np.array, camera.ray(*pixel))
    farther = begin + way * (np.linalg.norm(np.array(place) - begin) + 100)
    assert camera.project(farther) == pytest.approx(pixel, abs=1e-4)


@given(CAMERAS, PIXEL)
def test_a_place_is_as_large_as_it_says(camera: SpaceCamera, pixel: tuple[float, float]) -> None:
    place = np.array(camera.to_world(*pixel))
    seen = np.linalg.norm(camera.project(place + camera.axes[0]) - camera.project(place))
    assert seen == pytest.approx(camera.size_at(*place), rel=1e-6)


@given(
    st.floats(-4, 4), st.floats(-1.5, 1.5), st.sampled_from("yz"), st.booleans(), st.tuples(*[st.floats(0, 150)] * 4)
)
def test_a_fitted_world_lies_in_the_area_that_panels_leave_free_but_for_its_corners(
    yaw: float, pitch: float, up: str, parallel: bool, insets: tuple[float, float, float, float]
) -> None:
    camera = SpaceCamera(SIZE, (1280, 720), insets, up=up, parallel=parallel)
    camera.look_from(yaw, pitch)
    middle = np.array(SIZE) / 2
    shown = camera.project(middle + 0.8 * (corners() - middle))
    left, low, right, top = insets
    assert (shown >= (left - 1e-6, low - 1e-6)).all()
    assert (shown <= (1280 - right + 1e-6, 720 - top + 1e-6)).all()


@given(
    st.tuples(*[st.floats(100, 3000)] * 3),
    st.tuples(*[st.integers(64, 2000)] * 2),
    st.floats(-1.5, 1.5),
    st.sampled_from("yz"),
    st.booleans(),
)
def test_a_world_that_is_encircled_lies_in_the_picture_to_its_corners_all_the_way_round(
    size: tuple[float, float, float], screen: tuple[int, int], pitch: float, up: str, parallel: bool
) -> None:
    """By plain projection: the eye goes round in a circle, whose distance lets the corners just touch the edges."""
    camera = SpaceCamera(size, screen, pitch=pitch, up=up, parallel=parallel)
    camera.encircle()
    across, upward, ahead = (0, 1, 2) if up == "y" else (0, 2, 1)
    offsets = (np.array(list(itertools.product(*((0, side) for side in size)))) - np.array(size) / 2).T
    x, y, z = offsets[across], offsets[upward], offsets[ahead]
    yaw = np.linspace(0, math.tau, 720)[:, None]
    right, near = x * np.cos(yaw) - z * np.sin(yaw), x * np.sin(yaw) + z * np.cos(yaw)
    high, toward = y * math.cos(pitch) - near * math.sin(pitch), y * math.sin(pitch) + near * math.cos(pitch)
    focal = min(screen) / 2 / math.tan(math.radians(25))
    away = camera.distance - (0 if parallel else toward)
    reaches = max(np.abs(right / away).max() * 2 * focal / screen[0], np.abs(high / away).max() * 2 * focal / screen[1])
    assert 0.99 < reaches < 1 + 1e-9


@given(MOVES, PIXEL)
def test_without_panels_the_same_is_seen_as_beside_them(
    moves: list[tuple[object, ...]], pixel: tuple[float, float]
) -> None:
    camera = moved(moves, "y", False)
    camera.keep_clear((133, 66, 322, 23))
    whole = camera.without_panels()
    assert whole.free == camera.free
    middle = (np.array(camera.screen) + (133 - 322, 66 - 23)) / 2
    from_middle = whole.project(camera.to_world(*pixel)) - np.array(whole.screen) / 2
    assert from_middle == pytest.approx(pixel - middle, abs=1e-3)


@given(MOVES, PIXEL, st.floats(0.5, 2))
def test_what_is_under_the_mouse_stays_there_while_one_comes_closer(
    moves: list[tuple[object, ...]], pixel: tuple[float, float], factor: float
) -> None:
    camera = moved(moves, "y", False)
    place, before = camera.to_world(*pixel), camera.distance
    camera.zoom_at(*pixel, factor)
    is_in_world = all(0 < along < size for along, size in zip(camera.focus, SIZE, strict=True))
    if is_in_world and camera.distance == pytest.approx(before / factor):
        assert camera.project(place) == pytest.approx(pixel, abs=1e-3)


def test_what_is_nearer_covers_what_is_behind_it() -> None:
    for parallel in (False, True):
        camera = SpaceCamera(SIZE, (1280, 720), parallel=parallel)
        near, far = (camera.focus + camera.axes[2] * away for away in (300.0, -300.0))
        depths = [(camera.matrix @ (*(place - camera.focus), 1.0)) for place in (near, far)]
        assert depths[0][2] / depths[0][3] < depths[1][2] / depths[1][3]


def test_behind_the_viewer_nothing_is_shown() -> None:
    camera = SpaceCamera(SIZE, (1280, 720))
    assert np.isnan(camera.project(camera.eye + camera.axes[2])).all()


@pytest.mark.parametrize("up", ["y", "z"])
def test_a_rider_looks_along_the_heading(up: str) -> None:
    camera, heading = SpaceCamera(SIZE, (1280, 720), up=up), np.array([0.48, 0.6, -0.64])
    camera.ride((800, 450, 350), heading, 10.0)
    begin, way = camera.ray(640, 360)
    assert way == pytest.approx(tuple(heading))
    assert np.linalg.norm(np.array(begin) - (800, 450, 350)) < 15  # u: its eye is near the head
    camera.fit()
    assert not camera.rides


def test_a_view_that_is_moved_aside_shows_the_same() -> None:
    camera = SpaceCamera(SIZE, (1280, 720))
    other = camera.aside(200.0, -50.0)
    assert other.project(corners()) - camera.project(corners()) == pytest.approx(np.tile([200.0, -50.0], (8, 1)))


def test_the_first_view_is_from_the_front_a_little_from_above() -> None:
    camera = SpaceCamera(SIZE, (1280, 720))
    assert camera.axes[2, 2] > 0.7
    assert 0 < math.degrees(camera.pitch) < 30
