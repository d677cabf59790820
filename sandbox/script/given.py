"""Reads paths, scenes and entries from Python values, the last two as scene files are read."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from components.store.world import World
from sandbox.design.entries import read_entry
from sandbox.design.scene import Entry, Scene
from sandbox.mods.load.loaded_mods import LoadedMods
from sandbox.scenes.reader import scene_of
from sandbox.toml.value_source import ValueSource, plain


def path_given(path: object, right: str = "the path of a file") -> Path:
    """Return a path that a script gave.

    Raises:
        ValueError: it is none; the message says that it must be what is `right`.
    """
    if not isinstance(path, str | os.PathLike):
        raise ValueError(f"{path!r:.60}: must be {right}")
    return Path(path)


def scene_given(scene: Mapping[str, Any], mods: LoadedMods) -> Scene:
    """Make the scene that these tables describe.

    Raises:
        ValueError: a value is invalid; the message says what would be right.
    """
    return scene_of(ValueSource({"format": 1, **plain(scene)}), mods)


def entry_given(world: World, spawn: Mapping[str, Any]) -> Entry:
    """Make an entry from a `[[spawn]]` table; an area may also be (x, y, radius) or (x, y, width, height).

    Raises:
        ValueError: a value is invalid; the message says what would be right.
    """
    table = plain({key: value for key, value in spawn.items() if value is not None})
    if isinstance(area := table.get("area"), list):
        if len(area) not in (3, 4):
            raise ValueError(f"area = {area!r:.60}: must be (x, y, radius) or (x, y, width, height)")
        table["area"] = {"circle" if len(area) == 3 else "rect": area}
    return read_entry(world, table)
