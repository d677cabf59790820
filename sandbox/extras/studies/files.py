"""Finds studies, and recognises them and their results where a world is expected."""

from __future__ import annotations

import os
from pathlib import Path

import tomli

from sandbox.files import named, read_file
from sandbox.scenes.bundled import bundled_folder, find, scenes_in
from sandbox.toml.source import LARGEST_FILE

# In the folder of a study's results:
STUDY_COPY, SCENE_COPY, POINTS_COPY = "study.toml", "scene.toml", "points.csv"
PICTURES, DESIGN = "pictures", "design.parquet"


def find_study(name_or_path: str | Path) -> Path:
    """Return the file of a study: the bundled one of this name, or the one at this path.

    Raises:
        FileNotFoundError: there is none; the message has the nearest known name.
    """
    return find("study", name_or_path, bundled()[1])


def bundled() -> tuple[str, list[Path], str]:
    """Return the bundled studies: what they are, their files, and the command that runs one."""
    return "study", scenes_in([bundled_folder() / "studies"]), "study run"


def other_than_a_world(path: Path) -> str:
    """Return a sentence that says how to open a study or the folder of its results; "" if it is neither."""
    name = named(path)
    if os.path.isfile(path / STUDY_COPY):
        return f"{name}: is the folder of a study: boids study play {name} --run N shows a run"
    if path.suffix.lower() != ".toml" or not os.path.isfile(path):
        return ""
    try:
        keys = tomli.loads(read_file(path, LARGEST_FILE).decode()).keys()
    except (OSError, ValueError, RecursionError):
        return ""
    return f"{name}: is a study: boids study run {name} runs it" if {"scene", "measure"} <= keys else ""
