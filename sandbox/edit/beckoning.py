"""The hand: pulls those around, or scares them away, while it is in the world."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from components.store.world import World
from sandbox.edit.command import Command, read
from systems.engine.hand import FIELDS, Hand


@dataclass(frozen=True)
class Beckon(Command):
    """Put a hand into the world, or take it out: no step that could be undone, for it is let go.

    Attributes:
        x, y: where, u.
        strength: how hard it pulls, u/s²; below 0 it scares away; 0: the hand is taken out.
        radius: how far away it is felt, u.
    """

    x: float
    y: float
    strength: float
    radius: float = 200.0

    step: ClassVar[bool] = False

    def check(self, world: World) -> None:
        self._hand()

    def apply(self, world: World) -> None:
        world.resources.pop(Hand, None)
        if (hand := self._hand()).strength:
            world.resources[Hand] = hand

    def label(self, world: World) -> str:
        return "beckon"

    def _hand(self) -> Hand:
        return Hand(**{name: read(name, getattr(self, name), field.parse) for name, field in FIELDS.items()})
