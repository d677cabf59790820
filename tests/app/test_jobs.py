"""What takes long goes on beside the window, which shows how far it is; whoever waits for it can give it up."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from arcade import key

from sandbox.app.jobs import jobs
from sandbox.app.jobs.jobs import LONG
from sandbox.app.window import FlockWindow
from sandbox.edit import Erase
from sandbox.files.container import RecordingError
from sandbox.long_work import GivenUpError, tell_how_far
from sandbox.simulation import Simulation

from .conftest import OpenWindow, at, drifting, living, places, screen, send
from .widgets import click, look

POND = drifting(at(50, 50, prefab="green"), at(90, 50, prefab="green"))


@pytest.fixture
def window(open_on: OpenWindow, monkeypatch: pytest.MonkeyPatch) -> FlockWindow:
    monkeypatch.setattr(jobs, "MOMENT", 0.0)
    return open_on(drifting(at(100, 100, (10, 0))), (900, 640))


class Slow:
    """A world that takes as long to make as a test wants.

    Attributes:
        go_on: lets it be made; `made`: it; `ended`: nothing more is done.
    """

    def __init__(self, wrong: str = "") -> None:
        self.go_on, self.ended, self._wrong = threading.Event(), threading.Event(), wrong
        self.made: Simulation | None = None

    def make(self) -> Simulation:
        try:
            tell_how_far(0, 3)
            self.go_on.wait(60)
            tell_how_far(1, 3)
            if self._wrong:
                raise RecordingError(self._wrong)
            self.made = Simulation(POND, 1)
            return self.made
        finally:
            self.ended.set()


@pytest.fixture
def slow() -> Iterator[Slow]:
    slow = Slow()
    yield slow
    slow.go_on.set()


def open_slowly(window: FlockWindow, slow: Slow) -> None:
    again = lambda: Simulation(POND, 1)  # noqa: E731
    window.filing.make(slow.make, "pond", lambda made: window.filing.show_made(made, again, "here it is"))
    time.sleep(LONG)


def frames(window: FlockWindow, until: Callable[[], object] = lambda: True) -> None:
    """Some frames, and more until something is so."""
    end = time.monotonic() + 60
    for _ in range(3):
        window.on_update(0.05)
        window.on_draw()
    while not until():
        assert time.monotonic() < end
        window.on_update(0.01)
        window.on_draw()


# ---- opening


def test_a_world_appears_when_it_is_ready_and_the_one_before_stands_until_then(window: FlockWindow, slow: Slow) -> None:
    frames(window)
    before, tick = window.simulation, window.simulation.tick
    open_slowly(window, slow)
    frames(window)
    assert "Opening pond ..." in look(window).texts
    assert "0 of 3" in look(window).texts
    assert window.simulation is before
    assert before.tick == tick
    slow.go_on.set()
    frames(window, until=lambda: window.simulation is slow.made)
    assert "Opening pond ..." not in look(window).texts
    assert window.session.messages.newest == "here it is"
    frames(window)
    assert window.simulation.tick > 0


def test_it_appears_at_once_however_long_it_took(window: FlockWindow, slow: Slow) -> None:
    """A window that stands rests, but not one that waits for something."""
    window.session.clock.paused = True
    open_slowly(window, slow)
    for _ in range(5):
        window.on_update(1.0)
    assert not window.pace.rests
    slow.go_on.set()


@pytest.mark.painted
def test_what_is_drawn_meanwhile_fits_a_window_of_another_size(window: FlockWindow, slow: Slow) -> None:
    open_slowly(window, slow)
    frames(window)
    window._width, window._height = 700, 500
    send(window, ("_on_internal_resize", 700, 500))
    frames(window)
    assert window.session.camera.screen == (700, 500)
    assert screen(window).shape == (500, 700, 3)
    left, low, right, top = look(window).boxes["Cancel##work"]
    assert 0 < left < right < 700
    assert 0 < low < top < 500


def test_nothing_can_be_done_to_a_world_that_will_be_replaced(window: FlockWindow, slow: Slow) -> None:
    open_slowly(window, slow)
    frames(window)
    was_paused, count = window.session.clock.paused, len(living(window))
    send(
        window, ("on_key_press", key.SPACE, 0), ("on_mouse_press", 450, 500, 1, 0), ("on_mouse_release", 450, 500, 1, 0)
    )
    frames(window)
    assert window.session.clock.paused == was_paused
    assert len(living(window)) == count


@pytest.mark.parametrize("how", ["by Cancel", "by Escape"])
def test_whoever_gives_up_keeps_the_world_and_the_other_is_freed(window: FlockWindow, slow: Slow, how: str) -> None:
    before = window.simulation
    open_slowly(window, slow)
    frames(window)
    if how == "by Cancel":
        click(window, "Cancel##work")
    else:
        send(window, ("on_key_press", key.ESCAPE, 0))
    frames(window)
    assert not window.session.asking.waits
    tick = before.tick
    slow.go_on.set()
    assert slow.ended.wait(60)
    frames(window)
    assert window.simulation is before
    assert before.tick > tick
    assert slow.made is None  # it was told to end


def test_what_can_not_be_opened_is_told_and_the_world_goes_on(window: FlockWindow) -> None:
    slow = Slow("pond.boids: is damaged")
    before = window.simulation
    open_slowly(window, slow)
    slow.go_on.set()
    frames(window, until=lambda: not window.session.asking.waits)
    assert window.session.messages.newest == "pond.boids: is damaged"
    assert window.simulation is before


def test_a_window_can_be_closed_while_it_opens_something(window: FlockWindow, slow: Slow) -> None:
    open_slowly(window, slow)
    send(window, ("on_close",))
    assert window._leaving
    slow.go_on.set()


def test_unsaved_changes_are_asked_about_when_the_other_world_is_ready(window: FlockWindow, tmp_path: Path) -> None:
    (tmp_path / "pond.toml").write_text('format = 1\nname = "Pond"\n')
    window.session.submit(Erase(100, 100, 50))
    window.filing.open(tmp_path / "pond.toml")
    frames(window, until=lambda: window.session.asking.question is not None)
    click(window, "Don't save")
    frames(window)
    assert window.simulation.scene.name == "Pond"


def test_a_world_waits_for_a_file_that_is_being_written(window: FlockWindow, tmp_path: Path) -> None:
    """Else the question whether to save would come before it is known that the file was saved."""
    (tmp_path / "pond.toml").write_text('format = 1\nname = "Pond"\n')
    written = threading.Event()
    window.jobs.begin("writing", lambda: written.wait(60), finishes=True)
    window.filing.open(tmp_path / "pond.toml")
    time.sleep(LONG)
    frames(window, until=lambda: "Writing" in look(window).texts)
    assert window.simulation.scene.name != "Pond"
    written.set()
    frames(window, until=lambda: window.simulation.scene.name == "Pond")


# ---- the list of jobs


def test_what_goes_on_is_listed_and_can_be_cancelled_there(window: FlockWindow) -> None:
    given_up, go_on = threading.Event(), threading.Event()

    def work() -> None:
        try:
            for done in range(1, 100_000):
                tell_how_far(min(done, 7), 9)
                go_on.wait(0.001)
        except GivenUpError:
            given_up.set()
            raise

    job = window.jobs.begin("counting the stones", work, then=lambda _: pytest.fail("it was cancelled"))
    tick = window.simulation.tick
    time.sleep(LONG)
    frames(window)
    assert window.simulation.tick > tick
    seen = look(window)
    assert "Counting the stones" in seen.texts
    assert any(text.startswith("7 of 9") for text in seen.texts)
    click(window, next(label for label in seen.places if label.endswith("##cancel")))
    frames(window)
    assert given_up.wait(60)
    assert job.over
    assert "Counting the stones" not in look(window).texts


def test_a_failure_is_told(window: FlockWindow) -> None:
    job = window.jobs.begin("reading a number", lambda: int("many"))
    frames(window, until=lambda: job.over)
    assert "invalid literal" in window.session.messages.newest


def test_those_of_one_thread_follow_each_other(window: FlockWindow) -> None:
    done: list[int] = []
    for number in range(5):
        job = window.jobs.begin("", lambda number=number: number, done.append)
    frames(window, until=lambda: job.over)
    assert done == [0, 1, 2, 3, 4]


def test_a_window_closes_after_what_it_writes_and_gives_up_the_rest(window: FlockWindow, slow: Slow) -> None:
    written: list[str] = []
    window.jobs.begin("writing", lambda: time.sleep(0.2), lambda _: written.append("all"), finishes=True)
    open_slowly(window, slow)
    threading.Timer(0.1, slow.go_on.set).start()
    window.close()
    assert written == ["all"]


@pytest.mark.painted
def test_the_world_is_drawn_while_another_is_opened(window: FlockWindow, slow: Slow) -> None:
    open_slowly(window, slow)
    window._width, window._height = 800, 600
    send(window, ("_on_internal_resize", 800, 600))
    frames(window)
    send(window, ("on_key_press", key.ESCAPE, 0))
    frames(window)
    assert len(places(screen(window)))
