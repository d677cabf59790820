"""Finds lessons, and reads quickly what a list shows of each."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from sandbox.scenes.bundled import bundled_files, find
from sandbox.toml.source import read_toml

LESSONS = "first-steps", "three-rules", "who-leads", "safety-in-numbers", "predator-and-prey"
CHALLENGES = "through-the-maze", "save-fifty-fish", "starve-the-wolves"


def lessons_in(scenes: Iterable[Path] = ()) -> list[Path]:
    """Return the lesson files, bundled and beside these scene folders of mods, without translations of others."""
    order = {name: index for index, name in enumerate(LESSONS + CHALLENGES)}
    bundled = sorted(bundled_files("lessons"), key=lambda path: (order.get(path.stem, len(order)), path.stem))
    found = [*bundled, *(path for folder in scenes for path in sorted(folder.parent.glob("lessons/*.toml")))]
    originals = (path.with_name(f"{Path(path.stem).stem}.toml") for path in found)
    return [path for path, original in zip(found, originals, strict=True) if original == path or original not in found]


def in_language(lesson: Path, language: str) -> Path:
    """Return the translation of a lesson file, NAME.de.toml beside NAME.toml, or the file itself if there is none."""
    translated = lesson.with_suffix(f".{language}.toml")
    return translated if translated.is_file() else lesson


def find_lesson(name_or_path: str | Path, scenes: Iterable[Path] = ()) -> Path:
    """Return the file of a lesson: the one of this name in `lessons_in`, or the one at this path.

    Raises:
        FileNotFoundError: there is none; the message has the nearest known name.
    """
    return find("lesson", name_or_path, lessons_in(scenes))


class About(NamedTuple):
    """What a list shows of a lesson; `stars`: the scores for one, two and three stars if it is a challenge, else ()."""

    title: str
    description: str = ""
    stars: tuple[float, ...] = ()


def about(path: Path) -> About:
    """Return what a list shows of a lesson file; if it can't be read, only the file's name."""
    try:
        data = read_toml(path).data
    except ValueError:
        return About(path.stem)
    title, description = str(data.get("title", path.stem)), str(data.get("description", "")).strip()
    return About(title, description, _stars(data.get("challenge")))


def _stars(challenge: Any) -> tuple[float, ...]:
    stars = challenge.get("stars") if isinstance(challenge, dict) else None
    if isinstance(stars, list) and len(stars) == 3 and all(type(each) in (int, float) for each in stars):
        return tuple(stars)
    return ()
