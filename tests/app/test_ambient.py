"""Ambient mode: scene after scene without panels, until any key gives back the window as it was."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from arcade import key

from sandbox.app import ambient
from sandbox.app.ambient import Ambient
from sandbox.app.window import FlockWindow
from sandbox.design.scene import Entry
from sandbox.edit import Spawn

from .conftest import OpenWindow, at, drifting, screen, send
from .fields import frame

pytestmark = pytest.mark.painted


@pytest.fixture
def window(open_on: OpenWindow) -> FlockWindow:
    """An edited world with panels, in which ambient mode has just begun."""
    window = open_on(drifting(at(200, 180, (100, 0)), size=40), (480, 270), panels=["palette"])
    window.session.submit(Spawn(Entry("green", 3)))
    frame(window, 0.1)
    send(window, ("on_key_press", key.F11, key.MOD_SHIFT), ("on_key_release", key.F11, key.MOD_SHIFT))
    return window


def shown(window: FlockWindow) -> Ambient:
    assert window._ambient is not None
    return window._ambient


def run(window: FlockWindow, frames: int = 1, seconds: float = 0.1) -> np.ndarray:
    """Let frames pass as the event loop does; return what the last one shows."""
    for _ in range(frames):
        send(window, ("on_update", seconds), ("on_draw",))
    return screen(window).astype(int)


def test_scenes_follow_each_other_and_fade(window: FlockWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown(window).simulation.scene.name == "Murmuration"
    run(window, 3, 1.0)
    monkeypatch.setattr(ambient, "SECONDS", 0.05)
    before = run(window, 1, 0.0)
    while shown(window).simulation.scene.name == "Murmuration":
        run(window)
    begins = run(window, 1, 0.0)
    monkeypatch.setattr(ambient, "SECONDS", 1e9)
    later = run(window, 3, 1.0)
    assert np.abs(begins - before).mean() < np.abs(later - before).mean() / 2


@pytest.mark.parametrize("event", [("on_key_press", key.B, 0), ("on_key_press", key.ESCAPE, 0)])
def test_any_key_brings_back_the_world_as_it_was_and_does_nothing_else(
    window: FlockWindow, event: tuple[object, ...]
) -> None:
    digest, world = window.simulation.digest(), window.simulation
    run(window, 5)
    send(window, event, ("on_text", "1"))
    window.session.clock.paused = True
    run(window, 2)
    assert window._ambient is None
    assert (window.simulation, window.simulation.digest()) == (world, digest)
    assert window.session.document.unsaved.some
    assert window.session.document.coloured_by == "species"
    assert window.session.hand.number == 2
    window.session.act("undo")
    frame(window)
    assert window.simulation.world.table.size == 1


def test_the_camera_moves_slowly_or_not_at_all_if_motion_is_reduced(open_on: OpenWindow) -> None:
    zooms = {}
    for reduced in (False, True):
        window = open_on(drifting(at(200, 180)), (320, 180))
        window.session.preferences.reduce_motion = reduced
        window.session.act("ambient")
        begin = shown(window)._camera()
        run(window, 6, 0.2)
        end = shown(window)._camera()
        zooms[reduced] = end.zoom / begin.zoom
    assert 1.0 < zooms[False] < 1.05
    assert zooms[True] == 1.0


def test_closing_asks_about_what_is_unsaved_where_it_can_be_seen(window: FlockWindow) -> None:
    send(window, ("on_close",))
    assert window._ambient is None
    assert window.session.asking.question is not None


def test_a_signal_ends_the_program_although_frames_go_to_ambient_mode(window: FlockWindow) -> None:
    window.end()
    run(window)
    assert window._ambient is None
    assert window.has_exit


def test_the_world_that_waits_is_not_heard(window: FlockWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    player = SimpleNamespace(rest=lambda: told.append("rest"), hear=lambda *_: told.append("hear"), close=lambda: None)
    send(window, ("on_key_press", key.A, 0))
    run(window, 2)
    window.session.clock.paused = False
    monkeypatch.setattr(window.ambience, "_player", player)
    run(window, 2)
    assert told[-1] == "hear"
    window.session.act("ambient")
    run(window, 5)
    assert told[-1] == "rest"
