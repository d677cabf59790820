"""Questions: one at a time, none lost, an answer counts in every frame, and the world waits for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from arcade import MOUSE_BUTTON_LEFT as LEFT
from arcade import key
from pyglet import gl

from sandbox.app.gui.panel import Box, Panel
from sandbox.app.gui.ui import Ui
from sandbox.app.preferences import Preferences
from sandbox.app.questions import Question, nothing
from sandbox.app.session.session import Session
from sandbox.app.window import FlockWindow
from sandbox.edit import Erase
from sandbox.simulation import Simulation

from .cage import Cage
from .conftest import OpenWindow, at, drifting, send
from .mouse import hit, log, with_tools
from .test_docking import drag, hidden, standing
from .test_everybody import flocking
from .widgets import Seen, click, look

TICK = 0.1  # s
SLOW = 1 / 3  # s: a frame of a slow machine
CTRL = key.MOD_CTRL
LETTERS = [getattr(key, letter) for letter in "ABCDEFGHIJKLMNOPRSTUVWXYZ"]
OTHERS = [
    *(key.SPACE, key.TAB, key.ESCAPE, key.HOME, key.END, key.DELETE, key.ENTER, key.LEFT, key.UP, key.DOWN),
    *(key.F1, key.F4, key.F4, key.F6, key.F6, key.F6, key.BACKSPACE),
]
WITH_CONTROL = [key.A, key.Z, key.P, key.S, key.O, key.N, key.V, key.C]  # Ctrl+Q asks before what is asked


def opened(open_on: OpenWindow) -> FlockWindow:
    return open_on(drifting(at(100, 100, (5, 0))), (900, 640))


def tea(answered: list[str]) -> Question:
    return Question("Tea?", "It is hot.", [("Yes", lambda: answered.append("tea")), ("No", nothing)])


def cake(answered: list[str]) -> Question:
    return Question("Cake?", "It is sweet.", [("Please", lambda: answered.append("cake")), ("Later", nothing)])


def test_a_panel_that_appears_later_covers_no_question(open_on: OpenWindow) -> None:
    """It floats where a person had put it, in the middle of the window."""
    before = open_on(drifting(at(100, 100)), (900, 640), panels=["log"])
    box = standing(before)["log"]
    drag(before, (box.x + 20, box.y + 8), (480, 220))
    kept = before.session.preferences
    before.session.toggle_panel("log")
    look(before)
    before.gui.keep(kept)
    window, answered = FlockWindow(before.simulation, nothing, (900, 640), False, kept), []  # type: FlockWindow, list[str]
    window.session.ask(tea(answered))
    look(window)
    window.session.toggle_panel("log")
    left, low, right, high = look(window).boxes["Yes"]
    assert hidden(standing(window)["log"], Box(left, 640 - high, right - left, high - low)) > 0
    click(window, "Yes")
    assert answered == ["tea"]
    window.close()


def test_a_second_question_waits_until_the_first_is_answered(open_on: OpenWindow) -> None:
    window, answered = opened(open_on), []  # type: FlockWindow, list[str]
    window.session.ask(tea(answered))
    window.session.ask(cake(answered))
    assert "Tea?" in look(window).text
    click(window, "Yes")
    assert "Cake?" in look(window).text
    click(window, "Please")
    assert answered == ["tea", "cake"]
    assert not window.session.asking.waits


def test_what_an_answer_asks_comes_before_what_waits(open_on: OpenWindow) -> None:
    window, answered = opened(open_on), []  # type: FlockWindow, list[str]
    again = Question("Sure?", "Really?", [("Of course", nothing)])
    window.session.ask(Question("Coffee?", "", [("Yes", lambda: window.session.ask(again)), ("No", nothing)]))
    window.session.ask(cake(answered))
    click(window, "Yes")
    assert "Sure?" in look(window).text
    click(window, "Of course")
    assert "Cake?" in look(window).text


def test_the_same_question_is_asked_once(open_on: OpenWindow) -> None:
    window = opened(open_on)
    window.session.submit(Erase(100, 100, 10))
    for _ in range(3):
        send(window, ("on_close",))
    assert "Save the changes?" in look(window).text
    click(window, "Cancel")
    assert not window.session.asking.waits


@pytest.mark.parametrize("size", [(320, 240), (640, 360), (800, 600)])
@pytest.mark.parametrize("text", [0.7, 1.0, 1.7, 2.5])
@pytest.mark.parametrize("language", ["en", "de"])
def test_every_answer_can_be_clicked(size: tuple[int, int], text: float, language: str) -> None:
    """Also in a small window, with large text: what is asked scrolls, the answers stand below each other."""
    simulation = Simulation(drifting(at(100, 100)))
    window = FlockWindow(simulation, nothing, size, False, Preferences(text=text, language=language))
    for words in ("Cancel", "Don't save", "Save"):
        window.session.submit(Erase(100, 100, 10))
        window.filing.new()
        boxes = look(window).boxes
        answers = {label.rpartition("###")[2]: label for label in boxes}
        for each in ("Save", "Don't save", "Cancel"):
            left, low, right, high = boxes[answers[each]]
            assert 0 <= left < right <= size[0]
            assert 0 <= low < high <= size[1]
        click(window, answers[words])
        assert window.session.asking.question is None
    assert window.session.asking.dialog is not None
    window.close()


@pytest.mark.parametrize("by", [key.ESCAPE, key.ENTER, key.NUM_ENTER])
def test_a_question_with_one_answer_is_answered_by_either_key(open_on: OpenWindow, by: int) -> None:
    window = opened(open_on)
    window.session.ask(Question("Two mods are wrong", "magnet\nink", listing=True))
    assert "Two mods are wrong" in look(window).text
    hit(window, by)
    look(window)
    assert not window.session.asking.waits


def test_time_stands_while_a_question_waits(open_on: OpenWindow) -> None:
    window = opened(open_on)
    window.session.ask(tea([]))
    for _ in range(10):
        window.on_update(TICK)
    assert window.simulation.tick == 0
    click(window, "No")
    window.on_update(TICK)
    assert window.simulation.tick == 1


def test_the_window_can_be_closed_by_its_key_while_a_question_waits(open_on: OpenWindow) -> None:
    window = opened(open_on)
    window.session.ask(tea([]))
    look(window)
    hit(window, key.Q, CTRL)
    window.on_update(0)
    assert window.has_exit


def test_before_it_closes_what_is_not_saved_is_asked_about_first(open_on: OpenWindow) -> None:
    window = opened(open_on)
    window.session.submit(Erase(100, 100, 10))
    window.session.ask(tea([]))
    look(window)
    hit(window, key.Q, CTRL)
    assert "Save the changes?" in look(window).text
    click(window, "Cancel")
    assert "Tea?" in look(window).text
    assert not window.has_exit


def slow_frame(window: FlockWindow, seconds: float = SLOW) -> Seen:
    window.dispatch_events()
    window.dispatch_event("on_update", seconds)  # ambient mode keeps it from the window
    return look(window, 1)


def mash(window: FlockWindow, dice: Random, seen: Seen) -> None:
    """Press a key, or a button somewhere, more often where something is."""
    chance = dice.random()
    if chance < 0.5:
        symbol = dice.choice([*LETTERS, *OTHERS])
        window.dispatch_event("on_key_press", symbol, 0)
        if symbol in LETTERS:
            window.dispatch_event("on_text", chr(symbol))
        window.dispatch_event("on_key_release", symbol, 0)
    elif chance < 0.7:
        symbol = dice.choice(WITH_CONTROL)
        window.dispatch_event("on_key_press", key.LCTRL, 0)
        window.dispatch_event("on_key_press", symbol, CTRL)
        window.dispatch_event("on_key_release", symbol, CTRL)
        window.dispatch_event("on_key_release", key.LCTRL, CTRL)
    else:
        somewhere = dice.randrange(window.width), dice.randrange(window.height)
        x, y = dice.choice([somewhere, *seen.places.values()])
        press_at(window, x, y, dice.choice([LEFT, LEFT, 4]), dragged=dice.choice([0, 30]))


def press_at(window: FlockWindow, x: int, y: int, button: int = LEFT, dragged: int = 0) -> None:
    window.dispatch_event("on_mouse_motion", x, y, 0, 0)
    window.dispatch_event("on_mouse_press", x, y, button, 0)
    if dragged:
        window.dispatch_event("on_mouse_drag", x + dragged, y, dragged, 0, button, 0)
    window.dispatch_event("on_mouse_release", x + dragged, y, button, 0)


def answer(window: FlockWindow, how: int | str, seen: Seen) -> None:
    """Answer by a key, or by a click on the button with these words."""
    if isinstance(how, str):
        press_at(window, *seen.places[how])
    else:
        window.dispatch_event("on_key_press", how, 0)
        window.dispatch_event("on_key_release", how, 0)


def always_answered(window: FlockWindow, seed: int, count: int) -> None:
    """Press keys and buttons in so many slow frames; after each, a question must be answered in two frames."""
    dice = Random(seed)
    seen = slow_frame(window)
    for _ in range(count):
        for _ in range(dice.randrange(1, 6)):
            mash(window, dice, seen)
        seen = slow_frame(window)
        if dice.random() > 0.4:
            ask_and_answer(window, dice)


def ask_and_answer(window: FlockWindow, dice: Random, seconds: float = SLOW) -> None:
    """Answer the question that waits, or else one that is asked now: it is answered in two frames of so long."""
    asking = window.session.asking
    if asking.dialog is not None or asking.work is not None:
        return
    if not asking.waits:
        window.session.ask(tea([]))
    question, seen = asking.question, slow_frame(window, seconds)
    if not seen.texts:
        seen = slow_frame(window, seconds)  # panels without events are made in each second frame of a fast display
    if question is None or asking.question is not question or getattr(window, "is_ambient", False):
        return  # a press or a key has answered it by chance, or has begun ambient mode, in which nobody can be asked
    button = [question.answers[-1][0]] * (min(window.session.camera.screen) > 100)  # else it can't be hit
    how = dice.choice([*button, key.ESCAPE, *([key.ENTER] if question.by_enter else [])])
    answer(window, how, seen)
    slow_frame(window, seconds)
    slow_frame(window, seconds)
    assert asking.question is not question, (how, question)


STATES = {
    "usual": [],
    "panels hidden": ["hide"],
    "two worlds": ["compare"],
    "by keyboard": ["walk"],
    "seeking a command": ["commands"],
    "paused, with all selected": ["pause", "select_all"],
    "many panels": ["explain", "charts", "mods", "settings", "scenes", "log"],
}


@pytest.fixture
def caged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], Cage]]:
    """Opens windows that mashing can't leave."""
    monkeypatch.chdir(tmp_path)
    opened: list[Cage] = []

    def open_one() -> Cage:
        def make() -> Simulation:
            return Simulation(with_tools(at(100, 100, (5, 0)), at(200, 100)))

        window = Cage(make(), make, (900, 640), False, preferences=Preferences())
        gl.glEnable(gl.GL_RASTERIZER_DISCARD)
        window.keep_in(tmp_path)
        opened.append(window)
        return window

    yield open_one
    for window in opened:
        window.close()


def test_what_was_pressed_before_a_question_does_not_delay_its_answer(open_on: OpenWindow) -> None:
    window, answered = opened(open_on), []  # type: FlockWindow, list[str]
    for _ in range(60):
        window.dispatch_event("on_key_press", key.UP, 0)
        window.dispatch_event("on_key_release", key.UP, 0)
        press_at(window, 450, 300)
    window.session.ask(tea(answered))
    answer(window, "Yes", slow_frame(window))
    slow_frame(window)
    assert answered == ["tea"]


def test_a_click_answers_also_after_the_release_of_another_was_lost(open_on: OpenWindow) -> None:
    window, answered = opened(open_on), []  # type: FlockWindow, list[str]
    window.session.ask(tea(answered))
    look(window)
    send(window, ("on_mouse_press", 450, 330, LEFT, 0))
    slow_frame(window)
    answer(window, "Yes", slow_frame(window))
    slow_frame(window)
    assert answered == ["tea"]


def test_a_drag_of_a_panel_ends_when_something_is_asked(open_on: OpenWindow) -> None:
    window, answered = open_on(flocking(), (900, 640), panels=["inspector"]), []  # type: FlockWindow, list[str]
    panel = standing(window)["inspector"]
    x, y = round(panel.x + 30), round(640 - panel.y - 10)
    send(window, ("on_mouse_motion", x, y, 0, 0))
    look(window)
    send(window, ("on_mouse_press", x, y, LEFT, 0))
    look(window)
    for way in (40, 80):
        send(window, ("on_mouse_drag", x - way, y, -40, 0, LEFT, 0))
        look(window)
    assert standing(window)["inspector"].x < panel.x - 40
    window.session.ask(tea(answered))
    look(window)
    answer(window, key.ENTER, slow_frame(window))
    slow_frame(window)
    assert answered == ["tea"]


class Namer(Panel):
    """A panel with a box that is typed into when `frames` is 0."""

    name, title, size = "namer", "Namer", (200.0, 100.0)
    frames = -1

    def draw(self, session: Session, ui: Ui) -> None:
        if self.frames == 0:
            ui.focus()
        self.frames -= 1
        ui.text_box("##name", "")


@pytest.mark.parametrize("how", ["Yes", key.ENTER])
@pytest.mark.parametrize("frames", range(5))
def test_a_panel_that_wants_the_keyboard_does_not_delay_an_answer(
    open_on: OpenWindow, frames: int, how: int | str
) -> None:
    window, answered, namer = opened(open_on), [], Namer()  # type: FlockWindow, list[str], Namer
    window.session.app.panels.append(namer)
    window.session.toggle_panel("namer")
    look(window)
    window.session.ask(tea(answered))
    namer.frames = frames
    answer(window, how, slow_frame(window))
    slow_frame(window)
    slow_frame(window)
    assert answered == ["tea"]


def test_what_is_behind_a_question_that_is_not_seen_yet_hears_nothing(open_on: OpenWindow) -> None:
    window = open_on(flocking(), (900, 640), panels=["inspector"])
    low, bottom, high, top = look(window).boxes["##everybody/cohesion"]
    window.session.ask(tea([]))
    press_at(window, round(low + 0.9 * (high - low)), round((bottom + top) / 2))
    hit(window, key.F6)
    slow_frame(window)
    assert "Tea?" in slow_frame(window).text
    assert log(window) == []
    assert window.session.view.walked == ""


def test_to_quit_asks_in_place_of_to_restart(open_on: OpenWindow) -> None:
    window = opened(open_on)
    window.session.submit(Erase(100, 100, 10))
    hit(window, key.R)
    hit(window, key.Q, CTRL)
    assert "quitting" in look(window).text
    hit(window, key.ESCAPE)
    look(window)
    assert not window.session.asking.waits
    assert not window.has_exit


@pytest.mark.parametrize("state", STATES)
def test_a_question_is_answered_within_two_frames(caged: Callable[[], Cage], state: str) -> None:
    window = caged()
    slow_frame(window)
    for action in STATES[state]:
        window.session.act(action)
    slow_frame(window)
    always_answered(window, 1, 12)


@pytest.mark.verify
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seed", range(20))
def test_every_question_is_answered_within_two_frames(caged: Callable[[], Cage], seed: int) -> None:
    always_answered(caged(), seed, 300)
