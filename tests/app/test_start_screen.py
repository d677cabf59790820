"""The window of the first start shows pictures of the scenes and how far it is, and can be closed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from arcade import key
from pyglet import gl

from sandbox import warm_up
from sandbox.app import run_window
from sandbox.app.start_screen import GROUND, LIT, ClosedError, StartScreen, compile_in_window
from sandbox.mods.find.trust import Trust
from sandbox.mods.load.library import Library
from sandbox.mods.run.running_mods import RunningMods
from sandbox.opening import load
from sandbox.scenes.bundled import bundled_scenes
from sandbox.warm_up import ready_scenes


@pytest.fixture(params=[(900, 600), (320, 240)], ids=str)
def screen(request: pytest.FixtureRequest) -> Iterator[StartScreen]:
    window = StartScreen("storm", request.param)
    gl.glDisable(gl.GL_RASTERIZER_DISCARD)
    yield window
    window.close()


def shown(window: StartScreen) -> np.ndarray:
    """What is drawn, shape (height, width, 3), the first row lowest."""
    window.show()
    width, height = window.get_size()
    data = window.ctx.screen.read(viewport=(0, 0, width, height), components=3)
    return np.frombuffer(data, np.uint8).reshape(height, width, 3)


def test_it_shows_every_scene_and_a_bar_that_grows(screen: StartScreen) -> None:
    lit = []
    for screen.share, screen.what in (0.0, ""), (0.25, "flocking"), (1.0, "flocking"):
        picture = shown(screen)
        lit.append(int((picture[54] == LIT[:3]).all(axis=1).sum()))
    bar = min(0.6 * screen.width, 640)
    assert lit[0] <= 1
    assert lit[1:] == pytest.approx([bar / 4, bar], abs=2)
    above = (picture[130:] != GROUND[:3]).any(axis=2)
    assert above.mean() > 0.3
    assert len(screen._pictures) == len(bundled_scenes())


def box(window: StartScreen, scene: str) -> tuple[int, int]:
    """The middle of a scene's picture."""
    index = next(n for n, path in enumerate(bundled_scenes()) if path.stem == scene)
    return round(window._boxes[index].x), round(window._boxes[index].y)


def test_a_picture_is_chosen_with_the_mouse_or_by_keyboard(screen: StartScreen) -> None:
    shown(screen)
    screen.share = 0.5
    send(screen, ("on_mouse_press", *box(screen, "reef"), 1, 0))
    assert (screen.scene, screen.share) == ("reef", 0.0)
    for symbol in (key.LEFT, key.DOWN, key.ENTER):
        send(screen, ("on_key_press", symbol, 0))
    below = bundled_scenes()[screen._columns].stem
    assert screen.scene == below
    send(screen, ("on_mouse_press", 2, 2, 1, 0))
    assert screen.scene == below


def send(screen: StartScreen, *events: tuple[object, ...]) -> None:
    for event in events:
        screen.dispatch_event(*event)
    screen.dispatch_events()


@pytest.mark.timeout(600)
def test_what_is_chosen_is_compiled_opened_and_marked_as_ready(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(run_window, "is_cold", lambda: True)  # as after a first start that did not come to its end
    monkeypatch.setattr(warm_up, "_ready_list", lambda: tmp_path / "ready")
    draw, pressed = StartScreen.show, []

    def show(window: StartScreen) -> None:
        draw(window)
        if not pressed:
            pressed.append(window)
            send(window, ("on_mouse_press", *box(window, "birb"), 1, 0))

    monkeypatch.setattr(StartScreen, "show", show)
    window = run_window.begun("ronan", lambda: load("ronan"), Library(Trust()), RunningMods())
    assert window.simulation.scene.name == "Birb"
    assert ready_scenes() == {"birb"}
    window.close()


def test_it_ends_when_it_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(StartScreen, "show", lambda window: window.on_close())
    with pytest.raises(ClosedError):
        compile_in_window("ronan", (400, 300))


def test_no_line_is_wider_than_the_window(screen: StartScreen) -> None:
    screen.what, screen.share = "flocking " * 40, 0.5
    picture = shown(screen)
    assert (picture[:120, :4] == GROUND[:3]).all()
    assert (picture[:120, -4:] == GROUND[:3]).all()
