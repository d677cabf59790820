"""Hovering over the timeline shows a small picture of the keyframe there, drawn beside the world that is shown."""

from __future__ import annotations

import gc
import time
import weakref
from pathlib import Path

import esper
import numpy as np
import pytest
from numpy.typing import NDArray

from sandbox.app.gui.moments import LONG_SIDE
from sandbox.app.window import FlockWindow
from sandbox.edit import Spawn
from sandbox.mods.find.trust import Trust
from sandbox.mods.load.library import Library
from sandbox.mods.run.upgrade import UseMods
from sandbox.simulation import Simulation

from .conftest import OpenWindow, at, drifting, middle, places, screen, send
from .test_timeline import MODS, TICK, arrive, bar, pixel, playback, run, timeline

pytestmark = pytest.mark.painted
SPEED = 20.0  # u/s
SCENE = drifting(at(90, 180, (SPEED, 0)), size=60)


@pytest.fixture
def window(open_on: OpenWindow) -> FlockWindow:
    """Something red drifts to the right for 25 s, and the camera looks where it is not."""
    window = open_on(SCENE, (900, 500), panels=["time bar"])
    run(window, 250)
    window.session.camera.zoom_at(450, 250, 40)
    window.session.camera.look_at(600, 20)
    return window


def hover(window: FlockWindow, tick: int, *, waits: bool = True) -> NDArray[np.uint8]:
    """Rest over a tick; what is on the screen, shape (height, width, 3), the first row lowest, when its picture is."""
    send(window, ("on_mouse_motion", *pixel(window, tick), 0, 0))
    window.on_update(0.01)
    window.on_draw()
    while waits and window.moments._job is not None:
        time.sleep(0.001)
        window.on_update(0.001)
        window.on_draw()
    window.gui.pass_time(0.1)  # so that panels are made anew
    window.on_draw()
    return screen(window)


@pytest.mark.parametrize(("tick", "keyframe"), [(0, 0), (57, 50), (120, 120), (248, 240)])
def test_it_shows_the_keyframe_at_or_before(window: FlockWindow, tick: int, keyframe: int) -> None:
    seen = hover(window, tick)
    x, y = middle(places(seen))
    assert y > bar(window)[2]
    half = LONG_SIDE / 2
    left = min(max(pixel(window, tick)[0], half + 20), 900 - half - 20) - half
    assert x - left == pytest.approx(LONG_SIDE * (90 + SPEED * keyframe * TICK) / 640, abs=3)


def test_the_world_that_is_shown_stays_as_it_is(window: FlockWindow) -> None:
    frames, digest, shown = [], window.simulation.digest(), window.simulation
    for _ in range(2):
        window.session.camera.fit()
        frames.append(hover(window, -5))  # beside the bar
        drawing = window.painter.animals._drawing
        hover(window, 57)
        assert window.painter.animals._drawing is drawing
        assert esper.current_world == shown.world.name
    assert (frames[0][100:] == frames[1][100:]).all()
    assert window.simulation is shown
    assert shown.digest() == digest
    run(window, 20)
    with Simulation(SCENE, 1) as plain:
        plain.step(270)
        assert window.simulation.digest() == plain.digest()


def test_a_keyframe_is_drawn_once_while_the_mouse_stays_at_it(window: FlockWindow) -> None:
    def spent() -> int:
        spare = window.moments._spare
        assert spare is not None
        return spare.pipeline.by_name["render"].nanoseconds

    hover(window, 57)
    before = spent()
    hover(window, 57)
    hover(window, 58)
    assert spent() == before
    hover(window, 77)
    assert spent() > before


def test_the_one_before_is_faded_until_the_next_one_is_there(window: FlockWindow) -> None:
    bright = int(hover(window, 57)[..., 0].max())
    there = middle(places(hover(window, 57)))
    faded = hover(window, 120, waits=False)
    assert not len(places(faded))
    assert faded[..., 0].max() > bright / 5
    assert middle(places(hover(window, 120))) != there


def test_the_window_goes_on_while_a_keyframe_is_restored(window: FlockWindow) -> None:
    window.session.clock.paused = False
    tick = timeline(window).tick
    hover(window, 57, waits=False)
    run(window, 5)
    assert timeline(window).tick == tick + 5
    hover(window, 57)
    assert window.moments._spare is not None
    assert window.moments._spare.tick == 50


def test_what_is_not_yet_has_no_picture(window: FlockWindow) -> None:
    playback(window).go(100)
    arrive(window)
    window.session.submit(Spawn(at(40, 40, prefab="green")))
    run(window, 10)
    assert not len(places(hover(window, 200)))
    assert len(places(hover(window, 105)))


def test_mods_come_and_go_in_pictures_too(open_on: OpenWindow, tmp_path: Path) -> None:
    library = Library(Trust(tmp_path / "trust.toml"), [MODS / "magnet"])
    library.look()
    window = open_on(SCENE, (900, 500), panels=["time bar"], library=Library(Trust(tmp_path / "trust.toml")))
    run(window, 100)
    window.session.submit(UseMods(library.loaded))
    run(window, 100)
    spares = []
    for tick in (50, 150, 60):
        hover(window, tick)
        assert window.moments._spare is not None
        assert window.moments._spare.tick == tick
        spares.append([*window.moments._spare.mods.mods])
    assert spares == [[], ["magnet"], []]
    assert [*window.simulation.mods.mods] == ["magnet"]


@pytest.mark.collected
def test_its_memory_is_free_when_another_world_is_shown(window: FlockWindow) -> None:
    hover(window, 57)
    assert window.moments._spare is not None
    world = weakref.ref(window.moments._spare.world)
    window.show(Simulation(SCENE, 1), lambda: Simulation(SCENE, 1))
    window.on_update(TICK)
    window.ctx.gc()
    gc.collect()
    assert world() is None
    run(window, 20)
    assert timeline(window).tick == 21
    assert len(places(hover(window, 10)))
