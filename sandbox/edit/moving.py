"""A command that moves entities, walls included."""

from __future__ import annotations

from dataclasses import dataclass

from components.motion import Position
from components.store.declare import number
from components.store.world import World
from components.terrain import Wall
from sandbox.design.borders import ENDS, Columns, move, place_columns
from sandbox.edit.command import Command, read, refuse_depth
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
    dz: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "serials", Serials(self.serials))

    def check(self, world: World) -> None:
        offset(world, self.dx, self.dy, self.dz)

    def apply(self, world: World) -> None:
        table, rows = world.table, self.serials.rows_in(world.table)
        placed, walls = (rows[table.has(rows, component)] for component in (Position, Wall))
        places = (key for keys in place_columns(table.axes) for key in keys)
        keys = {**dict.fromkeys(places, placed), **dict.fromkeys(ENDS, walls)}
        columns: Columns = {key: table.columns[key][own] for key, own in keys.items()}
        move(world.resource(Settings), columns, offset(world, self.dx, self.dy, self.dz))
        for key, own in keys.items():
            table.write(key, own, columns[key])

    def label(self, world: World) -> str:
        return "move" if len(self.serials) == 1 else f"move {len(self.serials)}"

    @property
    def edits_alone(self) -> Serials:
        return self.serials


def offset(world: World, dx: float, dy: float, dz: float) -> tuple[float, ...]:
    """Check an offset, u, and return it with as many numbers as the world has axes.

    Raises:
        ValueError: it is not a number, too large for any world, or `dz` in a flat one.
    """
    given = read("dx", dx, OFFSET.parse), read("dy", dy, OFFSET.parse), read("dz", dz, OFFSET.parse)
    refuse_depth(world, "dz", dz)
    return given[: len(world.table.axes)]
