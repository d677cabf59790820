"""Jumps of the view are eased; the camera itself is at its target at once."""

from __future__ import annotations

import numpy as np
import pytest
from arcade import key

from sandbox.app.drawing.camera import Camera
from sandbox.app.drawing.glide import SECONDS, Glide
from sandbox.app.drawing.space.camera import SpaceCamera
from sandbox.app.window import FlockWindow

from .conftest import OpenWindow, at, drifting, middle, pixels, places, send
from .mouse import hit

WORLD, SCREEN = (1000.0, 500.0), (500, 250)
DEEP = 1000.0, 500.0, 700.0


@pytest.mark.parametrize("deep", [False, True])
def test_on_its_way_a_view_is_between_the_two_and_one_place_keeps_its_pixel(deep: bool) -> None:
    camera, glide = SpaceCamera(DEEP, SCREEN) if deep else Camera(WORLD, SCREEN), Glide()
    whole, place = camera.zoom, camera.to_world(400, 50)
    glide.begin(camera)
    camera.zoom_at(400, 50, 4.0)
    zooms = []
    for _ in range(5):
        shown = glide.shown(camera)
        assert shown.project(place) == pytest.approx((400, 50), abs=1e-6)
        zooms.append(shown.zoom)
        glide.pass_time(SECONDS / 4)
    assert zooms[0] == pytest.approx(whole)
    assert zooms == sorted(zooms)
    assert zooms[-1] == camera.zoom == pytest.approx(4 * whole)


def test_a_jump_in_the_middle_of_another_begins_where_the_view_is() -> None:
    camera, glide = Camera(WORLD, SCREEN), Glide()
    camera.zoom_at(250, 125, 4.0)
    glide.begin(camera)
    camera.look_at(900, 250)
    glide.pass_time(SECONDS / 3)
    before = glide.shown(camera)
    glide.begin(camera)
    camera.look_at(100, 250)
    assert glide.shown(camera).x == pytest.approx(before.x)


def test_over_the_edge_of_a_torus_it_takes_the_short_way() -> None:
    camera, glide = Camera(WORLD, SCREEN, wraps=True), Glide()
    camera.zoom_at(250, 125, 4.0)
    camera.look_at(950, 250)
    glide.begin(camera)
    camera.look_at(50, 250)
    glide.pass_time(SECONDS / 2)
    assert -50 < glide.shown(camera).x < 50


@pytest.mark.painted
def test_the_window_glides_to_the_whole_world_unless_motion_is_reduced(open_on: OpenWindow) -> None:
    for reduced in (True, False):
        window = open_on(drifting(at(500, 300)))
        window.session.preferences.reduce_motion = reduced
        window.session.camera.zoom_at(640, 360, 1.3)
        zoomed = middle(places(pixels(window)))
        hit(window, key.Z)
        assert window.session.camera.fitted
        seen = [middle(places(pixels(window)))[0]]
        for _ in range(3):
            window.on_update(SECONDS / 3 + 0.001)
            seen.append(middle(places(pixels(window)))[0])
        assert seen[-1] == pytest.approx(500, abs=1)
        if reduced:
            assert len(set(seen)) == 1
        else:
            assert seen == sorted(seen)
            assert seen[0] == pytest.approx(zoomed[0], abs=1)
            assert seen[0] < seen[1] - 5


@pytest.mark.parametrize("depth", [0, 500])
def test_the_wheel_glides_to_where_it_ends_at_once_if_motion_is_reduced(open_on: OpenWindow, depth: float) -> None:
    ends = []
    for reduced in (True, False):
        window = eased(open_on, depth, reduced=reduced)
        before = window.session.camera.zoom
        send(window, ("on_mouse_scroll", 200, 100, 0, 1), ("on_mouse_scroll", 200, 100, 0, 2))
        camera, glide = window.session.camera, window.session.view.glide
        ends.append(camera.sees)
        seen = [glide.shown(camera).zoom]
        for _ in range(6):
            window.on_update(0.05)
            seen.append(glide.shown(camera).zoom)
        assert seen[0] == pytest.approx(camera.zoom if reduced else before)
        assert seen == sorted(seen)
        assert seen[-1] == camera.zoom
    assert ends[0] == ends[1]


@pytest.mark.parametrize("depth", [0, 500])
def test_held_keys_set_the_view_in_motion_and_let_it_come_to_rest(open_on: OpenWindow, depth: float) -> None:
    for reduced in (True, False):
        window = eased(open_on, depth, reduced=reduced)
        window.session.camera.zoom *= 3
        steps = []
        for event in ("on_key_press", "on_key_release"):
            send(window, (event, key.D, 0))
            for _ in range(40):
                before = np.array(window.session.camera.looks_at)
                window.on_update(0.01)
                steps.append(np.linalg.norm(window.session.camera.looks_at - before) * window.session.camera.zoom)
        whole = pytest.approx(9.0, rel=0.02)  # pixels
        if reduced:
            assert steps == [whole] * 40 + [0] * 40
        else:
            assert steps[:40] == sorted(steps[:40])
            assert steps[0] < 2 < 4 < steps[5] < 7 < steps[39] == whole
            assert steps[40:] == sorted(steps[40:], reverse=True)
            assert steps[40] > 7 > steps[45] > 2 > 0.01 > steps[-1] == 0


def eased(open_on: OpenWindow, depth: float, *, reduced: bool) -> FlockWindow:
    scene = drifting(at(320, 180))
    scene.settings.depth = depth
    window = open_on(scene)
    window.session.preferences.reduce_motion = reduced
    window.session.clock.paused = True
    for _ in range(2):
        window.on_update(0.01)
    return window
