"""The system Render: finds the animals to draw, their looks and colours; `seen.py` selects those in a view."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from components.flock import Flocker
from components.guidance import Goal
from components.life import Energy, Food, Life
from components.look import Look
from components.motion import Motion, Position, Velocity
from components.store.declare import choice
from components.store.fields import FLAT
from components.store.table import MOST_PREFABS, EntityTable
from components.store.world import World
from components.terrain import Obstacle, Wall
from components.wind import Wind
from sandbox.render.colour_scales import Legend
from sandbox.render.followed import FollowedFlocks
from sandbox.render.tints import TINTS, coloured, tint
from systems.engine.cached import cached
from systems.engine.data import data_of
from systems.engine.kernel import inlined, kernel
from systems.engine.pipeline import Pipeline
from systems.engine.rows import PORTIONS, for_each_portion, for_each_row, portion_of
from systems.engine.settings import Settings
from systems.engine.system import Phase, System
from systems.space.torus import torus_of

AROUND = (Wind, Goal)  # drawn around the entity; one that moves is drawn as an animal too
THINGS = (Food, Obstacle, Wall)
LOOK = np.dtype([("size", np.float32), ("shape_colour", np.uint32)])
"""Half the length (u), and 0xSSRRGGBB: shape and colour."""

Looks = NDArray[np.void]


class Drawn(NamedTuple):
    """What kernels need of the animals to draw, besides the table's data.

    Attributes:
        rows: their table rows, int32 (n,), ascending.
        looks: see `looks_of`.
        codes: see `tint`.
        moves, steers: the presence bits of Velocity and Motion.
        torus_x, torus_y: float32, u: the size of a torus, or 0.
    """

    rows: NDArray[np.int32]
    looks: Looks
    codes: NDArray[np.uint16]
    moves: np.uint64
    steers: np.uint64
    torus_x: np.float32
    torus_y: np.float32


class DeepDrawn(NamedTuple):
    """The same in a world with depth."""

    rows: NDArray[np.int32]
    looks: Looks
    codes: NDArray[np.uint16]
    moves: np.uint64
    steers: np.uint64
    torus_x: np.float32
    torus_y: np.float32
    torus_z: np.float32


@dataclass
class Drawing:
    """The animals to draw, until the next tick or command.

    Attributes:
        data: the table's data, see `data_of`.
        legend: the meaning of the colours; None: each has the colour of its Look.
    """

    data: Any
    drawn: Drawn | DeepDrawn
    legend: Legend | None

    @property
    def rows(self) -> NDArray[np.int32]:
        """The table rows of the animals."""
        return self.drawn.rows

    def colours(self, chosen: Any = slice(None)) -> NDArray[np.uint32]:
        """Return the colours, 0xRRGGBB, of the animals at these indexes of `rows`."""
        rows = self.rows[chosen]
        own: NDArray[np.uint32] = self.data.look["colour"][rows]
        return own if self.legend is None else coloured(own, self.drawn.codes[rows], self.legend.ramp)

    def coloured_by(self, colouring: str, world: World) -> Drawing:
        """Return the same animals of a world, coloured by one of TINTS."""
        codes, legend = tint(world, self.data, self.rows, TINTS.index(colouring))
        return Drawing(self.data, self.drawn._replace(codes=codes), legend)


class Render(System):
    """Finds all entities with a Look that are not scenery."""

    phase = Phase.RENDER
    essential = True
    reads = (Position, Velocity, Motion, Flocker, Energy, Life, Look, *AROUND, *THINGS, Settings, Pipeline)
    writes = (Drawing, FollowedFlocks)  # flocks are those that the system `flocks` counts: its `link`, from Pipeline
    colour: str = choice(*TINTS, default="species", help="what animals are coloured by")

    def run(self, world: World) -> None:
        table, rows, data = world.table, animals(world.table), data_of(self, world)
        codes, legend = tint(world, data, rows, TINTS.index(self.colour))
        looks = looks_of(table, table.clocks(Look, membership=(Position, Velocity, *AROUND, *THINGS)))
        bits = (np.uint64(table.mask([component])) for component in (Velocity, Motion))
        kind: Any = Drawn if table.axes == FLAT else DeepDrawn
        world.resources[Drawing] = Drawing(data, kind(rows, looks, codes, *bits, *torus_of(world)), legend)


def animals(table: EntityTable) -> NDArray[np.int32]:
    """Return the rows of entities with a Look that are not scenery; those with Wind or Goal only if they move."""
    rows = table.rows(Position, Look)
    if not any(len(table.rows(component)) for component in (*AROUND, *THINGS)):
        return rows
    things, around, moving = (np.uint64(table.mask(components)) for components in (THINGS, AROUND, [Velocity]))
    had = table.presence[rows]
    found: NDArray[np.int32] = rows[(had & things == 0) & ((had & around == 0) | (had & moving != 0))]
    return found


@cached
def looks_of(table: EntityTable, clocks: tuple[int, ...]) -> Looks:
    """Return looks at these clocks of Look, dtype LOOK: that of each prefab's first animal, (MOST_PREFABS,); if any
    differs, also that of each row.

    If all animals of each prefab look alike, the values stay the same when animals are born, die or change their rows.
    """
    rows, records = animals(table), table.records(Look)
    looks, others = np.zeros(MOST_PREFABS, LOOK), np.zeros(PORTIONS, np.int64)
    _set_first(rows, table.prefab, records, looks)
    _count_others(rows, table.prefab, records, looks, others)
    if others.any():
        looks = np.append(looks, np.zeros(table.size, LOOK))
        _set_each(rows, records, looks)
    return looks


@kernel
def _set_first(rows, prefab, look, looks):
    for row in rows:
        if looks[prefab[row]].size == 0:  # no entity has this size
            _set(looks[prefab[row]], look[row])


@for_each_portion
def _count_others(portion, rows, prefab, look, looks, others):
    begin, end = portion_of(portion, len(rows))
    for k in range(begin, end):
        others[portion] += look_number(rows[k], prefab, look, looks) >= MOST_PREFABS


@for_each_row
def _set_each(row, look, looks):
    _set(looks[MOST_PREFABS + row], look[row])


@inlined
def _set(known, look):
    known.size, known.shape_colour = look.size, shape_colour(look)


@inlined
def shape_colour(look):
    return np.uint32(look.colour) | np.uint32(look.shape) << np.uint32(24)


@inlined
def look_number(row, prefab, look, looks):
    """Return the index of a row's look in `looks_of`."""
    usual, own = looks[np.uint64(prefab[row])], look[row]
    if usual.size == own.size and usual.shape_colour == shape_colour(own):
        return np.int64(prefab[row])
    return MOST_PREFABS + np.int64(row)
