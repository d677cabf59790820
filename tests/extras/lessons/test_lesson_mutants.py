"""Whatever chance makes of a good lesson is read, or its mistakes are told."""

from __future__ import annotations

import shutil
from pathlib import Path

from sandbox.app.parts import BUILT_IN
from sandbox.extras.lessons.bundled import lessons_in
from sandbox.extras.lessons.reader import read_lesson
from sandbox.extras.lessons.window.teaching import window_names
from sandbox.mods.load.loaded_mods import NO_MODS
from systems.engine.app import installed
from tests.mutants import few_or_many, refuse_all_but_mistakes

NAMES = window_names(installed(BUILT_IN))


@few_or_many
def test_a_mutant_is_read_or_its_mistakes_are_told(count: int, tmp_path: Path) -> None:
    lessons = lessons_in()
    shutil.copytree(lessons[0].parent / "worlds", tmp_path / "worlds")
    contents = [lesson.read_bytes() for lesson in lessons]
    refuse_all_but_mistakes(lambda path: read_lesson(path, NO_MODS, NAMES), contents, count, tmp_path / "lesson.toml")
