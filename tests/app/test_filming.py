"""Films that the window makes: where its camera looked, a part of what was recorded, made while play goes on."""

from __future__ import annotations

import pytest

from sandbox.app.window import FlockWindow
from sandbox.past.views import Seen, seen_at

from .conftest import OpenWindow, at, drifting

TICK = 0.1  # s


def run(window: FlockWindow, ticks: int) -> None:
    """So many frames of a tick each, then the world stands."""
    window.session.clock.now = lambda: 0
    window.session.clock.paused = False
    for _ in range(ticks):
        window.on_update(TICK)
        window.on_draw()
    window.session.clock.paused = True


def seen(window: FlockWindow, tick: int) -> Seen | None:
    return seen_at(window.session.document.timeline.branch, tick)


def test_where_the_camera_looks_is_recorded_while_the_present_is_made(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(100, 200)), (900, 500), panels=["inspector", "palette"])
    run(window, 10)
    camera = window.session.camera
    assert any(camera.insets)
    camera.zoom_at(300, 200, 3)
    run(window, 10)
    corners = (
        camera.to_world(camera.insets[0], camera.insets[1]),
        camera.to_world(900 - camera.insets[2], 500 - camera.insets[3]),
    )
    window.session.playback.go(5)
    for _ in range(3):
        window.on_update(TICK)
    camera.pan(50, 50)
    window.on_update(TICK)
    assert window.simulation.tick == 5
    for tick in range(11):
        assert seen(window, tick) == Seen(320, 180, 640, 360)
    for tick in range(11, 21):
        x, y, width, height = seen(window, tick) or Seen(0, 0, 0, 0)
        assert (x - width / 2, y - height / 2, x + width / 2, y + height / 2) == pytest.approx(
            [*corners[0], *corners[1]]
        )
