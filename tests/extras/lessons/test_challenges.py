"""Challenges: lessons with a score, which keep the best one and give stars; the same deeds get the same score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from arcade import key

from sandbox.app.gui.action_palette import openings
from sandbox.app.parts import BUILT_IN
from sandbox.app.window import FlockWindow
from sandbox.design.scene import Entry
from sandbox.edit import Command, SetField, Spawn, Undo
from sandbox.extras.lessons.attempt import FOUL, Attempt
from sandbox.extras.lessons.bundled import about, find_lesson, lessons_in
from sandbox.extras.lessons.lesson import Lesson, stars_for
from sandbox.extras.lessons.reader import read_lesson
from sandbox.extras.lessons.window.teaching import Teaching, teaching_of, window_names
from sandbox.mods.load.loaded_mods import NO_MODS
from sandbox.opening import load
from sandbox.toml.mistakes import SceneError
from systems.engine.app import installed
from tests.app.conftest import OpenWindow, at, drifting
from tests.app.fields import frame, tap
from tests.app.mouse import drag, take
from tests.app.widgets import click, look

from .challenges import PLAYERS, Player

NAMES = window_names(installed(BUILT_IN))
LONGEST = 100  # s until each has ended, or is lost
FILE = """
format = 1
title = "Sixty"
description = "For tests."
scene = "hunters"

[challenge]
score = "population.prey"
stars = [1, 100, 151]
ends = "seconds >= 0.5"
lost = ["deeds > 1"]
may_place = ["wall"]

[[step]]
text = "Wait."
"""


def read(file: Path) -> Lesson:
    lesson = read_lesson(file, NO_MODS, NAMES)
    assert lesson.challenge is not None
    return lesson


def played(lesson: Lesson, player: Player | None = None) -> Attempt:
    """The attempt of somebody who gives these commands in each tick; None: who does nothing."""
    assert lesson.challenge is not None
    attempt, deeds = Attempt(lesson.challenge), player() if player is not None else iter(())
    with load(lesson.scene) as simulation:
        while simulation.tick < 60 * LONGEST and attempt.score is None and not attempt.lost:
            for command in next(deeds, ()):
                simulation.submit(command)
            simulation.step()
            attempt.look(simulation)
    return attempt


def stars(attempt: Attempt) -> int:
    return 0 if attempt.score is None else stars_for(attempt.score, attempt.challenge.stars)


def test_every_challenge_is_played() -> None:
    assert {file.stem for file in lessons_in() if about(file).stars} == PLAYERS.keys()


def test_a_quick_hand_leads_the_flock_through_the_maze() -> None:
    _, clever = PLAYERS["through-the-maze"]
    assert stars(played(read(find_lesson("through-the-maze")), clever)) == 3


@pytest.mark.verify
@pytest.mark.parametrize("name", PLAYERS)
def test_nothing_gives_no_star_an_easy_idea_one_and_a_clever_one_three(name: str) -> None:
    lesson = read(find_lesson(name))
    easy, clever = PLAYERS[name]
    assert played(lesson).lost
    assert 1 <= stars(played(lesson, easy)) < 3
    assert stars(played(lesson, clever)) == 3


@pytest.fixture
def own(tmp_path: Path) -> Path:
    file = tmp_path / "sixty.toml"
    file.write_text(FILE, "utf-8")
    return file


def doing(*commands: Command) -> Player:
    def do() -> Iterator[Sequence[Command]]:
        yield commands

    return do


WALL = Spawn(Entry("wall", points=((10, 10), (90, 10))))


def test_the_same_deeds_get_the_same_score(own: Path) -> None:
    first, second = (played(read(own), doing(WALL)) for _ in range(2))
    assert first.score is not None
    assert (first.score, first.values) == (second.score, second.values)
    assert first.values["deeds"] == 1


def test_what_is_undone_before_time_goes_on_is_no_deed(own: Path) -> None:
    boids = Spawn(Entry("prey", 5))
    attempt = played(read(own), doing(WALL, Undo(), boids, Undo(), WALL))
    assert attempt.score is not None
    assert attempt.values["deeds"] == 1


@pytest.mark.parametrize(
    ("commands", "why"),
    [
        ((WALL, WALL), "deeds > 1"),
        ((Spawn(Entry("prey", 50)),), FOUL),
        ((SetField("Motion.max_speed", 9, prefab="hunter"),), FOUL),
    ],
)
def test_what_the_challenge_does_not_allow_loses(own: Path, commands: tuple[Command, ...], why: str) -> None:
    attempt = played(read(own), doing(*commands))
    assert attempt.score is None
    assert str(attempt.lost) == why


def test_fewer_are_better_where_the_stars_get_smaller() -> None:
    assert [stars_for(score, (60, 25, 16)) for score in (61, 60, 30, 25, 16, 2)] == [0, 1, 1, 2, 3, 3]
    assert [stars_for(score, (50, 65, 80)) for score in (49, 50, 64, 65, 80, 99)] == [0, 1, 1, 2, 3, 3]


@pytest.mark.parametrize(
    ("before", "after", "place", "told"),
    [
        ('"population.prey"', '"populaton.prey"', "8:1", "did you mean 'population.prey'?"),
        ("[1, 100, 151]", "[1, 100, 100]", "9:1", "must be three numbers that grow, or three that get smaller"),
        ("[1, 100, 151]", "[1, 2]", "9:1", "must be 3 numbers"),
        ('"seconds >= 0.5"', '"secnods >= 1"', "10:1", "did you mean"),
        ('"deeds > 1"', '"deeds"', "11:9", "must be a measure, one of"),
        ('"wall"]', '"wal"]', "12:14", "unknown prefab; did you mean 'wall'?"),
        ("ends =", "end =", "7:2", "must have ends"),
    ],
)
def test_a_mistake_is_told_with_its_place(own: Path, before: str, after: str, place: str, told: str) -> None:
    own.write_text(FILE.replace(before, after), "utf-8")
    with pytest.raises(SceneError) as error:
        read(own)
    assert f"sixty.toml:{place}: " in str(error.value)
    assert told in str(error.value)


# ---- in the window


def begun(open_on: OpenWindow, file: Path) -> tuple[FlockWindow, Teaching]:
    window = open_on(drifting(at(300, 200)), (1200, 900), panels=("palette", "time bar", "lesson"))
    teaching = teaching_of(window.session)
    teaching.open(window.session, file)
    window.session.clock.now = lambda: 0  # every tick that is due is run, however slow this machine is
    frame(window)
    return window, teaching


def test_a_challenge_waits_for_space_ends_and_keeps_the_best_score(open_on: OpenWindow, own: Path) -> None:
    window, teaching = begun(open_on, own)
    window.session.preferences.best["sixty"] = 3.0
    for _ in range(4):
        window.on_update(0.25)
    assert window.simulation.tick == 0
    take(window, "wall")
    drag(window, (300, 300), (500, 450), held=key.MOD_CTRL)
    tap(window, key.SPACE)
    for _ in range(4):
        window.on_update(0.25)
    assert teaching.attempt is not None
    assert teaching.attempt.values["deeds"] == 1  # four walls, drawn at once
    assert teaching.attempt.score == window.session.preferences.best["sixty"] > 100
    assert window.session.clock.paused
    assert f"Best score: {teaching.attempt.score:g}" in look(window).text
    again = next(label for label in look(window).places if "Again##lesson" in label)
    click(window, again)
    frame(window)
    assert window.simulation.tick == 0
    assert teaching.attempt.score is None
    window.session.act("restart")  # R begins it again, too
    frame(window)
    assert teaching.attempt is not None


def test_a_lost_attempt_begins_again_and_says_why(open_on: OpenWindow, own: Path) -> None:
    window, teaching = begun(open_on, own)
    window.session.submit(Spawn(Entry("prey", 5)))
    tap(window, key.SPACE)
    for _ in range(2):
        window.on_update(0.25)
    frame(window)
    assert f"Lost: {FOUL} It begins again." in str([message.text for message in window.session.messages.log])
    assert window.simulation.tick == 0
    assert window.simulation.populations()["prey"] == 150
    assert teaching.attempt is not None
    assert not teaching.attempt.lost
    assert window.session.preferences.best == {}


def test_the_list_shows_challenges_below_lessons(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(300, 200)), (1200, 900), panels=("lesson",))
    window.session.preferences.best["save-fifty-fish"] = 66.0
    assert "Challenges" in look(window).texts
    assert "Challenge: Save fifty fish" in {action.title for action in openings(window.session)}
