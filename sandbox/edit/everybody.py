"""Setting values of many prefabs at once, and the presets of them that a scene keeps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from components.store.world import World
from sandbox.design.format import presets_shape
from sandbox.design.presets import Factors, Presets
from sandbox.edit.command import Command
from sandbox.edit.entries import as_in_files
from sandbox.edit.values import SetField
from sandbox.toml.shapes import LONGEST_NAME
from sandbox.toml.value_source import ValueSource


@dataclass(frozen=True)
class SetPrefabs(Command):
    """Set fields of several prefabs, and of all their living members, in one step.

    Attributes:
        values: of each the prefab, the field ("Flocker.cohesion_strength"), and the value as a scene file writes it.
        words: what this does, for the menu.
    """

    values: tuple[tuple[str, str, Any], ...]
    words: str = "set prefabs"

    def check(self, world: World) -> None:
        _refuse_words(self.words)
        for each in self._each():
            each.check(world)

    def apply(self, world: World) -> None:
        for each in self._each():
            each.apply(world)

    def label(self, world: World) -> str:
        return self.words

    def _each(self) -> Iterator[SetField]:
        given: Any = self.values
        if not isinstance(given, tuple) or not all(isinstance(each, tuple) and len(each) == 3 for each in given):
            raise ValueError(f"values = {given!r:.60}: must be ((prefab, field, value), ...)")
        for prefab, key, value in given:
            if prefab is None:
                raise ValueError("values: each must name its prefab")
            yield SetField(key, value, prefab=prefab)


@dataclass(frozen=True)
class SetPresets(Command):
    """Have these presets, factors by name, and no others; `words`: what this does, for the menu."""

    presets: Mapping[str, Factors]
    words: str = "set presets"

    def check(self, world: World) -> None:
        _refuse_words(self.words)
        source = ValueSource({"presets": as_in_files(self.presets)})
        presets_shape().read(source, ("presets",), source.data["presets"])
        source.refuse_mistakes()

    def apply(self, world: World) -> None:
        world.resource(Presets).kept = {name: dict(factors) for name, factors in self.presets.items()}

    def label(self, world: World) -> str:
        return self.words


def _refuse_words(words: object) -> None:
    if not (isinstance(words, str) and words.isprintable() and len(words) <= 2 * LONGEST_NAME):
        raise ValueError(f"words = {words!r:.60}: must be at most {2 * LONGEST_NAME} printable characters")
