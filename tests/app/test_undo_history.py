"""The panel Undo history: a click on a step undoes or redoes as many as it takes to get there."""

from __future__ import annotations

from sandbox.app.window import FlockWindow
from sandbox.design.scene import Entry
from sandbox.edit import SetField, Spawn

from .conftest import OpenWindow, at, drifting
from .fields import frame, press
from .mouse import steps
from .widgets import look


def edited(open_on: OpenWindow) -> FlockWindow:
    window = open_on(drifting(at(100, 100)), (800, 500), panels=["history"])
    window.session.clock.paused = True
    assert "What you change is listed here, to go back to any step." in look(window).texts
    for command in (Spawn(Entry("red", 3)), SetField("Motion.max_speed", 5.0, prefab="red"), Spawn(Entry("green", 2))):
        window.session.submit(command)
        frame(window)
    return window


def count(window: FlockWindow) -> int:
    return window.simulation.world.table.size


def test_a_click_goes_back_to_a_step_and_another_one_forth(open_on: OpenWindow) -> None:
    window = edited(open_on)
    every = steps(window)
    assert len(every) == 3
    assert [f"{words}##step {n}" for n, words in enumerate(["before all these", *every])] == [
        label for label in look(window).places if "##step" in label
    ]
    press(window, f"{every[0]}##step 1")
    assert (count(window), steps(window)) == (4, every[:1])
    press(window, f"{every[2]}##step 3")
    assert (count(window), steps(window)) == (6, every)
    press(window, "before all these##step 0")
    assert (count(window), steps(window)) == (1, [])


def test_a_click_on_the_present_changes_nothing(open_on: OpenWindow) -> None:
    window = edited(open_on)
    digest = window.simulation.digest()
    press(window, f"{steps(window)[2]}##step 3")
    assert window.simulation.digest() == digest
