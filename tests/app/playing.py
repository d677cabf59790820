"""Lets a window play for tests."""

from __future__ import annotations

from sandbox.app.window import FlockWindow

TICK = 0.1  # s


def run(window: FlockWindow, ticks: int) -> None:
    """So many frames of a tick each, then the world stands."""
    window.session.clock.now = lambda: 0
    window.session.clock.paused = False
    for _ in range(ticks):
        window.on_update(TICK)
        window.on_draw()
    window.session.clock.paused = True


def arrive(window: FlockWindow) -> None:
    """As many frames as it takes to the moment that is sought."""
    while window.session.playback.goes:
        window.on_update(0.0)
