"""A lesson is opened like any other file."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from arcade import key

from sandbox.app.run_window import begun
from sandbox.extras.lessons.bundled import find_lesson
from sandbox.extras.lessons.window.teaching import teaching_of
from sandbox.mods.find.trust import Trust
from sandbox.mods.load.library import Library
from sandbox.mods.run.running_mods import RunningMods
from sandbox.opening import load
from sandbox.scenes.bundled import find_scene
from tests.app.conftest import OpenWindow, at, drifting, send
from tests.app.fields import write
from tests.app.mouse import hit
from tests.app.widgets import look
from tests.command_line import boids


def test_one_is_found_by_its_name_in_the_action_palette(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(300, 200)), (1200, 900))
    hit(window, key.P, key.MOD_CTRL)
    look(window)
    write(window, "who leads")
    hit(window, key.ENTER)
    look(window)
    window.on_update(0.1)
    assert "lesson" in window.session.preferences.open
    assert teaching_of(window.session).lesson is not None


def test_one_that_is_dropped_begins(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(300, 200)), (1200, 900))
    send(window, ("on_file_drop", 10, 10, [str(find_lesson("first-steps"))]))
    lesson = teaching_of(window.session).lesson
    assert lesson is not None
    assert lesson.title == "First steps"


def test_one_that_boids_play_is_given_begins(tmp_path: Path) -> None:
    file, library = str(find_lesson("first-steps")), Library(Trust(tmp_path / "trust.toml"))
    window = begun(file, lambda: load(file, mods=library), library, RunningMods(tmp_path / "running"))
    until = time.monotonic() + 30
    while teaching_of(window.session).lesson is None and time.monotonic() < until:
        window.on_update(0.1)
    lesson = teaching_of(window.session).lesson
    window.close()
    assert lesson is not None


def test_a_command_that_takes_worlds_says_what_it_is(tmp_path: Path) -> None:
    (tmp_path / "taught.toml").write_text('format = 1\nscene = "hunters"\n[[step]]\n')
    said = boids("run", "taught.toml", cwd=tmp_path).stderr
    assert "taught.toml: is a lesson: boids play taught.toml begins it in a window" in said
    with pytest.raises(FileNotFoundError, match="is a lesson, no scene: boids lesson play first-steps"):
        find_scene("first-steps")


def test_one_that_is_not_there_is_refused() -> None:
    assert "there is no lesson 'nosuch'" in boids("lesson", "check", "nosuch").stdout
