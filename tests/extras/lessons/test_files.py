"""Lesson files: what they may say, and how each mistake is told with its place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sandbox.app.parts import BUILT_IN
from sandbox.condition import Condition
from sandbox.design.scene import Entry
from sandbox.edit import Command, SetEnabled, SetField, SetParameter, SetPrefabs, Spawn
from sandbox.edit.resources import SetSetting
from sandbox.edit.value_now import value_now, values_set
from sandbox.extras.lessons.bundled import about, find_lesson, lessons_in
from sandbox.extras.lessons.lesson import Check, Lesson
from sandbox.extras.lessons.reader import read_lesson
from sandbox.extras.lessons.window.teaching import window_names
from sandbox.mods.load.loaded_mods import NO_MODS
from sandbox.opening import load
from sandbox.scenes.bundled import find_scene
from sandbox.serials import Serials
from sandbox.toml.mistakes import SceneError
from systems.engine.app import installed
from tests.command_line import boids

NAMES = window_names(installed(BUILT_IN))
PAGE = (Path(__file__).parents[3] / "docs" / "lessons.md").read_text("utf-8")
WHOLE = re.findall(r"^```toml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)[0]
LESSON = 'format = 1\ntitle = "T"\ndescription = "D"\nscene = "hunters"\n\n[[step]]\ntext = "Do."\n'


def read(folder: Path, text: str) -> Lesson:
    file = folder / "lesson.toml"
    file.write_text(text, "utf-8")
    return read_lesson(file, NO_MODS, NAMES)


@pytest.mark.parametrize("file", lessons_in(), ids=lambda file: file.stem)
def test_bundled_lessons_are_good_and_short(file: Path) -> None:
    lesson = read_lesson(file, NO_MODS, NAMES)
    for step in lesson.steps:
        assert len(step.text.split()) <= 62, step.text


def test_bundled_lessons_have_an_order_and_names() -> None:
    assert lessons_in()[0] == find_lesson("first-steps")
    assert len(lessons_in()) == 5 + 3
    assert [bool(about(path).stars) for path in lessons_in()] == [False] * 5 + [True] * 3
    with pytest.raises(FileNotFoundError, match="did you mean 'who-leads'"):
        find_lesson("who-lead")


def test_a_mod_brings_lessons_beside_its_scenes(tmp_path: Path) -> None:
    (tmp_path / "lessons").mkdir()
    (tmp_path / "lessons" / "fear.toml").write_text(WHOLE, "utf-8")
    assert lessons_in([tmp_path / "scenes"])[5 + 3 :] == [tmp_path / "lessons" / "fear.toml"]
    assert find_lesson("fear", [tmp_path / "scenes"]) == tmp_path / "lessons" / "fear.toml"


def test_the_lesson_of_the_page_is_read(tmp_path: Path) -> None:
    lesson = read(tmp_path, WHOLE)
    assert (lesson.title, lesson.scene) == ("Fear", find_scene("hunters"))
    assert lesson.steps[1].check == Check("changed", "prey.Prey.fear", Condition("prey.Prey.fear", "<", 100))
    assert [step.check and step.check.kind for step in lesson.steps] == ["action", "changed", "measure", None]


def test_the_challenge_of_the_page_is_read(tmp_path: Path) -> None:
    (table,) = re.findall(r"^```toml\n(\[challenge\]\n.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    challenge = read(tmp_path, f"{LESSON}{table}").challenge
    assert challenge is not None
    assert challenge.lost == (Condition("population.prey", "<", 100), Condition("deeds", ">", 3))


@pytest.mark.parametrize(
    "check", [line.strip("| `") for line in re.findall(r"^\| `(\{.*?\})`", PAGE, re.MULTILINE) if "..." not in line]
)
def test_every_check_of_the_page_is_read(tmp_path: Path, check: str) -> None:
    scene = "pasture" if "wolf" in check else "hunters"
    (step,) = read(tmp_path, LESSON.replace("hunters", scene) + f"check = {check}\n").steps
    assert step.check is not None
    assert step.check.kind == re.findall(r"\w+", check)[0]


@pytest.mark.parametrize("point", re.findall(r'`"([^"]+)"`', PAGE.split("### What to point at")[1].split("### ")[0]))
def test_everything_of_the_page_can_be_pointed_at(tmp_path: Path, point: str) -> None:
    (step,) = read(tmp_path, LESSON + f'point = "{point}"\n').steps
    assert step.point == point


def test_no_condition_holds_of_what_is_not_known() -> None:
    for text in ("catches == 0", "catches != 0", "catches < 1"):
        assert not Condition.read(text).holds({})
        assert not Condition.read(text).holds({"catches": float("nan")})
    assert Condition.read("catches != 0").holds({"catches": 1.0})


def test_a_scene_may_stand_beside_the_lesson(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text('format = 1\nname = "Own"\n', "utf-8")
    assert read(tmp_path, LESSON.replace("hunters", "own.toml")).scene == tmp_path / "own.toml"


@pytest.mark.parametrize(
    ("lines", "place", "told"),
    [
        ('piont = "pause"', "8:1", 'unknown key; did you mean "point"?'),
        ('point = "pouse"', "8:1", "unknown; did you mean 'pause'?"),
        ('point = "Flocker.cohesion_strenght"', "8:1", "did you mean 'Flocker.cohesion_strength'?"),
        ('check = { action = "undoo" }', "8:11", 'unknown action; did you mean "undo"?'),
        ('check = { panel = "chart" }', "8:11", 'unknown panel; did you mean "charts"?'),
        ('check = { tool = "hnad" }', "8:11", 'unknown tool; did you mean "hand"?'),
        ('check = { placed = "huntr" }', "8:11", "unknown prefab; did you mean 'hunter'?"),
        ('check = { selected = "anybody" }', "8:11", "unknown prefab"),
        ('check = { changed = "aligment < 1" }', "8:11", "did you mean 'alignment'?"),
        ('check = { raised = "world.tickrate" }', "8:11", "did you mean 'tick_rate'?"),
        ('check = { measure = "polarisation > 0.8" }', "8:11", "did you mean 'polarization'?"),
        ('check = { measure = "polarization" }', "8:11", "must be a measure, one of"),
        ("check = { seconds = 0 }", "8:11", "must be above 0"),
        ('check = { action = "undo", seconds = 3 }', "8:1", "must have action or panel or"),
        ("text = 3", "8:1", "is given twice"),
    ],
)
def test_a_mistake_is_told_with_its_place_and_what_would_be_right(
    tmp_path: Path, lines: str, place: str, told: str
) -> None:
    with pytest.raises(SceneError) as error:
        read(tmp_path, f"{LESSON}{lines}\n")
    assert f"lesson.toml:{place}: " in str(error.value)
    assert told in str(error.value)


def test_a_lesson_needs_a_scene_that_there_is_and_a_step(tmp_path: Path) -> None:
    with pytest.raises(SceneError, match="4:1: scene: there is no scene 'huntres': did you mean 'hunters'"):
        read(tmp_path, LESSON.replace("hunters", "huntres"))
    with pytest.raises(SceneError, match="must have a"):
        read(tmp_path, LESSON.split("\n\n")[0] + "\nstep = []\n")


COMMANDS: list[tuple[Command, str, list[float]]] = [
    (SetField("Prey.fear", 5, prefab="prey"), "Prey.fear", [5]),
    (SetField("Prey.fear", 5, prefab="prey"), "prey.Prey.fear", [5]),
    (SetField("Prey.fear", 5, prefab="prey"), "boid.Prey.fear", []),
    (SetField("Prey.fear", 5), "prey.Prey.fear", [5]),
    (SetField("Prey.fear", 5, Serials([1])), "Prey.fear", [5]),
    (SetField("Prey.fear", 5, Serials([1])), "prey.Prey.fear", []),
    (SetField("Prey.fear", 5), "Prey.fear_radius", []),
    (SetPrefabs((("prey", "Prey.fear", 7.0), ("prey", "Look.size", 1.0))), "Prey.fear", [7]),
    (SetPrefabs((("prey", "Flocker.alignment_strength", 30.0),)), "alignment", [0.5]),
    (SetPrefabs((("prey", "Flocker.alignment_strength", 30.0),)), "cohesion", []),
    (SetParameter("commit", "reorder_every", 9), "commit.reorder_every", [9]),
    (SetEnabled("flocking", False), "flocking", [0]),
    (SetSetting("tick_rate", 30), "world.tick_rate", [30]),
    (Spawn(Entry("prey")), "Prey.fear", []),
]


@pytest.mark.parametrize(("command", "key", "values"), COMMANDS)
def test_what_a_command_sets_is_known_by_the_names_that_settings_use(
    command: Command, key: str, values: list[float]
) -> None:
    with load("hunters") as simulation:
        simulation.submit(command)
        simulation.settle_commands()
        assert list(values_set(simulation.world, command, key)) == pytest.approx(values)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("prey.Prey.fear", 6000), ("Prey.fear", 6000), ("alignment", 1), ("flocking", 1), ("world.tick_rate", 60),
        ("boid.Prey.fear_radius", 80), ("Predator.digest", 6), ("Motion.max_speed", 200),
    ],
)  # fmt: skip
def test_a_value_is_the_mean_of_those_who_live(key: str, value: float) -> None:
    with load("hunters") as simulation:
        assert value_now(simulation.world, key) == pytest.approx(value)


def test_the_command_line_checks_and_lists_lessons(tmp_path: Path) -> None:
    (tmp_path / "fear.toml").write_text(WHOLE, "utf-8")
    good = boids("lesson", "check", "fear.toml", cwd=tmp_path)
    assert (good.returncode, good.stdout) == (0, "fear.toml: good: 4 steps\n")
    (tmp_path / "fear.toml").write_text(WHOLE.replace("catches", "catchs"), "utf-8")
    wrong = boids("lesson", "check", "fear.toml", cwd=tmp_path)
    assert wrong.returncode == 1
    assert re.match(r"fear.toml:\d+:11: .*did you mean 'catches'", wrong.stdout)
    assert "predator-and-prey" in boids("lesson", "list", cwd=tmp_path).stdout
