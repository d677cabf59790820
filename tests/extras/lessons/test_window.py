"""Lessons in the window: each bundled one is walked to its end by a hand that does what the text says."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from arcade import key
from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from sandbox.app.parts import BUILT_IN
from sandbox.app.preferences import settings_file
from sandbox.app.session import playback
from sandbox.app.session.hand import BRUSH
from sandbox.app.window import FlockWindow
from sandbox.design.scene import Entry
from sandbox.edit import Command, Despawn, SetEnabled, SetField, Spawn
from sandbox.extras.lessons.bundled import find_lesson, in_language, lessons_in
from sandbox.extras.lessons.reader import read_lesson
from sandbox.extras.lessons.window.teaching import Teaching, teaching_of, window_names
from sandbox.language import set_language
from sandbox.mods.load.loaded_mods import NO_MODS
from sandbox.scenes.bundled import find_scene
from sandbox.simulation import Simulation
from systems.engine.app import installed
from tests.app.conftest import OpenWindow, at, drifting, send
from tests.app.fields import down, drag, frame, press, tap, twice, type_into, up
from tests.app.mouse import drag as drag_world
from tests.app.mouse import take
from tests.app.widgets import click, look

from .challenges import PLAYERS

SIZE = 1200, 900
USUAL = "palette", "inspector", "time bar"
NEXT, SKIP = (f"{word} {icons.ICON_FA_ARROW_RIGHT}##lesson" for word in ("Next", "Skip"))
FINISH = f"Finish {icons.ICON_FA_CHECK}##lesson"
BACK = f"{icons.ICON_FA_ARROW_LEFT}##lesson"
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
    for label in ("Panels", "Pipeline", "##flocking"):
        press(window, label)


def set_field(prefab: str, key: str, text: str) -> Deed:
    """In Prefabs, choose one, find a field, and type a number."""

    def do(window: FlockWindow) -> None:
        for label in ("Prefabs", "##prefab", f"{prefab}##prefab"):
            press(window, label)
        place = look(window).places[f"Flocker##{prefab}"]
        for _ in range(60):
            _, top, _, bottom = window.session.view.spots.get(f"{prefab}.{key}", (0, 0, 0, 0))
            if bottom - top > 0.8 * imgui.get_frame_height():  # in sight
                break
            send(window, ("on_mouse_scroll", *place, 0, -1.0))
            frame(window, 0.05)
        type_into(window, f"##{prefab}/{key}", text)

    return do


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
        hit(key.E),
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
        hit(key.E),
        all_of(box_around_many, hit(key.DELETE)),
        all_of(
            lambda window: take(window, "boid"),
            choose_guide,
            lambda window: type_into(window, "##count", "1"),
            place("boid"),
        ),
        wait(15),
        place("boid"),
        all_of(hit(key.E), set_field("guide", "Leader.pull", "0")),
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
    "fear": [hit(key.SPACE), set_field("prey", "Prey.fear", "50"), wait(60), None],
}


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    yield
    set_language("en")


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """The lesson that docs/lessons.md shows."""
    text = (Path(__file__).parents[3] / "docs" / "lessons.md").read_text("utf-8")
    file = tmp_path / "fear.toml"
    file.write_text(re.findall(r"^```toml\n(.*?)^```", text, re.MULTILINE | re.DOTALL)[0], "utf-8")
    return file


LONG = "safety-in-numbers", "predator-and-prey"  # minutes of simulated time


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.verify) if name in LONG else name for name in HAND]
)
def test_who_does_what_a_lesson_says_comes_to_its_end(open_on: OpenWindow, name: str, page: Path) -> None:
    file = page if name == page.stem else find_lesson(name)
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
            assert set(window.session.view.pointed) & window.session.view.spots.keys(), "nothing is pointed at"
        if deed is not None:
            deed(window)
            for _ in range(3):
                frame(window, 0.05)
            assert number in teaching.done, f"step {number + 1} of {file.stem}"
        click(window, FINISH if last else NEXT)
    assert teaching.lesson is None
    assert "lesson" in window.session.preferences.open


@pytest.mark.parametrize("lesson", [path.stem for path in lessons_in()])
def test_each_is_there_in_german_step_by_step(lesson: str) -> None:
    path, names = find_lesson(lesson), window_names(installed(BUILT_IN))
    english, german = (read_lesson(in_language(path, language), NO_MODS, names) for language in ("en", "de"))
    assert (english.scene, english.challenge) == (german.scene, german.challenge)
    assert [(step.check, step.point, bool(step.done)) for step in english.steps] == [
        (step.check, step.point, bool(step.done)) for step in german.steps
    ]
    for one, other in zip(english.steps, german.steps, strict=True):
        assert one.text != other.text
        assert (one.done != other.done) or not one.done
        keys = re.compile("`([^`]+)`")
        assert sorted(keys.findall(one.text + one.done)) == sorted(keys.findall(other.text + other.done))


def test_a_window_in_another_language_has_lessons_in_it(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(300, 200)), SIZE, panels=[*USUAL, "lesson"])
    assert "First steps##" in "".join(look(window).places)
    window.session.preferences.language = "de"
    look(window)
    places = "".join(look(window).places)
    assert "Erste Schritte##" in places
    assert "Die drei Regeln##" in places
    window.session.act("first_steps")
    frame(window)
    lesson = teaching_of(window.session).lesson
    assert lesson is not None
    assert lesson.title == "Erste Schritte"


def test_every_bundled_lesson_is_walked() -> None:
    assert {file.stem for file in lessons_in()} <= HAND.keys() | PLAYERS.keys()


def submitted(*commands: Command) -> Deed:
    return lambda window: [window.session.submit(command) for command in commands]


PREY = "prey.Motion.max_speed"
SPEED = partial(SetField, "Motion.max_speed", prefab="prey")


@pytest.mark.parametrize(
    ("check", "not_yet", "deed"),
    [
        ('action = "undo"', hit(key.SPACE), hit(key.Z, key.MOD_CTRL)),
        ('panel = "charts"', None, lambda window: window.session.act("charts")),
        ('overlay = "heat"', hit(key.T), hit(key.H)),
        ('tool = "wall"', typed("4"), typed("5")),
        ('selected = "hunter"', hit(key.E), hit(key.A, key.MOD_CTRL)),
        ('placed = "hunter"', submitted(Spawn(Entry("prey"))), submitted(Spawn(Entry("hunter", 3)))),
        (f'changed = "{PREY}"', submitted(SetField("Motion.max_speed", 9, prefab="hunter")), submitted(SPEED(210))),
        (f'changed = "{PREY} > 300"', submitted(SPEED(250)), submitted(SPEED(350))),
        (f'raised = "{PREY}"', submitted(SPEED(190)), submitted(SPEED(201))),
        (f'lowered = "{PREY}"', submitted(SPEED(201)), submitted(SPEED(199))),
        ('changed = "flocking"', submitted(SetEnabled("flee", False)), submitted(SetEnabled("flocking", False))),
        ('measure = "population.prey < 150"', None, submitted(Despawn([1]))),
        ("seconds = 2", lambda window: [window.on_update(0.25) for _ in range(6)], wait(3)),
    ],
)  # fmt: skip
def test_a_check_is_done_by_what_it_asks_for_and_nothing_else(
    open_on: OpenWindow, tmp_path: Path, check: str, not_yet: Deed | None, deed: Deed
) -> None:
    window, teaching = begun(open_on, written(tmp_path, f'text = "Do."\ncheck = {{ {check} }}'))
    for _ in range(3):
        frame(window, 0.05)
    if not_yet is not None:
        not_yet(window)
        frame(window, 0.05)
    assert not teaching.done
    assert look(window).text.count("Do.") == 1
    deed(window)
    assert teaching.watcher is None or not setattr(teaching.watcher, "_measured_at", 0.0)
    for _ in range(3):
        frame(window, 0.05)
    assert teaching.done == {0}


@pytest.mark.long_ticks
@pytest.mark.parametrize(
    ("check", "deed"),
    [('placed = "hunter"', submitted(Spawn(Entry("hunter", 3)))), (f'lowered = "{PREY}"', submitted(SPEED(199)))],
)
def test_what_is_done_while_a_tick_runs_counts(
    open_on: OpenWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, check: str, deed: Deed
) -> None:
    monkeypatch.setattr(playback, "LONG", -1)  # so that every tick goes on while frames are drawn
    window, teaching = begun(open_on, written(tmp_path, f'text = "Do."\ncheck = {{ {check} }}'))
    for deeds in ([], [deed]):
        assert not teaching.done
        for one in deeds:
            one(window)
        for _ in range(20):
            frame(window, 0.05)
    assert teaching.done == {0}


def test_what_is_out_of_sight_is_led_to(open_on: OpenWindow, tmp_path: Path) -> None:
    check = 'text = "Look."\npoint = "charts"\ncheck = { panel = "charts" }'
    window, _ = begun(open_on, written(tmp_path, check))

    def nearest() -> str:
        frame(window, 0.05)
        look(window)
        view = window.session.view
        return next((name for name in view.pointed if name in view.spots), "")

    assert nearest() == "menu Panels"
    press(window, "Panels")
    assert nearest() == "item charts"
    press(window, "Charts")
    assert nearest() == ""  # done


def test_a_panel_behind_another_is_found_by_its_tab(open_on: OpenWindow) -> None:
    window, teaching = begun(open_on, find_lesson("three-rules"), (800, 600))
    teaching.go(window.session, 1)
    frame(window, 0.05)
    look(window)
    assert "alignment" in window.session.view.spots
    window.session.toggle_panel("explain")
    frame(window, 0.05)
    look(window)
    assert not {"alignment", "Everybody"} & window.session.view.spots.keys()
    left, top, right, bottom = window.session.view.spots["inspector"]
    assert bottom - top < 30
    press_tab = (left + right) / 2, window.height - (top + bottom) / 2
    down(window, *press_tab)
    up(window, *press_tab)
    look(window)
    assert "alignment" in window.session.view.spots


def test_the_key_of_a_panel_behind_another_brings_it_to_the_front(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(300, 200)), SIZE, panels=USUAL)
    session = window.session
    look(window, 4)
    session.act("explain")
    look(window, 4)
    assert "explain" in session.view.panels
    session.view.to_front = "inspector"  # as a click on its tab
    look(window, 4)
    assert "explain" not in session.view.panels
    session.act("explain")
    look(window, 4)
    assert "explain" in session.view.panels
    session.act("explain")
    look(window, 4)
    assert "explain" not in session.preferences.open


def test_what_a_step_points_at_is_scrolled_into_sight(open_on: OpenWindow) -> None:
    window, teaching = begun(open_on, find_lesson("first-steps"), (1280, 800))
    frame(window, 0.05)
    low, high = look(window).boxes[SURPRISE][1::2]
    assert teaching.lesson is not None
    teaching.go(window.session, next(k for k, step in enumerate(teaching.lesson.steps) if step.point == "surprise"))
    for _ in range(3):
        frame(window, 0.05)
    look(window)
    _, top, _, bottom = window.session.view.spots["surprise"]
    assert bottom - top == pytest.approx(high - low, abs=1)  # all of the button


def test_closing_the_panel_takes_the_ring_away(open_on: OpenWindow, tmp_path: Path) -> None:
    window, teaching = begun(
        open_on, written(tmp_path, 'text = "Stop."\npoint = "pause"\ncheck = { action = "pause" }')
    )
    frame(window)
    assert window.session.view.pointed
    window.session.toggle_panel("lesson")
    frame(window)
    assert not window.session.view.pointed
    assert teaching.lesson is not None


def test_one_can_go_back_skip_and_leave(open_on: OpenWindow, tmp_path: Path) -> None:
    one = 'text = "Stop."\ncheck = { action = "pause" }\ndone = "Stopped."'
    window, teaching = begun(open_on, written(tmp_path, one, 'text = "Read."'))
    press(window, SKIP)
    assert (teaching.at, teaching.done) == (1, set())
    press(window, BACK)
    tap(window, key.SPACE)
    assert "Stopped." in look(window).texts
    press(window, NEXT)
    press(window, "Leave##lesson")
    assert teaching.lesson is None
    assert "First steps" in look(window).text + " ".join(look(window).places)


def test_a_lesson_begins_with_hand_and_clock_as_at_the_start(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(300, 200)), SIZE, panels=USUAL)
    session, hand = window.session, window.session.hand
    tools = {tool.name: tool for tool in hand.tools}
    hand.count, hand.spread, hand.brush = 3000, True, 90
    hand.choose(tools["predator"], "hawk")
    take(window, "select")
    session.clock.paused, session.clock.speed = True, 10
    teaching_of(session).open(session, find_lesson("first-steps"))
    frame(window)
    assert (session.clock.paused, session.clock.speed) == (False, 100)  # its first step waits for time to pass
    assert (hand.tool.name, hand.count, hand.spread, hand.brush) == ("boid", tools["boid"].count, False, BRUSH)
    assert hand.prefab(session, tools["predator"]) == "falcon"  # what the fifth step asks for


def test_what_is_not_saved_is_asked_about_before_a_lesson_begins(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(300, 200)), SIZE, panels=USUAL)
    window.session.submit(Spawn(at(100, 100)))
    frame(window)
    window.session.act("first_steps")
    frame(window)
    press(window, "Cancel")
    assert teaching_of(window.session).lesson is None
    window.session.act("first_steps")
    frame(window)
    press(window, "Don't save")
    assert teaching_of(window.session).lesson is not None
    assert window.simulation.scene.name == "Murmuration"


def test_exercises_of_a_lesson_are_not_asked_about(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(300, 200)), SIZE, panels=USUAL)
    window.session.act("first_steps")
    frame(window)
    window.session.submit(Spawn(Entry("starling", 5)))
    frame(window)
    window.session.act("restart")
    frame(window)
    assert not window.session.asking.waits
    window.session.submit(Spawn(Entry("starling", 5)))
    frame(window)
    teaching_of(window.session).leave(window.session)
    window.session.act("restart")
    frame(window)
    press(window, "Cancel")
    assert not window.session.asking.waits


def test_a_lesson_with_a_mistake_is_refused_with_its_place(open_on: OpenWindow, tmp_path: Path) -> None:
    window = open_on(drifting(at(300, 200)), SIZE, panels=USUAL)
    teaching_of(window.session).open(window.session, written(tmp_path, 'txet = "Do."'))
    question = window.session.asking.question
    assert question is not None
    assert 'lesson.toml:8:1: step[0].txet: unknown key; did you mean "text"?' in question.text
    assert teaching_of(window.session).lesson is None


def test_in_another_world_the_lesson_offers_its_own(open_on: OpenWindow, tmp_path: Path) -> None:
    step = 'text = "Lower."\npoint = "alignment"\ncheck = { lowered = "hunter.Predator.strength" }'
    window, teaching = begun(open_on, written(tmp_path, step))
    window.filing.open(find_scene("crossing"))
    frame(window, 0.05)
    assert "This is about another world." in look(window).texts
    press(window, "Open the lesson's world")
    assert window.simulation.scene.name == "Hunters"
    window.session.submit(SetField("Predator.strength", 1, prefab="hunter"))
    for _ in range(2):
        frame(window, 0.05)
    assert teaching.done == {0}


def test_whoever_is_new_is_offered_the_first_steps_once(open_on: OpenWindow) -> None:
    assert not settings_file().exists()
    scene = drifting(at(300, 200))
    make = lambda: Simulation(scene, 1)  # noqa: E731
    for times in range(2):
        window = FlockWindow(make(), make, SIZE, False)
        assert ("New here?" in look(window).texts) is (times == 0)
        if times == 0:
            press(window, f"{icons.ICON_FA_XMARK}##welcome")
            assert "New here?" not in look(window).texts
        window.close()


def test_the_offer_begins_the_lesson(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(300, 200)), SIZE, panels=USUAL)
    window.session.view.welcomes = True
    press(window, f"{icons.ICON_FA_GRADUATION_CAP}  First steps##welcome")
    lesson = teaching_of(window.session).lesson
    assert lesson is not None
    assert lesson.title == "First steps"
    assert "New here?" not in look(window).texts


def test_markdown_is_drawn_also_after_panels_began_anew(open_on: OpenWindow, tmp_path: Path) -> None:
    text = (
        "A **bold word**, *names*, `Ctrl+Z`, [a link](https://example.org).\\n\\n- one\\n- two, which is long "
        + "and long " * 20
    )
    window, _ = begun(open_on, written(tmp_path, f'text = "{text}"'), (800, 600))
    before = look(window)
    window.gui.close()
    window.gui._begin()
    seen = look(window, 4)
    assert {"bold", "names", "Ctrl+Z", "link", "one", "two,"} <= set(seen.texts)
    assert seen.texts == before.texts


@pytest.mark.parametrize(("theme", "size"), [("dark", (800, 600)), ("light", (1440, 900))])
def test_inspector_and_lesson_are_both_in_sight(open_on: OpenWindow, theme: str, size: tuple[int, int]) -> None:
    window, _ = begun(open_on, find_lesson("three-rules"), size)
    window.session.preferences.theme = theme
    seen = look(window, 4)
    assert {"inspector", "lesson"} <= window.session.view.panels
    for label in (BACK, "Leave##lesson", SKIP):
        left, low, right, _ = seen.boxes[label]
        assert 0.6 * size[0] < left < right <= size[0] - 8
        assert low > 60
