"""Taking back, and doing again: commands as well, so that a log of commands replays them."""

from __future__ import annotations

from dataclasses import dataclass

from components.store.world import World
from sandbox.edit.command import Command


@dataclass(frozen=True)
class Undo(Command):
    """Take back the last step; nothing happens where there is none."""

    def apply(self, world: World) -> None:
        """The history does it: what takes something back is itself no step."""

    def label(self, world: World) -> str:
        return "undo"


@dataclass(frozen=True)
class Redo(Command):
    """Do again what was taken back last; nothing happens where there is nothing."""

    def apply(self, world: World) -> None:
        """The history does it."""

    def label(self, world: World) -> str:
        return "redo"
