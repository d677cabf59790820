"""The panel Lessons, the first steps, and lessons as files to open."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from sandbox.app.gui.ui import as_label
from sandbox.app.session.file_kind import FileKind
from sandbox.app.session.session import Session
from sandbox.extras.lessons.bundled import about, in_language, lessons_in
from sandbox.extras.lessons.files import is_lesson
from sandbox.extras.lessons.window.panel import LessonPanel
from sandbox.extras.lessons.window.teaching import Teaching, first_steps
from sandbox.language import current_language, translate
from systems.engine.app import App


def install(app: App) -> None:
    """Add them."""
    teaching = Teaching()
    app.add_panel(LessonPanel(teaching))
    app.add_action(first_steps(teaching))
    app.add_file_kind(FileKind("lesson", ".toml", teaching.open, is_lesson, _listed))


def _listed(session: Session) -> Iterator[tuple[str, Path]]:
    for path in (in_language(path, current_language()) for path in lessons_in(session.app.scenes)):
        told = about(path)
        words = "Challenge: {name}" if told.stars else "Lesson: {name}"
        yield translate(words, name=as_label(told.title)), path
