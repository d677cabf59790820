"""A command that moves entities, walls included."""

from __future__ import annotations

from dataclasses import dataclass

from components.motion import Position
from components.store.declare import number
from components.store.world import World
from components.terrain import Wall
from sandbox.design.borders import ENDS, PLACE, Columns, move
from sandbox.edit.command import Command, read
from sandbox.serials import Serials
from systems.engine.settings import Settings
from systems.space.bounds import FARTHEST

OFFSET = number(0, "u", -2 * FARTHEST, 2 * FARTHEST, "how far")


@dataclass(frozen=True)
class Move(Command):
    """Move these entities, walls included, by an offset (u): they wrap on a torus, else stop together at the edge.

    Serials that no longer live are ignored.
    """

    serials: Serials
    dx: float
    dy: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "serials", Serials(self.serials))

    def check(self, world: World) -> None:
        offset(self.dx, self.dy)

    def apply(self, world: World) -> None:
        table, rows = world.table, self.serials.rows_in(world.table)
        placed, walls = (rows[table.has(rows, component)] for component in (Position, Wall))
        keys = {**dict.fromkeys(PLACE, placed), **dict.fromkeys(ENDS, walls)}
        columns: Columns = {key: table.columns[key][own] for key, own in keys.items()}
        move(world.resource(Settings), columns, *offset(self.dx, self.dy))
        for key, own in keys.items():
            table.write(key, own, columns[key])

    def label(self, world: World) -> str:
        return "move" if len(self.serials) == 1 else f"move {len(self.serials)}"

    @property
    def edits_alone(self) -> Serials:
        return self.serials


def offset(dx: float, dy: float) -> tuple[float, float]:
    """Check an offset, u.

    Raises:
        ValueError: it is not a number, or too large for any world.
    """
    return read("dx", dx, OFFSET.parse), read("dy", dy, OFFSET.parse)
