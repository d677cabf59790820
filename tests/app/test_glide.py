"""Jumps of the view are eased; the camera itself is at its target at once."""

from __future__ import annotations

import pytest
from arcade import key

from sandbox.app.drawing.camera import Camera
from sandbox.app.drawing.glide import SECONDS, Glide

from .conftest import OpenWindow, at, drifting, middle, pixels, places
from .mouse import hit

WORLD, SCREEN = (1000.0, 500.0), (500, 250)


def test_on_its_way_a_view_is_between_the_two_and_one_place_keeps_its_pixel() -> None:
    camera, glide = Camera(WORLD, SCREEN), Glide()
    glide.begin(camera)
    camera.zoom_at(400, 50, 4.0)
    place = camera.to_world(400, 50)
    zooms = []
    for _ in range(5):
        shown = glide.shown(camera)
        assert shown.project(place) == pytest.approx((400, 50), abs=1e-6)
        zooms.append(shown.zoom)
        glide.pass_time(SECONDS / 4)
    assert zooms[0] == pytest.approx(0.5)
    assert zooms == sorted(zooms)
    assert zooms[-1] == camera.zoom == 2.0


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
