"""Finds the scenes that come with the program and with mods."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Sequence
from pathlib import Path

from components.store.words import nearest
from sandbox.extras import modules
from sandbox.mods.find.finding import bundled_mods_folder, find_mods
from sandbox.mods.find.manifest import shown

ORDER = (
    *("murmuration", "reef", "storm", "bait-ball", "canyon", "estuary", "pasture", "spaceships", "maze"),
    *("hunters", "crossing"),
    *("hundred-thousand", "krill", "million"),
)
MODELS = "ronan", "birb", "quelea", "scarf", "pallas"


def bundled_folder() -> Path:
    """Return the folder of the bundled scenes."""
    program = Path(__file__).parents[1]
    in_wheel = program / "bundled_scenes"  # a checkout has them beside the packages
    return in_wheel if in_wheel.is_dir() else program.parent / "scenes"


def bundled_files(kind: str) -> list[Path]:
    """Return the bundled files of another kind, from their folder among the scenes: "lessons", "studies"."""
    return scenes_in([bundled_folder() / kind])


def bundled_scenes() -> list[Path]:
    """Return the bundled scene files, in the order of the gallery. A scene's name is that of its file."""
    return sorted(scenes_in([bundled_folder()]), key=lambda path: (is_model(path), rank_in(ORDER, path), path.stem))


def is_model(scene: Path) -> bool:
    """Return whether a bundled scene reproduces another program's flock; the gallery shows these separately."""
    return scene.stem in MODELS


def rank_in(order: Sequence[str], path: Path) -> int:
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
        FileNotFoundError: there is none; the message has the mod that has it and is not on, or the nearest known name.
    """
    try:
        return find("scene", name_or_path, [*reversed(scenes_in(folders)), *bundled_scenes()])
    except FileNotFoundError:
        name = str(name_or_path)
        for mod in find_mods():
            if name in {path.stem for path in scenes_in([mod.folder / "scenes"])}:
                opens = f"boids play {name} --mod {shlex.quote(shown(mod.folder))}"
                sentence = f"{name!r} is a scene of the mod {mod.id}, which is not on: {opens}"
                raise FileNotFoundError(sentence) from None
        raise


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
    for other, theirs, command in (extra.bundled() for extra in modules("files")):
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
