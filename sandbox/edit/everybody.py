"""A command that sets values of many prefabs at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from components.store.world import World
from sandbox.edit.command import Command
from sandbox.edit.kept_tables import refuse_words
from sandbox.edit.values import SetField


@dataclass(frozen=True)
class SetPrefabs(Command):
    """Set fields of several prefabs and of all their living members, in one undo step.

    Attributes:
        values: (prefab, field ("Flocker.cohesion_strength"), value as a scene file writes it).
        words: the command's label in the menu.
    """

    values: tuple[tuple[str, str, Any], ...]
    words: str = "set prefabs"

    def check(self, world: World) -> None:
        refuse_words(self.words)
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
