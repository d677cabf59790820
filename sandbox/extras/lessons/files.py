"""What a lesson file is to somebody who opens it, and the bundled lessons."""

from __future__ import annotations

from pathlib import Path

import tomli

from sandbox.extras.lessons.bundled import lessons_in
from sandbox.files import named, read_file
from sandbox.toml.source import LARGEST_FILE


def other_than_a_world(path: Path) -> str:
    """Return a sentence that says that a file is a lesson; "" if it is none."""
    return f"{named(path)}: is a lesson: boids play {named(path)} begins it in a window" if is_lesson(path) else ""


def is_lesson(path: Path) -> bool:
    """Return whether a file is a lesson, by its keys."""
    if path.suffix.lower() != ".toml":
        return False
    try:
        return {"scene", "step"} <= tomli.loads(read_file(path, LARGEST_FILE).decode()).keys()
    except (OSError, ValueError, RecursionError):
        return False


def bundled() -> tuple[str, list[Path], str]:
    """Return what the bundled lessons are, their files, and the command that begins one."""
    return "lesson", lessons_in(), "lesson play"
