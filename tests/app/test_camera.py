"""The camera: what stays where it is while one zooms, pans and resizes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.app.drawing.camera import CLOSEST, Camera

PIXEL = st.floats(0, 700)


def fitting(camera: Camera) -> float:
    """The zoom at which the world is as large as it goes."""
    return min(free / size for free, size in zip(camera.free, camera.world_size, strict=True))


MOVES = st.lists(
    st.one_of(
        st.tuples(st.just("zoom_at"), PIXEL, PIXEL, st.floats(0.2, 5)),
        st.tuples(st.just("pan"), st.floats(-500, 500), st.floats(-500, 500)),
        st.tuples(st.just("resize"), st.integers(1, 3000), st.integers(1, 3000)),
        st.tuples(st.just("fit")),
        st.tuples(st.just("keep_clear"), st.tuples(*[st.floats(0, 300)] * 4)),
        st.tuples(st.just("look_at"), st.floats(0, 1600), st.floats(0, 900)),
        st.tuples(st.just("look_over"), st.tuples(st.floats(10, 3000), st.floats(10, 3000))),
    ),
    max_size=8,
)


def moved(moves: list[tuple[object, ...]]) -> Camera:
    camera = Camera((1600, 900), (1280, 720))
    for name, *arguments in moves:
        getattr(camera, str(name))(*arguments)
    return camera


@given(MOVES, PIXEL, PIXEL)
def test_a_pixel_and_its_place_find_each_other(moves: list[tuple[object, ...]], x: float, y: float) -> None:
    camera = moved(moves)
    assert camera.project(camera.to_world(x, y)) == pytest.approx((x, y), abs=1e-3)


@given(MOVES, PIXEL, PIXEL)
def test_the_matrix_puts_a_place_where_its_pixel_is(moves: list[tuple[object, ...]], x: float, y: float) -> None:
    camera = moved(moves)
    place = camera.to_world(x, y)
    (across, up, _), towards = camera.ray(x, y)
    assert ((across, up), towards) == (place, (0, 0, -1))
    clip = camera.matrix @ (place[0] - camera.x, place[1] - camera.y, 0, 1)
    width, height = camera.screen
    assert clip == pytest.approx((2 * x / width - 1, 2 * y / height - 1, 0, 1), rel=1e-6, abs=1e-3)
    beside = camera.project([place, (place[0] + 1, place[1])])
    assert beside[1, 0] - beside[0, 0] == pytest.approx(camera.size_at(*place), rel=1e-6)


@given(MOVES, PIXEL, PIXEL, st.floats(0.2, 5))
def test_zooming_keeps_the_place_under_the_cursor_while_the_world_stays_in_the_middle(
    moves: list[tuple[object, ...]], x: float, y: float, factor: float
) -> None:
    camera = moved(moves)
    before = camera.to_world(x, y)
    camera.zoom_at(x, y, factor)
    inside = (1e-3 < place < size - 1e-3 for place, size in zip(camera.looks_at, camera.world_size, strict=True))
    if camera.zoom >= fitting(camera) and all(inside):
        assert camera.to_world(x, y) == pytest.approx(before, rel=1e-6, abs=1e-3)


@given(MOVES)
def test_what_panels_leave_free_always_has_the_world_in_its_middle(moves: list[tuple[object, ...]]) -> None:
    camera = moved(moves)
    for place, size in zip(camera.looks_at, camera.world_size, strict=True):
        assert -1e-6 * size <= place <= size * (1 + 1e-6)


@given(MOVES, st.floats(-50, 50), st.floats(-50, 50))
def test_panning_never_goes_farther_than_the_mouse(moves: list[tuple[object, ...]], dx: float, dy: float) -> None:
    camera = moved(moves)
    x, y = camera.x, camera.y
    camera.pan(dx, dy)
    assert abs(camera.x - x) * camera.zoom <= abs(dx) + 1e-3
    assert abs(camera.y - y) * camera.zoom <= abs(dy) + 1e-3


@given(MOVES, PIXEL, PIXEL, st.floats(0.2, 5))
def test_zooming_never_goes_farther_than_the_wheel(
    moves: list[tuple[object, ...]], x: float, y: float, factor: float
) -> None:
    camera = moved(moves)
    zoom = camera.zoom
    camera.zoom_at(x, y, factor)
    assert min(factor, 1) * zoom <= camera.zoom * (1 + 1e-9)
    assert camera.zoom <= max(factor, 1) * zoom * (1 + 1e-9)


@pytest.mark.parametrize("screen", [(1280, 720), (320, 240), (400, 1000), (3840, 100)])
def test_a_fitted_view_has_the_world_in_its_middle_and_hides_a_sixth_of_it_at_most(screen: tuple[int, int]) -> None:
    camera = Camera((1600, 900), screen)
    left, bottom = camera.project((0, 0))
    right, top = camera.project((1600, 900))
    assert (right, top) == pytest.approx((screen[0] - left, screen[1] - bottom))
    hidden = max(-2 * left / (right - left), -2 * bottom / (top - bottom))
    assert hidden <= 1 / 6


@pytest.mark.parametrize(("screen", "fills"), [((1600, 900), True), ((1600, 760), True), ((1600, 740), False)])
def test_it_fills_the_window_where_that_hides_little_and_shows_all_where_it_would_hide_more(
    screen: tuple[int, int], fills: bool
) -> None:
    camera = Camera((1600, 900), screen)
    corners = camera.project((0, 0)), camera.project((1600, 900))
    within = [-1e-6 <= x <= screen[0] + 1e-6 and -1e-6 <= y <= screen[1] + 1e-6 for x, y in corners]
    covers = corners[0][0] <= 1e-6 and corners[0][1] <= 1e-6
    assert (all(within), covers) == ((screen == (1600, 900), True) if fills else (True, False))


@given(MOVES, PIXEL, PIXEL)
def test_of_a_world_that_wraps_every_place_beside_the_panels_shows_one_copy(
    moves: list[tuple[object, ...]], x: float, y: float
) -> None:
    camera = moved(moves)
    camera.wraps = True
    place = camera.to_world(x, y)
    on_a_seam = any(abs(p / size - round(p / size)) < 1e-6 for p, size in zip(place, camera.world_size, strict=True))
    left, below, right, above = camera.insets
    is_free = left <= x < camera.screen[0] - right and below <= y < camera.screen[1] - above
    if camera.tiles and is_free and not on_a_seam:
        own = tuple(size * math.floor(p / size) for p, size in zip(place, camera.world_size, strict=True))
        assert [pytest.approx(off) == own for off in camera.copies()].count(True) == 1


@given(MOVES, PIXEL, PIXEL)
def test_without_panels_the_same_is_seen_as_beside_them(moves: list[tuple[object, ...]], x: float, y: float) -> None:
    camera = moved(moves)
    whole, (left, low, right, top) = camera.without_panels(), camera.insets
    assert whole.free == pytest.approx(camera.free, abs=0.5)
    middle = (camera.screen[0] + left - right) / 2, (camera.screen[1] + low - top) / 2
    from_middle = whole.project(camera.to_world(x, y)) - np.array(whole.screen) / 2
    assert from_middle == pytest.approx((x - middle[0], y - middle[1]), abs=1e-3)


def test_a_torus_is_drawn_to_every_edge_and_no_more_often_than_is_seen() -> None:
    camera = Camera((1600, 900), (800, 600), wraps=True)
    assert camera.copies() == [(0, -900), (0, 0), (0, 900)]
    camera.zoom_at(400, 300, 0.5)
    assert camera.zoom == fitting(camera)
    assert Camera((1600, 900), (800, 450), wraps=True).copies() == [(0, 0)]


def test_a_torus_that_the_screen_has_room_for_many_times_is_drawn_once() -> None:
    assert Camera((1_000_000, 1), (800, 600), wraps=True).copies() == [(0, 0)]


def test_far_out_the_world_is_in_the_middle_wherever_one_zooms() -> None:
    camera = Camera((1600, 900), (800, 600), insets=(100, 50, 200, 0))
    camera.look_at(0, 0)
    while camera.zoom > 0.5 * fitting(camera):
        before = camera.to_world(400, 300)
        camera.zoom_at(790, 10, 0.95)
        assert camera.project(before) == pytest.approx((400, 300), abs=60)  # without a leap
    assert camera.looks_at == pytest.approx((800, 450))


def test_panning_moves_the_world_with_the_mouse() -> None:
    camera = Camera((1600, 900), (800, 450))
    place = camera.to_world(100, 100)
    camera.pan(30, -20)
    assert camera.project(place) == pytest.approx((130, 80))


def test_the_world_can_not_be_lost() -> None:
    camera = Camera((1600, 900), (800, 450))
    camera.pan(1e9, -1e9)
    assert (camera.x, camera.y) == (0, 900)
    camera.zoom_at(0, 0, 1e-9)
    assert camera.zoom == pytest.approx(0.5 / 4)
    camera.zoom_at(0, 0, 1e9)
    assert camera.zoom == CLOSEST


def test_a_fitted_view_stays_fitted_in_a_window_of_another_size() -> None:
    camera = Camera((1600, 900), (800, 450))
    camera.resize(1600, 900)
    assert camera.zoom == 1


def test_a_view_someone_chose_keeps_its_middle_and_zoom() -> None:
    camera = Camera((1600, 900), (800, 450))
    camera.zoom_at(100, 100, 3)
    before = (camera.x, camera.y, camera.zoom)
    camera.resize(500, 900)
    assert (camera.x, camera.y, camera.zoom) == before
