"""Questions: one at a time, none lost, and the world waits for the answer."""

from __future__ import annotations

from arcade import key

from sandbox.app.questions import Question, nothing
from sandbox.app.window import FlockWindow
from sandbox.edit import Erase

from .conftest import OpenWindow, at, drifting, send
from .mouse import hit
from .widgets import click, look

TICK = 0.1  # s
CTRL = key.MOD_CTRL


def opened(open_on: OpenWindow) -> FlockWindow:
    return open_on(drifting(at(100, 100, (5, 0))), (900, 640))


def tea(answered: list[str]) -> Question:
    return Question("Tea?", "It is hot.", [("Yes", lambda: answered.append("tea")), ("No", nothing)])


def cake(answered: list[str]) -> Question:
    return Question("Cake?", "It is sweet.", [("Please", lambda: answered.append("cake")), ("Later", nothing)])


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
