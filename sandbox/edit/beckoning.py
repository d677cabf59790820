"""The command for the hand, which pulls nearby entities or scares them away while it is in the world."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from components.store.world import World
from sandbox.edit.command import Command
from systems.engine.hand import Hand


@dataclass(frozen=True)
class Beckon(Command):
    """Put the hand into the world, or take it out; it is no undo step, because the hand is taken out again anyway.

    Attributes:
        x, y: its place, u.
        strength: how hard it pulls, u/s²; below 0 it scares away, and 0 takes the hand out.
        radius: how far away it is felt, u.
    """

    x: float
    y: float
    strength: float
    radius: float = 200.0

    step: ClassVar[bool] = False

    def check(self, world: World) -> None:
        Hand(self.x, self.y, self.strength, self.radius)

    def apply(self, world: World) -> None:
        world.resources[Hand] = Hand(self.x, self.y, self.strength, self.radius) if self.strength else Hand()

    def label(self, world: World) -> str:
        return "beckon"
