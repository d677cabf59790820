"""Lessons in the window: each bundled one is walked to its end by a hand that does what the text says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from arcade import key
from imgui_bundle import icons_fontawesome_6 as icons

from sandbox.app.teaching import Teaching, teaching_of
from sandbox.app.window import FlockWindow
from sandbox.scenes.bundled import lessons_in

from .conftest import OpenWindow, at, drifting, send
from .fields import down, drag, frame, press, tap, twice, type_into, up
from .mouse import drag as drag_world
from .mouse import take
from .widgets import click, look

SIZE = 1200, 900
USUAL = "palette", "inspector", "time bar"
NEXT, SKIP = (f"{word} {icons.ICON_FA_ARROW_RIGHT}##lesson" for word in ("Next", "Skip"))
FINISH = f"Finish {icons.ICON_FA_CHECK}##lesson"
BACK = f"{icons.ICON_FA_ARROW_LEFT}##lesson"
PICK_ANY = f"{icons.ICON_FA_CROSSHAIRS} Pick any"
SURPRISE = f"{icons.ICON_FA_DICE}  Surprise me##everybody"
FILE = """
format = 1
title = "A lesson"
description = "For tests."
scene = "hunters"
"""

Deed = Callable[[FlockWindow], object]


def begun(open_on: OpenWindow, file: Path, size: tuple[int, int] = SIZE) -> tuple[FlockWindow, Teaching]:
    window = open_on(drifting(at(300, 200)), size, panels=USUAL)
    window.session.clock.now = lambda: 0  # every tick that is due is run, however slow this machine is
    teaching = teaching_of(window.session)
    teaching.open(window.session, file)
    window.session.clock.now = lambda: 0
    frame(window)
    assert teaching.lesson is not None, window.session.asking.question
    return window, teaching


def written(folder: Path, *steps: str) -> Path:
    file = folder / "lesson.toml"
    file.write_text(FILE + "".join(f"\n[[step]]\n{step}\n" for step in steps), "utf-8")
    return file


def middle(window: FlockWindow) -> tuple[int, int]:
    """A pixel in the middle of the world that is seen."""
    left, low, right, high = window.session.camera.insets
    return round((left + window.width - right) / 2), round((low + window.height - high) / 2)


# ---- what a hand does


def wait(seconds: float) -> Deed:
    """Until it is done, at most so many seconds of the world."""

    def do(window: FlockWindow) -> None:
        window.session.clock.paused = False
        watcher = teaching_of(window.session).watcher
        for frames in range(round(4 * seconds)):
            window.on_update(0.25)
            if teaching_of(window.session).watcher is None:
                return
            if watcher is not None and frames % 4 == 0:
                watcher._measured_at = 0.0  # as if half a second had passed
        raise AssertionError(f"not done after {seconds} s")

    return do


def hit(symbol: int, held: int = 0) -> Deed:
    return lambda window: tap(window, symbol, held)


def typed(text: str) -> Deed:
    return lambda window: send(window, ("on_text", text))


def place(tool: str) -> Deed:
    """Take a tool, and click into the world."""

    def do(window: FlockWindow) -> None:
        take(window, tool)
        x, y = middle(window)
        drag_world(window, (x, y))

    return do


def slide(label: str, side: float) -> Deed:
    """Drag the knob of a slider from its middle to one of its ends."""

    def do(window: FlockWindow) -> None:
        left, _, right, _ = look(window).boxes[label]
        drag(window, label, round((right - left) * (side - 0.5)))

    return do


def double_click(label: str) -> Deed:
    def do(window: FlockWindow) -> None:
        frame(window, 0.7)
        left, low, right, high = look(window).boxes[label]
        twice(window, (left + right) / 2, (low + high) / 2)

    return do


def all_of(*deeds: Deed) -> Deed:
    return lambda window: [deed(window) for deed in deeds]


def pressed(label: str) -> Deed:
    return lambda window: press(window, label)


def choose_guide(window: FlockWindow) -> None:
    for label in ("##prefab", "guide##prefab"):
        press(window, label)


def box_around_many(window: FlockWindow) -> None:
    take(window, "select")
    x, y = middle(window)
    drag_world(window, (x - 150, y - 150), (x + 150, y + 150))
    assert window.session.selection.serials


def click_a_wolf(window: FlockWindow) -> None:
    tap(window, key.SPACE)
    world = window.simulation.world
    table = world.table
    row = (table.prefab[: table.size] == world.prefab_index("wolf")).nonzero()[0][0]
    take(window, "select")
    x, y = (float(table.columns[f"Position.{axis}"][row]) for axis in "xy")
    window.session.camera.zoom = 6
    window.session.camera.look_at(x, y)
    drag_world(window, middle(window))


def scrub(window: FlockWindow) -> None:
    """Drag the bar back, then go to the present."""
    left, low, right, high = look(window).boxes["##timeline"]
    y = low + (high - low) / 3
    down(window, left + 0.8 * (right - left), y)
    up(window, left + 0.3 * (right - left), y)
    frame(window)
    tap(window, key.END)


def switch_flocking_off(window: FlockWindow) -> None:
    press(window, "Systems")
    press(window, "flocking##flocking")


def pull_no_more(window: FlockWindow) -> None:
    press(window, "Prefabs")
    choose_guide(window)
    label = "##guide/Leader.pull"
    place = look(window).places["Flocker##guide"]
    while "guide.Leader.pull" not in window.session.view.spots:  # out of sight
        send(window, ("on_mouse_scroll", *place, 0, -1.0))
        frame(window, 0.05)
    type_into(window, label, "0")


HAND: dict[str, list[Deed | None]] = {  # what a hand does in each step; None: it only reads
    "first-steps": [
        wait(10),
        hit(key.SPACE),
        place("boid"),
        lambda window: take(window, "hand"),
        place("predator"),
        hit(key.Z, key.MOD_CTRL),
        slide("##everybody/alignment", 0),
        pressed(SURPRISE),
        all_of(hit(key.E), pressed(PICK_ANY)),
        hit(key.T),
        scrub,
        None,
    ],
    "three-rules": [
        wait(30),
        slide("##everybody/alignment", 0),
        wait(20),
        all_of(double_click("##everybody/alignment"), wait(30)),
        all_of(slide("##everybody/cohesion", 0), wait(40)),
        double_click("##everybody/cohesion"),
        all_of(slide("##everybody/separation", 0), wait(20)),
        None,
    ],
    "who-leads": [
        wait(60),
        all_of(hit(key.E), pressed(PICK_ANY)),
        all_of(box_around_many, hit(key.DELETE)),
        all_of(
            lambda window: take(window, "boid"),
            choose_guide,
            lambda window: type_into(window, "##count", "1"),
            place("boid"),
        ),
        wait(15),
        place("boid"),
        all_of(hit(key.E), pull_no_more),
        None,
    ],
    "safety-in-numbers": [
        wait(10),
        wait(60),
        all_of(
            lambda window: take(window, "boid"),
            lambda window: type_into(window, "##count", "450"),
            pressed("Everywhere##spread"),
            place("boid"),
            wait(2),
        ),
        wait(32),
        None,
        place("predator"),
        switch_flocking_off,
        None,
    ],
    "predator-and-prey": [
        wait(10),
        all_of(pressed("Panels"), pressed("Charts")),
        typed("/"),
        wait(60),
        wait(60),
        wait(90),
        click_a_wolf,
        None,
    ],
}


@pytest.mark.parametrize("file", lessons_in(), ids=lambda file: file.stem)
def test_who_does_what_a_lesson_says_comes_to_its_end(open_on: OpenWindow, file: Path) -> None:
    window, teaching = begun(open_on, file)
    lesson = teaching.lesson
    assert lesson is not None
    assert len(HAND[file.stem]) == len(lesson.steps)
    for number, (step, deed) in enumerate(zip(lesson.steps, HAND[file.stem], strict=True)):
        last = number == len(lesson.steps) - 1
        look(window, 2)
        frame(window)
        assert teaching.at == number
        assert number not in teaching.done, "done before anybody did anything"
        labels = look(window).places
        assert (FINISH if last else SKIP if step.check else NEXT) in labels
        if step.point:
            assert window.session.view.pointed[0] == step.point
            assert set(window.session.view.pointed) & window.session.view.spots.keys(), "nothing is framed"
        if deed is not None:
            deed(window)
            for _ in range(3):
                frame(window, 0.05)
            assert number in teaching.done, f"step {number + 1} of {file.stem}"
        click(window, FINISH if last else NEXT)
    assert teaching.lesson is None
    assert "lesson" in window.session.preferences.open
