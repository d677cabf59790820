"""What takes long is waited for: the window says so, answers the system, and hears nobody else."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import pytest
from arcade import key

import sandbox
from sandbox.app import long_work
from sandbox.app.window import FlockWindow

from .conftest import OpenWindow, at, drifting, send
from .widgets import click, look

pytestmark = pytest.mark.painted


class Frames:
    """What is done in each frame, and an event that is set after three of them."""

    def __init__(self) -> None:
        self.do: Callable[[], object] = lambda: None
        self.three, self._count = threading.Event(), 0

    def flip(self) -> None:
        self.do()
        self._count += 1
        if self._count == 3:
            self.three.set()


@contextmanager
def each_frame(window: FlockWindow) -> Iterator[Frames]:
    frames, flip = Frames(), window.flip
    window.flip = frames.flip  # type: ignore[method-assign]
    yield frames
    window.flip = flip  # type: ignore[method-assign]


@pytest.fixture
def window(open_on: OpenWindow) -> FlockWindow:
    return open_on(drifting(at(100, 100)), (900, 640), panels=["scenes"])


def test_what_is_made_in_the_thread_comes_back(window: FlockWindow) -> None:
    assert window.wait_for("making it", threading.current_thread) is not threading.current_thread()


def test_what_can_not_be_made_is_told_where_it_was_asked_for(window: FlockWindow) -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        window.wait_for("reading a number", lambda: int("many"))


def resize(window: FlockWindow, width: int, height: int) -> None:
    """What pyglet does when the system says that a window has another size."""
    window._width, window._height = width, height
    window.dispatch_event("_on_internal_resize", width, height)


def test_people_are_not_heard_but_the_system_is(window: FlockWindow) -> None:
    was_paused = window.session.clock.paused

    with each_frame(window) as frames:
        frames.do = lambda: (window.dispatch_event("on_key_press", key.SPACE, 0), resize(window, 700, 500))
        window.wait_for("pressing keys", frames.three.wait)
    assert window.session.clock.paused == was_paused
    assert window.session.camera.screen == (700, 500)
    send(window, ("on_key_press", key.SPACE, 0))
    assert window.session.clock.paused != was_paused


def test_what_was_let_go_meanwhile_is_let_go_afterwards(window: FlockWindow) -> None:
    send(window, ("on_key_press", key.D, 0))
    with each_frame(window) as frames:
        frames.do = lambda: window.dispatch_event("on_key_release", key.D, 0)
        window.wait_for("letting go", frames.three.wait)
    assert window.keyboard[key.D]
    window.on_update(0.0)
    window.dispatch_events()
    assert not window.keyboard[key.D]


def test_a_window_that_is_closed_meanwhile_closes_afterwards(window: FlockWindow) -> None:
    with each_frame(window) as frames:
        frames.do = lambda: window.dispatch_event("on_close")
        window.wait_for("closing", frames.three.wait)
    assert not window._leaving
    window.on_update(0.0)
    window.dispatch_events()
    assert window._leaving


def test_a_light_moves_below_the_words(window: FlockWindow) -> None:
    seen: list[np.ndarray] = []

    def see() -> None:
        data = window.ctx.screen.read(viewport=(0, 0, 900, 640), components=3)
        seen.append(np.frombuffer(data, np.uint8).reshape(640, 900, 3))

    with each_frame(window) as frames:
        frames.do = see
        window.wait_for("waiting for frames", frames.three.wait)
    words, bar, ground = slice(325, 345), slice(300, 316), seen[0][0, 0]
    assert (seen[0][words] != ground).any()
    assert (seen[0][bar] != ground).any()
    assert (seen[0][words] == seen[-1][words]).all()
    assert (seen[0][bar] != seen[-1][bar]).any()


@pytest.mark.parametrize("moment", [long_work.MOMENT, 0.0])
def test_a_world_is_opened_in_the_middle_of_a_frame(
    window: FlockWindow, moment: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A card of the gallery is clicked while panels are made."""
    monkeypatch.setattr(long_work, "MOMENT", moment)
    look(window, 20)
    click(window, "scene murmuration")
    window.on_draw()
    assert window.simulation.scene.name == sandbox.load("murmuration").scene.name
