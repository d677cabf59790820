"""A command that sets presets, labels or pictures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from components.store.world import World
from sandbox.design.kept_kinds import KEPT
from sandbox.design.scene_schema import kept_schema
from sandbox.edit.check_entry import to_file_types
from sandbox.edit.command import Command, find
from sandbox.toml.schemas import LONGEST_NAME
from sandbox.toml.value_source import ValueSource


@dataclass(frozen=True)
class SetTables(Command):
    """Replace all presets, labels or pictures by these.

    Attributes:
        table: "presets", "labels" or "pictures".
        tables: their values as a scene file writes them, by name.
        words: the command's label in the menu.
    """

    table: str
    tables: Mapping[str, Mapping[str, Any]]
    words: str = ""

    def check(self, world: World) -> None:
        refuse_words(self.words)
        find("kind of table", self.table, KEPT)
        self._read()

    def apply(self, world: World) -> None:
        world.resource(KEPT[self.table]).kept = self._read()

    def label(self, world: World) -> str:
        return self.words or f"set {self.table}"

    def _read(self) -> dict[str, dict[str, Any]]:
        source = ValueSource({self.table: to_file_types(self.tables)})
        schema = kept_schema(KEPT[self.table])
        read: dict[str, dict[str, Any]] = schema.read(source, (self.table,), source.data[self.table])
        source.refuse_mistakes()
        return read


def refuse_words(words: object) -> None:
    """Raise ValueError if this is not a valid label for a menu."""
    if not (isinstance(words, str) and words.isprintable() and len(words) <= 2 * LONGEST_NAME):
        raise ValueError(f"words = {words!r:.60}: must be at most {2 * LONGEST_NAME} printable characters")
