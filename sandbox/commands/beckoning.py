"""The hand: pulls those around, or scares them away, while it is in the world."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from components.store.world import World
from sandbox.commands.command import Command
from systems.core.hand import FIELDS, Hand


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

    def check(self, world: World) -> None:
        for name, value in asdict(self).items():
            try:
                FIELDS[name].parse(value)
            except ValueError as error:
                raise ValueError(f"{name} = {value!r}: {error}") from None

    def apply(self, world: World) -> None:
        world.resources.pop(Hand, None)
        if self.strength:
            world.resources[Hand] = Hand(*(float(value) for value in (self.x, self.y, self.strength, self.radius)))

    def label(self, world: World) -> str:
        return "beckon"
