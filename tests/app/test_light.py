"""One tick is one picture wherever it is shown, and what is bright glows at night."""

from __future__ import annotations

from io import BytesIO

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from sandbox.app.drawing.picture import picture_of
from sandbox.app.gui import moments
from sandbox.app.window import FlockWindow
from sandbox.cli.overlays import overlays_of
from sandbox.design.scene import Scene
from sandbox.simulation import Simulation
from systems.engine.settings import Settings

from .conftest import OpenWindow, at, drifting, pixels

pytestmark = pytest.mark.painted
SIZE = 640, 360


def by_night(*, trails: bool = False) -> Scene:
    scene = drifting(at(160, 90), at(480, 270, prefab="green"), at(320, 180), size=20)
    scene.settings.backdrop, scene.settings.trails = "night", trails
    return scene


def glowing(open_on: OpenWindow, scene: Scene, glow: str = "on") -> FlockWindow:
    window = open_on(scene, SIZE)
    window.session.preferences.glow, window.session.preferences.reduce_motion = glow, False
    return window


def upright(image: Image.Image) -> NDArray[np.uint8]:
    return np.asarray(image.transpose(Image.Transpose.FLIP_TOP_BOTTOM))


@pytest.mark.parametrize("glow", [False, True], ids=["plain", "glow"])
def test_window_and_picture_show_the_same_pixels_and_a_thumbnail_the_same_picture(
    open_on: OpenWindow, monkeypatch: pytest.MonkeyPatch, glow: bool
) -> None:
    monkeypatch.setattr(moments, "LONG_SIDE", SIZE[0] // moments.TIMES)
    window = glowing(open_on, by_night(), "on" if glow else "off")
    window.offscreen.smooth = True
    window.on_update(0.1)  # at the begin of tick 1 it shows tick 0 at its end
    shown = pixels(window)
    assert (window.simulation.tick, window.session.clock.alpha) == (1, 0)
    assert shown.max() > 200
    while (made := window.moments.of(window.session.document.timeline.branch.keyframe(0), window.simulation)) is None:
        window.jobs.frame()
    assert made.is_of_it
    with Simulation(window.simulation.scene, 1) as simulation:
        picture = Image.open(BytesIO(picture_of(simulation, SIZE, glow=glow)))
    np.testing.assert_array_equal(upright(picture), shown)
    thumbnail = upright(window.moments._target.read())  # twice as sharp as its screen, so stars are larger
    assert (np.abs(thumbnail.astype(int) - shown) <= 8).mean() > 0.9


def test_light_spreads_around_what_is_bright_and_nothing_else_changes(open_on: OpenWindow) -> None:
    window = glowing(open_on, by_night(), "off")
    window.on_update(0)
    plain = pixels(window).astype(int)
    window.session.preferences.glow = "on"
    lit = pixels(window).astype(int) - plain
    assert lit[180, 350, 0] > 12  # beside the red one
    assert lit[180, 350, 0] > 3 * lit[180, 350, 2]
    assert lit[180, 350, 0] > lit[180, 370, 0] > lit[180, 410, 0]
    assert np.abs(lit[340:, :20]).max() < 8  # the sky in a corner


def test_by_day_nothing_glows(open_on: OpenWindow) -> None:
    scene = drifting(at(320, 180), size=20)
    scene.settings.backdrop = "noon"
    window = glowing(open_on, scene, "off")
    window.on_update(0)
    plain = pixels(window)
    window.session.preferences.glow = "on"
    np.testing.assert_array_equal(pixels(window), plain)


def test_a_crowd_by_night_keeps_its_colour_however_many_are_over_each_other(open_on: OpenWindow) -> None:
    scene = drifting(*[at(320, 180)] * 400, size=1, world_size=(6400, 3600))
    scene.settings.backdrop = "night"
    window = glowing(open_on, scene)
    window.session.camera.look_at(320, 180)
    window.on_update(0)
    red, green, blue = pixels(window)[176:185, 316:325].reshape(-1, 3).max(0)
    assert red > 240
    assert red > 1.5 * max(green, blue)


def test_a_scene_can_show_trails_and_the_person_s_own_switch_wins(open_on: OpenWindow) -> None:
    window = open_on(by_night(trails=True), SIZE)
    window.on_update(0)
    assert "trails" in window.session.shown
    window.session.toggle_overlay("trails")
    window.on_update(0.1)
    assert "trails" not in window.session.shown
    window.session.toggle_overlay("trails")
    window.simulation.world.resource(Settings).trails = False
    window.on_update(0.1)
    assert "trails" not in window.session.shown


@pytest.mark.parametrize(("said", "drawn"), [(None, ("trails",)), (["heat"], ("heat",)), (["none"], ())])
def test_pictures_and_films_draw_what_the_scene_shows_unless_told_otherwise(
    said: list[str] | None, drawn: tuple[str, ...]
) -> None:
    with Simulation(by_night(trails=True)) as simulation:
        assert overlays_of(simulation, said) == drawn


def test_trails_change_no_digest() -> None:
    with Simulation(by_night()) as plain, Simulation(by_night(trails=True)) as trailing:
        assert plain.digest() == trailing.digest()
