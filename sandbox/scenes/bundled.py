"""The scenes that come with the program and with mods."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from components.store.words import nearest
from sandbox.mods.find.finding import bundled_mods_folder

ORDER = (
    *("murmuration", "reef", "storm", "estuary", "pasture", "spaceships", "maze", "hunters", "crossing"),
    *("hundred-thousand", "million"),
)
LESSONS = "first-steps", "three-rules", "who-leads", "safety-in-numbers", "predator-and-prey"
MODELS = "ronan", "birb", "quelea", "scarf", "pallas"


def bundled_folder() -> Path:
    """The folder of the bundled scenes."""
    program = Path(__file__).parents[1]
    in_wheel = program / "bundled_scenes"  # a checkout has them beside the packages
    return in_wheel if in_wheel.is_dir() else program.parent / "scenes"


def bundled_scenes() -> list[Path]:
    """The bundled scene files, in the order of the gallery. A scene's name is that of its file."""
    return sorted(scenes_in([bundled_folder()]), key=lambda path: (is_model(path), _place(path.stem), path.stem))


def is_model(scene: Path) -> bool:
    """Whether a bundled scene reproduces another program's flock: the gallery shows these apart."""
    return scene.stem in MODELS


def _place(name: str) -> int:
    return ORDER.index(name) if name in ORDER else len(ORDER)


def scenes_in(folders: Iterable[Path]) -> list[Path]:
    """The scene files of these folders, in order of folder and name."""
    return [path for folder in folders for path in sorted(folder.glob("*.toml"))]


def find_scene(name_or_path: str | Path, folders: Iterable[Path] = ()) -> Path:
    """The file of a scene's name, or of a path.

    Args:
        folders: more of them with scenes, those of mods; of several with one name a bundled one goes first.
    Raises:
        FileNotFoundError: with the nearest known name.
    """
    scenes = {path.stem: path for path in [*reversed(scenes_in(folders)), *bundled_scenes()]}
    if str(name_or_path) in scenes:
        return scenes[str(name_or_path)]
    path = Path(name_or_path)
    if os.path.isfile(path):
        return path
    if os.path.exists(path):
        kind = "folder" if path.is_dir() else "device or pipe"
        raise FileNotFoundError(f"{str(name_or_path)!r} is a {kind}, no scene")
    if path.suffix or len(path.parts) > 1:
        raise FileNotFoundError(f"there is no file {str(name_or_path)!r}")
    close = nearest(str(name_or_path), list(scenes))
    near = f"did you mean {close!r}?" if close else f"there are {', '.join(scenes)}"
    raise FileNotFoundError(f"there is no scene {str(name_or_path)!r}: {near}")


def find_study(name_or_path: str | Path) -> Path:
    """The file of a study: the one at a path, or the bundled one of this name.

    Raises:
        FileNotFoundError: there is none, with the nearest known name.
    """
    return _find("study", name_or_path, scenes_in([bundled_folder() / "studies"]))


def lessons_in(scenes: Iterable[Path] = ()) -> list[Path]:
    """The bundled lesson files, and those of mods: beside these folders with scenes."""
    bundled = sorted(scenes_in([bundled_folder() / "lessons"]), key=lambda path: (_place_of(path.stem), path.stem))
    return [*bundled, *scenes_in(folder.parent / "lessons" for folder in scenes)]


def find_lesson(name_or_path: str | Path, scenes: Iterable[Path] = ()) -> Path:
    """The file of a lesson: the one at a path, or the one of this name; see `lessons_in`.

    Raises:
        FileNotFoundError: there is none, with the nearest known name.
    """
    return _find("lesson", name_or_path, lessons_in(scenes))


def _place_of(lesson: str) -> int:
    return LESSONS.index(lesson) if lesson in LESSONS else len(LESSONS)


def _find(kind: str, name_or_path: str | Path, files: Iterable[Path]) -> Path:
    found = {path.stem: path for path in files}
    if os.path.exists(name_or_path):
        return Path(name_or_path)
    if str(name_or_path) in found:
        return found[str(name_or_path)]
    if Path(name_or_path).suffix or len(Path(name_or_path).parts) > 1:
        raise FileNotFoundError(f"there is no file {str(name_or_path)!r}")
    close = nearest(str(name_or_path), list(found))
    near = f"did you mean {close!r}?" if close else f"there are {', '.join(sorted(found))}"
    raise FileNotFoundError(f"there is no {kind} {str(name_or_path)!r}: {near}")


def is_bundled(path: str | Path) -> bool:
    """Whether a path, whatever way it is written, leads to what comes with the program: a scene, or a mod's."""
    folders = bundled_folder().resolve(), bundled_mods_folder().resolve()
    return any(Path(path).resolve().is_relative_to(folder) for folder in folders)


def picture_of(scene: Path) -> Path:
    """Where the picture of a bundled scene is, if it has one."""
    return scene.parent / "pictures" / f"{scene.stem}.jpg"
