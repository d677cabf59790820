"""Every control of the window, by the events a person's hands would cause."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from arcade import MOUSE_BUTTON_LEFT as LEFT
from arcade import MOUSE_BUTTON_MIDDLE as MIDDLE
from arcade import key
from PIL import Image

from sandbox.app.tools.things import HANDFUL
from sandbox.app.window import FlockWindow
from sandbox.app.window_size import fitting_size
from sandbox.design.scene import Entry
from sandbox.simulation import Simulation

from .conftest import OpenWindow, at, drifting, living, middle, places, screen, send
from .displays import Display
from .widgets import click, look

TICK = 0.1  # s
GOOD = """
format = 1
name = "Two"
[world]
size = [800, 600]
[[spawn]]
prefab = "boid"
count = 2
"""


def press(window: FlockWindow, symbol: int) -> None:
    send(window, ("on_key_press", symbol, 0), ("on_key_release", symbol, 0))


def settle(window: FlockWindow) -> None:
    """A frame while paused: commands are carried out and time stands."""
    window.session.clock.paused = True
    window.on_update(0.01)


def test_a_small_drag_does_not_pile_boids_up(open_on: OpenWindow) -> None:
    window = open_on(drifting())
    send(window, ("on_mouse_press", 100, 180, LEFT, 0))
    send(window, *[("on_mouse_drag", 100 + n, 180, 1, 0, LEFT, 0) for n in range(1, 11)])
    settle(window)
    assert len(living(window)) == HANDFUL


def test_a_middle_drag_and_the_letters_pan(open_on: OpenWindow) -> None:
    window = open_on(drifting())
    x, y = window.session.camera.x, window.session.camera.y
    send(window, ("on_mouse_drag", 300, 200, 40, 10, MIDDLE, 0))
    assert (window.session.camera.x, window.session.camera.y) == (x - 40, y - 10)
    for symbol, axis, sign in ((key.A, 0, -1), (key.D, 0, 1), (key.W, 1, 1), (key.S, 1, -1)):
        before = window.session.camera.x, window.session.camera.y
        send(window, ("on_key_press", symbol, 0))
        window.on_update(0.05)
        after = window.session.camera.x, window.session.camera.y
        assert (after[axis] - before[axis]) * sign > 10
        assert after[1 - axis] == before[1 - axis]
        send(window, ("on_key_release", symbol, 0))
        window.on_update(0.05)
        assert (window.session.camera.x, window.session.camera.y) == after


def test_a_key_held_while_the_window_loses_the_keyboard_is_let_go(open_on: OpenWindow) -> None:
    window = open_on(drifting())
    send(window, ("on_key_press", key.D, 0), ("on_deactivate",))
    x = window.session.camera.x
    window.on_update(0.05)
    assert window.session.camera.x == x


def test_a_letter_that_went_down_beside_ctrl_does_not_pan_when_ctrl_comes_up_first(open_on: OpenWindow) -> None:
    window = open_on(drifting())
    camera = window.session.camera
    before = camera.x, camera.y
    send(window, ("on_key_press", key.LCTRL, 0), ("on_key_press", key.A, key.MOD_CTRL))
    send(window, ("on_key_release", key.LCTRL, key.MOD_CTRL))
    window.on_update(0.05)
    assert (camera.x, camera.y) == before
    send(window, ("on_key_release", key.A, 0), ("on_key_press", key.A, 0))
    window.on_update(0.05)
    assert camera.x < before[0]


def test_two_fingers_push_the_world_sideways(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(300, 200)), (640, 360))
    window.session.camera.zoom_at(200, 100, 2)
    zoom, x = window.session.camera.zoom, window.session.camera.x
    send(window, ("on_mouse_scroll", 200, 100, 2.0, 0.5))
    assert window.session.camera.zoom == zoom
    assert window.session.camera.x > x


def test_scroll_zooms_and_z_fits(open_on: OpenWindow) -> None:
    window = open_on(drifting())
    zoom = window.session.camera.zoom
    place = window.session.camera.to_world(200, 100)
    send(window, ("on_mouse_scroll", 200, 100, 0, 4.0))
    assert window.session.camera.zoom > 1.5 * zoom
    assert window.session.camera.to_world(200, 100) == pytest.approx(place)
    press(window, key.Z)
    assert window.session.camera.zoom == zoom


def test_space_pauses_and_a_dot_runs_one_tick(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(100, 100, (10, 0))))
    window.on_update(TICK)
    press(window, key.SPACE)
    window.on_update(5 * TICK)
    assert window.simulation.tick == 1
    send(window, ("on_text", "."))
    window.on_update(TICK)
    assert window.simulation.tick == 2
    assert window.session.clock.paused
    press(window, key.SPACE)
    window.on_update(TICK)
    assert window.simulation.tick == 3
    send(window, ("on_text", "."))
    assert window.session.clock.paused


def test_comma_and_slash_change_the_speed(open_on: OpenWindow) -> None:
    window = open_on(drifting())
    window.session.clock.now = lambda: 0  # however slow this machine is, the budget is not spent
    send(window, ("on_text", "/"), ("on_text", "/"))
    window.on_update(TICK)
    assert window.simulation.tick == 4
    for _ in range(9):
        send(window, ("on_text", ","))
    for _ in range(50):
        window.on_update(TICK)
    assert window.simulation.tick == 5  # a fiftieth


def test_restart_begins_again_with_the_same_seed(open_on: OpenWindow) -> None:
    window = open_on(drifting(Entry("red", 50)))
    start = living(window)
    send(window, ("on_mouse_press", 300, 100, LEFT, 0), ("on_mouse_scroll", 300, 100, 0, 2.0))
    window.on_update(3 * TICK)
    zoom = window.session.camera.zoom
    press(window, key.R)
    click(window, "Don't save")
    assert window.simulation.tick == 0
    np.testing.assert_array_equal(living(window), start)
    assert window.session.camera.zoom == zoom
    window.on_update(TICK)
    assert window.simulation.tick == 1


@pytest.mark.parametrize("scale", [1.0, 1.25, 2.0, 3.0])
@pytest.mark.parametrize("size", [(3840, 2160), (1920, 1080), (1280, 800)])
def test_a_window_fits_on_its_screen_however_that_is_scaled(size: tuple[int, int], scale: float) -> None:
    wide, tall = fitting_size(Display(*size, scale=scale), "linux")
    assert 0.7 * size[0] < wide * scale < size[0] or wide == 1600
    assert 0.7 * size[1] < tall * scale < size[1] or tall == 1000
    points = Display(round(size[0] / scale), round(size[1] / scale), scale=scale)
    assert fitting_size(points, "darwin") == pytest.approx((wide, tall), abs=1)


def test_resizing_keeps_the_view_sensible(open_on: OpenWindow) -> None:
    window = open_on(drifting(), (640, 360))
    send(window, ("on_resize", 1280, 720))
    assert window.session.camera.zoom == 2
    send(window, ("on_mouse_scroll", 100, 100, 0, 1.0))
    zoom = window.session.camera.zoom
    send(window, ("on_resize", 320, 240))
    assert window.session.camera.zoom == zoom
    window.on_draw()


def test_a_key_hides_all_panels_and_says_that_it_shows_them_again(open_on: OpenWindow) -> None:
    window = open_on(drifting(), panels=["time bar"])
    assert "entities" in look(window).text
    press(window, key.F12)
    assert look(window).texts[1:] == ["Panels and menu are hidden. Press F12 to show them again."]
    window.session.messages.log.clear()
    assert look(window).texts == []
    press(window, key.F12)
    assert "entities" in look(window).text


@pytest.mark.painted
def test_a_screenshot_is_written_and_none_is_overwritten(open_on: OpenWindow, tmp_path: Path) -> None:
    window = open_on(drifting(at(100, 100)))
    window.shots.folder = tmp_path / "pictures"
    press(window, key.F2)
    window.jobs.finish()
    assert "drifting-0.png" in window.session.messages.newest
    press(window, key.F2)
    window.jobs.finish()
    written = sorted(path.name for path in window.shots.folder.iterdir())
    assert written == ["drifting-0-2.png", "drifting-0.png"]
    with Image.open(window.shots.folder / "drifting-0.png") as picture:
        assert picture.size == (640, 360)
        assert picture.getpixel((100, 360 - 100))[0] > 150


@pytest.mark.painted
@pytest.mark.parametrize("depth", [0, 100])
@pytest.mark.parametrize("zooms", [False, True])
def test_a_screenshot_shows_what_panels_leave_free(
    open_on: OpenWindow, tmp_path: Path, zooms: bool, depth: float
) -> None:
    """As it is seen there, to the edges: not the whole window's view, of which panels would cover a part."""
    scene = drifting(at(320, 180), at(320, 200, prefab="green"), size=6)
    scene.settings.depth = depth
    window = open_on(scene, (900, 500), panels=["palette", "inspector", "time bar"])
    window.shots.folder = tmp_path
    window.session.clock.paused = True
    look(window)
    if zooms:
        window.session.camera.look_at(330, 190, *[depth / 2][: depth > 0])
        window.session.camera.zoom_at(400, 250, 3)
    look(window)
    left, low, right, top = window.session.camera.insets
    assert min(left, low, right, top) > 0
    press(window, key.F2)
    window.jobs.finish()
    with Image.open(tmp_path / "drifting-0.png") as picture:
        shown = np.asarray(picture.convert("RGB"))[::-1]
    window.session.messages.log.clear()
    look(window)
    seen = screen(window)[round(low) : 500 - round(top), round(left) : 900 - round(right)]
    assert shown.shape == seen.shape
    for channel in (0, 1):
        assert middle(places(shown, channel)) == pytest.approx(middle(places(seen, channel)), abs=2)


def test_a_screenshot_that_can_not_be_written_is_said(open_on: OpenWindow, tmp_path: Path) -> None:
    window = open_on(drifting())
    (tmp_path / "file").write_text("in the way")
    window.shots.folder = tmp_path / "file"
    press(window, key.F2)
    assert window.session.messages.newest.startswith(f"no screenshot: {tmp_path / 'file'}: can't be created: ")


def test_a_dropped_scene_or_snapshot_opens(open_on: OpenWindow, tmp_path: Path) -> None:
    window = open_on(drifting(at(100, 100, (5, 0))))
    window.simulation.step(7)
    window.simulation.save(tmp_path / "state.boids")
    (tmp_path / "two.toml").write_text(GOOD)
    send(window, ("on_file_drop", 10, 10, [str(tmp_path / "two.toml")]))
    assert window.simulation.scene.name == "Two"
    assert window.session.camera.world_size == (800, 600)
    assert "two.toml" in window.session.messages.newest
    send(window, ("on_mouse_press", 320, 180, LEFT, 0))
    settle(window)
    assert len(living(window)) == 2 + HANDFUL
    press(window, key.R)
    click(window, "Don't save")
    assert len(living(window)) == 2
    send(window, ("on_file_drop", 10, 10, [str(tmp_path / "state.boids")]))
    assert window.simulation.tick == 7
    press(window, key.R)
    assert window.simulation.tick == 7


@pytest.mark.parametrize("content", [b"format = 99", b"\x00\xff", b"[[[", b"PK\x03\x04 rubbish", None])
def test_a_bad_file_leaves_the_running_world_as_it_was(
    open_on: OpenWindow, tmp_path: Path, content: bytes | None
) -> None:
    window = open_on(drifting(at(100, 100)))
    running: Simulation = window.simulation
    path = tmp_path / "bad.toml"
    if content is not None:
        path.write_bytes(content)
    send(window, ("on_file_drop", 10, 10, [str(path)]))
    assert window.simulation is running
    question = window.session.asking.question
    assert "bad.toml" in (question.text if question else window.session.messages.newest)
    assert "bad.toml" in window.session.messages.log[-1].text
    if question:
        click(window, question.answers[0][0])
    window.on_update(TICK)
    assert running.tick == 1
    window.on_draw()


def test_the_time_bar_tells_the_numbers(open_on: OpenWindow) -> None:
    window = open_on(drifting(Entry("red", 1234)), (1000, 400), panels=["time bar"])
    window.session.clock.now = lambda: 0
    for _ in range(60):
        window.on_update(TICK)
    text = look(window).text
    for words in ("tick 60", "1,234 entities", "10 frames/s", "ms per tick", "1x real time"):
        assert words in text
    window.on_update(10.0)
    assert "0.02x real time (1x asked for)" in look(window).text  # far too slow, but it goes on


@pytest.mark.painted
@pytest.mark.parametrize("compares", [False, True])
def test_the_world_is_painted_only_where_no_panel_covers_it(open_on: OpenWindow, compares: bool) -> None:
    window = open_on(drifting(at(300, 180)), (900, 600), panels=["palette", "inspector", "time bar"])
    window.session.clock.paused = True
    if compares:
        window.session.act("compare")
    for _ in range(4):
        window.on_update(0.1)
        window.on_draw()
    left, low, right, top = window.gui._docking.middle.insets(900, 600)
    painted = window.ctx.query(samples=True, time=False, primitives=False)
    with painted:
        window._draw_world(window.ctx.screen, 1.0)
    free = (900 - left - right) * (600 - low - top)
    assert free <= painted.samples_passed < 1.1 * free  # the sky, and an animal or two
