"""Values from Python code or from a snapshot, checked by the same shapes as the values of a file."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from sandbox.toml.places import KeyPath
from sandbox.toml.source import TomlSource, dotted

SPAWN = ("spawn", 0)  # the path of an only spawn, which messages leave out


class ValueSource(TomlSource):
    """Values in place of a file: messages name no line, and read `key = value: what would be right`."""

    largest = math.inf  # TOML's limit of whole numbers is for text that is still to be parsed

    def __init__(self, data: dict[str, Any]) -> None:
        """Wrap these tables.

        Raises:
            ValueError: a value that a scene file could not hold.
        """
        self.file, self.text, self.data = "untitled", "", data
        self._noted: dict[KeyPath, tuple[str, bool]] = {}
        self._check_values((), data)
        self.refuse_mistakes()

    def refuse_mistakes(self) -> None:
        """Raises ValueError if mistakes were noted, with one sentence for each."""
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
    """A value converted to TOML's types: lists for tuples and arrays, Python's numbers for numpy's.

    Raises:
        TypeError: a value of a type that TOML lacks.
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
