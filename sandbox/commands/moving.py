"""Moving things and walls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from components.motion import Position
from components.store.world import World
from components.terrain import Wall
from sandbox.borders import ENDS, FARTHEST, PLACE, Columns, shift
from sandbox.commands.command import Command, Rows, living
from systems.core.settings import Settings


@dataclass(frozen=True)
class Move(Command):
    """Move these entities, and walls among them, by an offset (u): round a torus, else together up to the edge.

    Those already gone are passed over.
    """

    serials: tuple[int, ...]
    dx: float
    dy: float

    def check(self, world: World) -> None:
        refuse_far(self.dx, self.dy)

    def apply(self, world: World) -> None:
        table, rows = world.table, living(world, self.serials)
        placed, walls = (rows[table.has(rows, component)] for component in (Position, Wall))
        keys = {**dict.fromkeys(PLACE, placed), **dict.fromkeys(ENDS, walls)}
        columns: Columns = {key: table.columns[key][own] for key, own in keys.items()}
        shift(world.resource(Settings), columns, self.dx, self.dy)
        for key, own in keys.items():
            table.columns[key][own] = columns[key]

    def label(self, world: World) -> str:
        return "move" if len(self.serials) == 1 else f"move {len(self.serials)}"

    def edited(self, world: World) -> tuple[Rows, Sequence[str]]:
        return living(world, self.serials), (*PLACE, *ENDS)

    @property
    def handles(self) -> tuple[int, ...]:
        return self.serials


def refuse_far(dx: float, dy: float) -> None:
    """Raises ValueError where an offset is no number, or leads out of every world."""
    for offset in (dx, dy):
        if not abs(offset) <= 2 * FARTHEST:
            raise ValueError(f"an offset of {offset:g}: must be {-2 * FARTHEST:g} to {2 * FARTHEST:g} (u)")
