"""What Python code gives in a scene file's place: read by the same shapes, with the same checks and messages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from components.store.world import World
from sandbox.design.format import scene_shape
from sandbox.design.scene import Entry, Scene
from sandbox.mods.load.loaded_mods import LoadedMods
from sandbox.scenes.entries import made_entries
from sandbox.scenes.reader import scene_of
from sandbox.toml.places import KeyPath
from sandbox.toml.source import TomlSource, label
from systems.engine.app import App

SPAWN = ("spawn", 0)


class Given(TomlSource):
    """Values in a file's place: a mistake in them has no line, and is told as `key = value: what would be right`."""

    def __init__(self, data: dict[str, Any]) -> None:
        """Take these tables.

        Raises:
            ValueError: a value that no scene may hold.
        """
        self.file, self.text, self.data = "untitled", "", data
        self._noted: dict[KeyPath, tuple[str, bool]] = {}
        self._check_values((), data)
        self.refuse_mistakes()

    def refuse_mistakes(self) -> None:
        """Raises ValueError where mistakes were noted, with a sentence for each."""
        sentences = []
        for path, (sentence, shows_value) in self._noted.items():
            what = f"{label(path)} = {self._at(path)!r:.60}" if shows_value else label(path)
            sentences.append(sentence if path == SPAWN else f"{what}: {sentence}")
        if sentences:
            raise ValueError("\n".join(sentences))

    def _at(self, path: KeyPath) -> Any:
        value: Any = self.data
        for part in path:
            value = value[part]
        return value


def scene_given(scene: Mapping[str, Any], mods: LoadedMods) -> Scene:
    """The scene that these tables say.

    Raises:
        ValueError: what is wrong, and what would be right.
    """
    return scene_of(Given({"format": 1, **plain(scene)}), mods)


def entry_given(world: World, spawn: Mapping[str, Any]) -> Entry:
    """The entry that a `[[spawn]]` table says; an area may also be (x, y, radius) or (x, y, width, height).

    Raises:
        ValueError: what is wrong, and what would be right.
    """
    table = plain({key: value for key, value in spawn.items() if value is not None})
    if isinstance(area := table.get("area"), list):
        if len(area) not in (3, 4):
            raise ValueError(f"area = {area!r:.60}: must be (x, y, radius) or (x, y, width, height)")
        table["area"] = {"circle" if len(area) == 3 else "rect": area}
    source, app = Given({"spawn": [table]}), App(components=list(world.table.components.values()))
    spawns = scene_shape(app, world.prefabs).keys["spawn"].read(source, ("spawn",), [table])
    entries = made_entries(source, app, spawns, world.prefabs)
    source.refuse_mistakes()
    return entries[0]


def plain(value: Any) -> Any:
    """A value as TOML has it: lists in place of tuples and arrays, Python's numbers in place of numpy's.

    Raises:
        TypeError: something that no scene can say.
    """
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, Mapping):
        return {str(key): plain(child) for key, child in value.items()}
    if isinstance(value, list | tuple):
        return [plain(child) for child in value]
    if isinstance(value, str | bool | int | float):
        return value
    raise TypeError(f"{value!r:.60}: must be a number, a text, True or False, or a list or table of them")
