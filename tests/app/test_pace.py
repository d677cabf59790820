"""How often a window's frames come: at the display's rate while something moves, hardly ever while nothing does."""

from __future__ import annotations

import pytest
from arcade import MOUSE_BUTTON_LEFT as LEFT
from arcade import key

from sandbox.app.pace import interval
from sandbox.app.questions import Question, nothing
from sandbox.app.tools.things import HANDFUL
from sandbox.app.window import FlockWindow
from sandbox.edit import Erase

from .conftest import OpenWindow, at, drifting, send
from .displays import Display


def live(window: FlockWindow, seconds: float) -> int:
    """Let real time pass as the event loop does; returns how many frames were drawn."""
    before, passed = window.session.view.frame_times.frames, 0.0
    while passed < seconds:
        step = window.pace.interval
        window._dispatch_frame(step)  # what arcade's timer calls
        window.dispatch_events()
        passed += step
    return window.session.view.frame_times.frames - before


def at_rest(open_on: OpenWindow) -> FlockWindow:
    window = open_on(drifting(at(100, 100, (5, 0))), panels=["time bar"])
    window.session.clock.paused = True
    live(window, 3)
    return window


@pytest.mark.parametrize(("rate", "shown"), [(60, 60), (144, 144), (59.94, 59.94), (None, 60), (0, 60), (1e9, 60)])
def test_the_next_frame_may_begin_shortly_before_the_display_is_ready(rate: float | None, shown: float) -> None:
    assert 0.8 < interval(Display(rate=rate)) * shown < 1


def test_while_the_world_runs_every_frame_is_drawn(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(100, 100, (5, 0))))
    assert live(window, 2) >= 120
    assert window._update_rate == window._draw_rate == window.pace.interval < 1 / 60


def test_a_world_that_stands_untouched_is_not_drawn(open_on: OpenWindow) -> None:
    window = at_rest(open_on)
    assert live(window, 10) == 0
    assert window._update_rate == window._draw_rate == 1
    assert window.session.view.frames_per_second > 50  # it tells how smoothly things move


@pytest.mark.parametrize(
    "event",
    [("on_mouse_motion", 50, 50, 1, 1), ("on_key_press", key.G, 0), ("on_expose",), ("on_activate",), ("on_text", "9")],
)
def test_whatever_a_person_does_is_seen_at_once(open_on: OpenWindow, event: tuple[object, ...]) -> None:
    window = at_rest(open_on)
    send(window, event)
    assert window._update_rate < 1 / 60
    assert live(window, 0.5) >= 30
    assert live(window, 10) <= 70
    assert live(window, 10) == 0


def test_an_event_is_seen_however_long_ago_the_last_update_was(open_on: OpenWindow) -> None:
    window = at_rest(open_on)
    for seconds in (1.0, 3.0):
        before = window.session.view.frame_times.frames
        send(window, ("on_mouse_motion", 50, 50, 1, 1))
        window.on_update(seconds)
        window.draw(seconds)
        window.dispatch_events()
        assert window.session.view.frame_times.frames > before
        live(window, 3)


def test_what_a_person_does_is_seen_however_slow_frames_are(open_on: OpenWindow) -> None:
    window = at_rest(open_on)
    before = window.session.view.frame_times.frames
    send(window, ("on_key_press", key.E, 0))
    for _ in range(30):
        window._dispatch_frame(0.9)
        window.dispatch_events()
    assert 10 <= window.session.view.frame_times.frames - before <= 20


def test_a_click_wakes_it_and_what_it_placed_is_drawn(open_on: OpenWindow) -> None:
    window = at_rest(open_on)
    send(window, ("on_mouse_press", 300, 200, LEFT, 0), ("on_mouse_release", 300, 200, LEFT, 0))
    live(window, 0.1)
    assert window.painter.animals.count == 1 + HANDFUL


def test_what_changes_by_itself_wakes_it_too(open_on: OpenWindow) -> None:
    window = at_rest(open_on)
    window.session.submit(Erase(100, 100, 10))
    live(window, 1)
    assert window.painter.animals.count == 0
    assert window._update_rate < 1 / 60


def test_a_question_that_comes_up_by_itself_is_seen(open_on: OpenWindow) -> None:
    window = at_rest(open_on)
    window.session.ask(Question("Tea?", "It is hot.", [("Yes", nothing)]))
    assert live(window, 2) >= 30
    assert live(window, 10) == 0


def test_time_goes_on_without_a_leap_after_a_rest(open_on: OpenWindow) -> None:
    window = at_rest(open_on)
    send(window, ("on_key_press", key.SPACE, 0), ("on_key_release", key.SPACE, 0))
    live(window, 1)
    assert window.simulation.tick == pytest.approx(10, abs=1)


def test_a_held_key_pans_until_it_comes_up(open_on: OpenWindow) -> None:
    window = at_rest(open_on)
    send(window, ("on_mouse_scroll", 300, 200, 0, 8.0), ("on_key_press", key.D, 0))
    assert live(window, 3) >= 180


def test_while_nobody_sees_it_the_world_waits_and_nothing_is_drawn(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(100, 100, (5, 0))))
    live(window, 1)
    tick = window.simulation.tick
    send(window, ("on_hide",))
    assert live(window, 10) == 0
    assert window.simulation.tick == tick
    send(window, ("on_show",))
    assert live(window, 1) >= 60
    assert window.simulation.tick == pytest.approx(tick + 10, abs=1)
