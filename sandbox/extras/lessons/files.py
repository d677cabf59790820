"""What a lesson file is to somebody who opens it, and the bundled lessons."""

from __future__ import annotations

from pathlib import Path

from sandbox.extras.lessons.bundled import lessons_in
from sandbox.files import named
from sandbox.toml.source import keys_of


def other_than_a_world(path: Path) -> str:
    """Return a sentence that says that a file is a lesson; "" if it is none."""
    return f"{named(path)}: is a lesson: boids play {named(path)} begins it in a window" if is_lesson(path) else ""


def is_lesson(path: Path) -> bool:
    """Return whether a file is a lesson, by its keys."""
    return {"scene", "step"} <= keys_of(path)


def bundled() -> tuple[str, list[Path], str]:
    """Return what the bundled lessons are, their files, and the command that begins one."""
    return "lesson", lessons_in(), "lesson play"
