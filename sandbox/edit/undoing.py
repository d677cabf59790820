"""Undo and redo. They are commands, too, so that replaying a log repeats them."""

from __future__ import annotations

from dataclasses import dataclass

from components.store.world import World
from sandbox.edit.command import Command


@dataclass(frozen=True)
class Undo(Command):
    """Undo the last step, if there is one."""

    def apply(self, world: World) -> None:
        """Do nothing: the queue calls `History.undo` instead, so that undoing does not become a step."""

    def label(self, world: World) -> str:
        return "undo"


@dataclass(frozen=True)
class Redo(Command):
    """Redo the step that was undone last, if there is one."""

    def apply(self, world: World) -> None:
        """Do nothing: the queue calls `History.redo` instead."""

    def label(self, world: World) -> str:
        return "redo"
