"""Finds studies, and recognises them and their results where a world is expected."""

from __future__ import annotations

import os
from pathlib import Path

from sandbox.files import named
from sandbox.scenes.bundled import bundled_files, find
from sandbox.toml.source import keys_of

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
    return "study", bundled_files("studies"), "study run"


def other_than_a_world(path: Path) -> str:
    """Return a sentence that says how to open a study or the folder of its results; "" if it is neither."""
    name = named(path)
    if os.path.isfile(path / STUDY_COPY):
        return f"{name}: is the folder of a study: boids study play {name} --run N shows a run"
    return f"{name}: is a study: boids study run {name} runs it" if {"scene", "measure"} <= keys_of(path) else ""
