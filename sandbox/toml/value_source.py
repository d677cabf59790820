"""Checks values from Python code or a snapshot by the same schemas as the values of a file."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from sandbox.toml.key_places import KeyPath
from sandbox.toml.source import TomlSource, dotted

SPAWN = ("spawn", 0)  # the path of a single spawn, which messages leave out


class ValueSource(TomlSource):
    """Values instead of a file: messages have no line, only `key = value: what would be right`."""

    largest = math.inf  # TOML's limit of whole numbers concerns text

    def __init__(self, data: dict[str, Any]) -> None:
        """Wrap these tables.

        Raises:
            ValueError: there is a value that no scene file could have.
        """
        self.file, self.text, self.data = "untitled", "", data
        self._noted: dict[KeyPath, tuple[str, bool]] = {}
        self._check_values((), data)
        self.refuse_mistakes()

    def refuse_mistakes(self) -> None:
        """Raise ValueError if mistakes were noted, with one sentence for each."""
        sentences = []
        for path, (sentence, shows_value) in self._noted.items():
            what = dotted(path[2:] if path[:2] == SPAWN else path)
            shown = f" = {self._at(path)!r:.60}" if shows_value else ""
            sentences.append(f"{what}{shown}: {sentence}".removeprefix(": "))
        if sentences:
            raise ValueError("\n".join(sentences))

    def _at(self, path: KeyPath) -> Any:
        value: Any = self.data
        for part in path:
            value = value[part]
        return value


def plain(value: Any) -> Any:
    """Convert a value to TOML's types: tuples and arrays to lists, numpy's numbers to Python's.

    Raises:
        TypeError: there is a value of a type that TOML lacks.
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
