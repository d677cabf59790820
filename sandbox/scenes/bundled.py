"""Finds the scenes and lessons that come with the program and with mods."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from components.store.words import nearest
from sandbox.extras import modules
from sandbox.mods.find.finding import bundled_mods_folder

ORDER = (
    *("murmuration", "reef", "storm", "estuary", "pasture", "spaceships", "maze", "hunters", "crossing"),
    *("hundred-thousand", "million"),
)
LESSONS = "first-steps", "three-rules", "who-leads", "safety-in-numbers", "predator-and-prey"
CHALLENGES = "through-the-maze", "save-fifty-fish", "starve-the-wolves"
MODELS = "ronan", "birb", "quelea", "scarf", "pallas"


def bundled_folder() -> Path:
    """Return the folder of the bundled scenes."""
    program = Path(__file__).parents[1]
    in_wheel = program / "bundled_scenes"  # a checkout has them beside the packages
    return in_wheel if in_wheel.is_dir() else program.parent / "scenes"


def bundled_scenes() -> list[Path]:
    """Return the bundled scene files, in the order of the gallery. A scene's name is that of its file."""
    return sorted(scenes_in([bundled_folder()]), key=lambda path: (is_model(path), _place(path, ORDER), path.stem))


def is_model(scene: Path) -> bool:
    """Return whether a bundled scene reproduces another program's flock; the gallery shows these separately."""
    return scene.stem in MODELS


def _place(path: Path, order: Sequence[str]) -> int:
    """Return the index of a file's name in an order; names that are not in it come last."""
    return order.index(path.stem) if path.stem in order else len(order)


def scenes_in(folders: Iterable[Path]) -> list[Path]:
    """Return the scene files in these folders, ordered by folder and name."""
    return [path for folder in folders for path in sorted(folder.glob("*.toml"))]


def find_scene(name_or_path: str | Path, folders: Iterable[Path] = ()) -> Path:
    """Return the file of a scene, by name or path.

    Args:
        folders: the scene folders of mods; of several scenes with one name, a bundled one comes first.
    Raises:
        FileNotFoundError: there is none; the message has the nearest known name.
    """
    return find("scene", name_or_path, [*reversed(scenes_in(folders)), *bundled_scenes()])


def lessons_in(scenes: Iterable[Path] = ()) -> list[Path]:
    """Return the lesson files, bundled and beside these scene folders of mods, without translations of others."""
    order = LESSONS + CHALLENGES
    bundled = sorted(scenes_in([bundled_folder() / "lessons"]), key=lambda path: (_place(path, order), path.stem))
    found = [*bundled, *scenes_in(folder.parent / "lessons" for folder in scenes)]
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


def find(kind: str, name_or_path: str | Path, files: Iterable[Path]) -> Path:
    """Return the last of these files with this name, else the file at this path; `kind`: what it is, for messages.

    Raises:
        FileNotFoundError: there is none; the message has the nearest known name.
    """
    found, path, name = {path.stem: path for path in files}, Path(name_or_path), str(name_or_path)
    if name in found:
        return found[name]
    if os.path.isfile(path):
        return path
    if os.path.exists(path):
        raise FileNotFoundError(f"{name!r} is a {'folder' if path.is_dir() else 'device or pipe'}, no {kind}")
    if path.suffix or len(path.parts) > 1:
        raise FileNotFoundError(f"there is no file {name!r}")
    others = [("lesson", lessons_in(), "play --lesson"), *(extra.bundled() for extra in modules("files"))]
    for other, theirs, command in others:
        if name in {path.stem for path in theirs}:
            raise FileNotFoundError(f"{name!r} is a {other}, no {kind}: boids {command} {name}")
    close = nearest(name, list(found))
    near = f"did you mean {close!r}?" if close else f"there are {', '.join(found)}"
    raise FileNotFoundError(f"there is no {kind} {name!r}: {near}")


def is_bundled(path: str | Path) -> bool:
    """Return whether a path, relative or with links, leads to a bundled scene or bundled mod."""
    folders = bundled_folder().resolve(), bundled_mods_folder().resolve()
    return any(Path(path).resolve().is_relative_to(folder) for folder in folders)


def picture_of(scene: Path) -> Path:
    """Return the path of a bundled scene's picture; the file may not exist."""
    return scene.parent / "pictures" / f"{scene.stem}.jpg"
