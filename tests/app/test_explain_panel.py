"""Explain: a hand walks through a tick, in the panel and in the world, and has it done."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import numpy as np
import pytest
from arcade import key

import sandbox
from sandbox.app.overlays.rule_colours import rule_colour
from sandbox.app.panels.explain import Explain
from sandbox.app.walking import Walking
from sandbox.app.window import FlockWindow
from sandbox.design.prefabs import installed_prefabs
from sandbox.design.scene import Entry, Scene
from sandbox.edit import Despawn, Move, SetSetting
from sandbox.language import translate
from sandbox.simulation import Simulation
from systems.engine.app import installed
from systems.engine.settings import Settings

from .conftest import OpenWindow, send
from .drawn import drawn
from .widgets import click, look

SIZE = 900, 640
TICK = 1 / 60


def four(*more: Entry) -> Scene:
    """Four that fly to the right: two that are near each other, one farther off, one far ahead; and an obstacle."""
    prefabs = installed_prefabs(installed(sandbox.parts.BUILT_IN))
    places = [(100, 200), (115, 205), (140, 190), (330, 200)]
    entries = [Entry("boid", at=place, velocity=(100, 0)) for place in places]
    rock = Entry("obstacle", at=(300, 300))
    return Scene("four", settings=Settings(640, 400), prefabs=prefabs, entries=[*entries, rock, *more])


def walking(window: FlockWindow) -> Walking:
    panel = next(panel for panel in window.session.app.panels if panel.name == Explain.name)
    found: Walking = panel.walking
    return found


def step(window: FlockWindow) -> sandbox.explain.steps.WalkStep:
    """The one that the walk has come to."""
    walk = walking(window).found
    assert walk is not None
    return walk.steps[walking(window).at]


@pytest.fixture
def window(open_on: OpenWindow) -> FlockWindow:
    """Paused, with the first one selected."""
    window = open_on(four(), SIZE, panels=["explain"])
    window.session.clock.paused = True
    window.session.selection.choose([1])
    return window


def test_without_a_selection_it_picks_one(open_on: OpenWindow) -> None:
    window = open_on(four(), SIZE, panels=["explain"])
    assert "Why does it turn?" in look(window).text
    click(window, labelled(window, "Pick any"))
    assert window.session.selection.one in {1, 2, 3, 4}
    assert "Whom it sees" in look(window).texts


def test_its_key_picks_one_also_where_it_was_behind_another_panel(open_on: OpenWindow) -> None:
    window = open_on(four(), SIZE, panels=["explain", "inspector"])
    window.session.front("inspector")
    look(window, 3)
    send(window, ("on_key_press", key.E, 0), ("on_key_release", key.E, 0))
    assert window.session.selection.one in {1, 2, 3, 4}
    assert "Whom it sees" in look(window, 3).texts


def test_in_a_world_where_nobody_moves_there_is_nobody_to_pick(open_on: OpenWindow) -> None:
    window = open_on(Scene("empty"), SIZE, panels=["explain"])
    click(window, labelled(window, "Pick any"))
    assert window.session.selection.one is None
    assert "Nothing moves" in window.session.messages.newest


def test_next_and_back_walk_through_the_steps(window: FlockWindow) -> None:
    titles = []
    usual = ["Whom it sees", "Separation", "Alignment", "Cohesion", "The rest", "The sum", "The move"]
    for _ in range(len(steps(window))):
        titles.append(look(window).texts[3])
        click(window, labelled(window, "##next"))
    assert titles == usual
    click(window, labelled(window, "##back"))
    assert step(window).name == "the sum"


def test_the_answer_stands_above_every_step(window: FlockWindow) -> None:
    for each in steps(window):
        click(window, f"{each.title}##step")
        answer, title = look(window).texts[2:4]
        assert re.match(r"It turns .*° right .*: 100 u/s before.*\. Most of this comes from Separation: .*\.", answer)
        assert title == each.title


def test_a_step_is_chosen_from_the_list(window: FlockWindow) -> None:
    click(window, "Cohesion##step")
    assert "The middle of 2 neighbours" in look(window).text


def test_arrow_keys_walk_while_the_panel_has_the_focus(window: FlockWindow) -> None:
    click(window, "Separation##step")
    names = []
    for symbol in (key.RIGHT, key.RIGHT, key.LEFT, key.DOWN, key.UP, key.UP, key.LEFT, key.LEFT):
        send(window, ("on_key_press", symbol, 0))
        window.on_draw()
        send(window, ("on_key_release", symbol, 0))
        window.on_draw()
        names.append(step(window).name)
    assert names == [
        "alignment",
        "cohesion",
        "alignment",
        "cohesion",
        "alignment",
        "separation",
        "the sight",
        "the sight",
    ]


def test_the_numbers_stand_in_the_sentences_and_in_the_table(window: FlockWindow) -> None:
    click(window, "Separation##step")
    why = walking(window).found.why
    x, y = why.rules["separation"]
    text = look(window).text
    assert f"{np.hypot(x, y):.0f} u/s² to the left" in text
    assert f"{x:,.2f}" in text
    assert f"{y:,.2f}" in text


@pytest.mark.parametrize("language", ["en", "de"])
def test_in_a_world_with_depth_no_label_and_no_number_of_a_table_is_cut(open_on: OpenWindow, language: str) -> None:
    scene = four()
    scene.settings.depth = 300.0
    scene.entries = [replace(entry, at=(*entry.at, 150.0)) for entry in scene.entries]
    scene.entries[0] = replace(scene.entries[0], velocity=(-127.0, 60.0, -101.0))
    window = open_on(scene, SIZE, panels=["explain"])
    window.session.clock.paused = True
    window.session.selection.choose([1])
    for k in range(len(steps(window))):
        walking(window).go(k)
        shown = drawn(window, language)
        assert shown.cut == set()
    whole = {"Velocity before", "Velocity after", "Place before", "Place after"}
    assert {translate(label) for label in whole} <= shown.texts
    drawn(window, "en")


def test_do_it_runs_the_tick_that_was_explained(window: FlockWindow) -> None:
    click(window, "The move##step")
    why = walking(window).found.why
    click(window, labelled(window, "##tick"))
    window.on_update(TICK)
    window.on_draw()
    assert window.simulation.tick == 1
    assert step(window).name == "the sight"
    table = window.simulation.world.table
    row = int(table.rows_of(np.array([1]))[0])
    assert (table.columns["Position.x"][row], table.columns["Position.y"][row]) == why.after.position
    assert walking(window).found.why.position == why.after.position


def test_pause_and_walk_stops_the_world_and_comes_closer(open_on: OpenWindow) -> None:
    window = open_on(four(), SIZE, panels=["explain"])
    window.session.selection.choose([3])
    zoom = window.session.camera.zoom
    click(window, labelled(window, "##pause"))
    assert window.session.clock.paused
    assert window.session.camera.zoom > 1.5 * zoom
    panel = look(window)
    assert panel.boxes
    x, y = window.session.camera.project((140, 190))
    assert not window.gui.events.covers(x, y)
    assert 0 < x < SIZE[0]
    click(window, labelled(window, "##pause"))
    assert not window.session.clock.paused


def test_an_edit_is_explained_at_once_while_paused(window: FlockWindow) -> None:
    look(window)
    assert walking(window).found.why.neighbours == [2, 3]
    assert window.session.submit(Move((2,), 250, 0))
    window.on_update(TICK)
    look(window)
    assert walking(window).found.why.neighbours == [3]


def test_while_the_world_runs_it_is_explained_a_few_times_a_second(
    open_on: OpenWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sandbox.app.walking.DEAR", math.inf)  # however slow this machine is
    window = open_on(four(), SIZE, panels=["explain"])
    window.session.selection.choose([1])
    told = []
    for frame in range(20):
        walking(window).now = lambda frame=frame: 0.051 * frame
        window.on_update(TICK)
        window.on_draw()
        if not any(walking(window).found is before for before in told):
            told.append(walking(window).found)
    assert len(told) == 5  # in a second


@pytest.mark.parametrize("name", ["the sight", "cohesion", "the move"])
def test_through_a_change_of_depth_the_walk_stays_at_its_step(
    open_on: OpenWindow, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Also while the world runs, and no other explanation is due yet."""
    monkeypatch.setattr("sandbox.app.walking.DEAR", math.inf)  # on a busy machine, too
    window = open_on(four(), SIZE, panels=["explain"])
    walking(window).now = lambda: 0.0
    window.session.selection.choose([1])
    look(window)
    walking(window).go([step.name for step in walking(window).found.steps].index(name))
    for depth in (300.0, 0.0, 300.0):
        window.session.submit(SetSetting("depth", depth))
        window.on_update(TICK)
        window.on_draw()
        assert len(walking(window).found.why.position) == (3 if depth else 2)
        assert step(window).name == name


def test_where_it_is_dear_it_waits_for_a_pause(open_on: OpenWindow) -> None:
    window = open_on(four(), SIZE, panels=["explain"])
    window.session.selection.choose([1])
    window.session.clock.tick_ns = 50_000_000
    assert "Pause to see" in look(window).text
    click(window, labelled(window, "Pause and explain"))
    assert window.session.clock.paused
    assert "Whom it sees" in look(window).texts


def test_what_stands_says_what_it_is(window: FlockWindow) -> None:
    window.session.selection.choose([5])
    text = look(window).text
    assert "It does not move" in text
    assert "A circle around its Position that nothing can enter" in text


def test_who_is_gone_is_said_to_be(window: FlockWindow) -> None:
    look(window)
    window.simulation.submit(Despawn((1,)))
    window.simulation.settle_commands()
    assert "Entity 1 no longer exists" in look(window).text


def test_of_several_it_asks_for_one(window: FlockWindow) -> None:
    window.session.selection.choose([1, 2])
    assert "2 entities are selected" in look(window).text


def test_walking_changes_nothing(window: FlockWindow) -> None:
    before = window.simulation.digest()
    for each in steps(window):
        click(window, f"{each.title}##step")
    click(window, labelled(window, "##up"))
    assert window.simulation.digest() == before


@pytest.mark.painted
@pytest.mark.parametrize("rule", ["separation", "alignment", "cohesion"])
def test_the_world_shows_the_step_while_the_panel_is_open(window: FlockWindow, rule: str) -> None:
    look(window)
    click(window, f"{rule.capitalize()}##step")
    assert coloured(window, rule) > 30
    window.session.toggle_panel("explain")
    window.on_draw()
    assert coloured(window, rule) == 0


@pytest.mark.painted
def test_the_step_stays_in_sight_while_nobody_touches_the_window(window: FlockWindow) -> None:
    look(window)
    click(window, "Alignment##step")
    for _ in range(20):  # panels are then made anew in every second frame alone
        window.on_update(TICK)
        window.on_draw()
    seen = []
    for _ in range(4):
        window.on_update(TICK)
        seen.append(coloured(window, "alignment", frames=1))
    assert min(seen) > 30
    assert len(set(seen)) == 1


def test_another_smaller_world_can_be_shown_while_it_explains(open_on: OpenWindow) -> None:
    window = open_on(four(Entry("boid", 100)), SIZE, panels=["explain"])
    window.session.selection.choose([104])
    look(window)
    fewer = Scene("fewer", prefabs=four().prefabs, entries=[Entry("boid", 2)])
    window.show(Simulation(fewer), lambda: Simulation(fewer))
    window.session.selection.choose([104])
    assert "Entity 104 no longer exists" in look(window).text
    window.session.selection.choose([2])
    assert "Whom it sees" in look(window).texts


@pytest.mark.parametrize("scene", ["hunters", "maze", "reef", "scarf", "storm"])
def test_every_step_of_every_kind_is_drawn(open_on: OpenWindow, scene: str) -> None:
    window = open_on(sandbox.load(scene).scene, (800, 600), panels=["explain"])
    window.simulation.step(5)
    window.session.clock.paused = True
    table = window.simulation.world.table
    firsts = {int(table.prefab[row]): int(table.serial[row]) for row in range(table.size)}
    for serial in firsts.values():
        window.session.selection.choose([serial])
        for k in range(len(steps(window))):
            walking(window).go(k)
            walking(window).turned ^= True
            assert step(window).sentences[0] in look(window).text


def test_the_key_opens_and_closes_it(open_on: OpenWindow) -> None:
    window = open_on(four(), SIZE)
    for opened in (True, False):
        send(window, ("on_key_press", key.E, 0), ("on_key_release", key.E, 0))
        assert ("explain" in window.session.preferences.open) is opened
        look(window)


def test_the_key_explains_somebody_if_nobody_is_selected_and_else_whoever_is(open_on: OpenWindow) -> None:
    for chosen in ((), (2,)):
        window = open_on(four(), SIZE, panels=["inspector"])
        window.session.selection.choose(chosen)
        send(window, ("on_key_press", key.E, 0), ("on_key_release", key.E, 0))
        assert "Whom it sees" in look(window).texts
        assert window.session.selection.one is not None
        assert window.session.selection.one == 2 or not chosen


def steps(window: FlockWindow) -> tuple[sandbox.explain.steps.WalkStep, ...]:
    look(window)
    found = walking(window).found
    return found.steps if found else ()


def labelled(window: FlockWindow, part: str) -> str:
    """The label of the one widget with this in it."""
    (found,) = [label for label in look(window).places if part in label]
    return found


def coloured(window: FlockWindow, rule: str, frames: int = 2) -> int:
    """How many pixels of the world left of the panel have a rule's colour."""
    for _ in range(frames):
        window.on_draw()
    width, height = window.get_size()
    data = window.ctx.screen.read(viewport=(0, 0, width, height), components=3)
    picture = np.frombuffer(data, np.uint8).reshape(height, width, 3)[60:-60, : width // 2].astype(int)
    return int((np.abs(picture - np.array(rule_colour(rule))).max(axis=2) < 8).sum())
