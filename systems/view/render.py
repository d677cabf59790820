"""RENDER: what is to be drawn, as one plain array that goes to the graphics card as it is."""

from __future__ import annotations

from collections import namedtuple
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from components.life import Energy, Life
from components.look import Look
from components.motion import Motion, Position, Velocity
from components.store.declare import choice
from components.store.table import EntityTable
from components.store.world import World
from systems.engine.app import App
from systems.engine.kernel import parallel_kernel, prange
from systems.engine.settings import Settings
from systems.engine.system import Phase, System
from systems.space.torus import nearest_copy, torus_of
from systems.view.layers import AROUND, THINGS
from systems.view.ramps import Legend
from systems.view.tints import TINTS, tint

f32, u32 = np.float32, np.uint32
INSTANCE = np.dtype(
    [("previous", f32, 2), ("position", f32, 2), ("heading", f32, 2), ("size", f32), ("shape_colour", u32)]
)
"""One entity to draw: where it was and is (u), its velocity (u/s), half its length (u), and 0xSSRRGGBB."""


@dataclass
class Drawing:
    """The entities to draw: the first `count` of `instances`, dtype INSTANCE.

    On a torus `previous` is the copy nearest to `position`.

    Attributes:
        rows: int32 (count,), their table rows.
        legend: what their colours mean; None: they are their own.
    """

    count: int = 0
    rows: NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, np.int32))
    legend: Legend | None = None
    instances: NDArray[np.void] = field(default_factory=lambda: np.zeros(0, INSTANCE))


Drawn = namedtuple("Drawn", "position velocity look presence moves")
"""What is read of those who are drawn, by table row.

moves: uint64, the presence bit of Velocity."""


class Render(System):
    """Gathers everything with a Look that is no scenery."""

    phase = Phase.RENDER
    essential = True
    reads = (Position, Velocity, Motion, Energy, Life, Look, *AROUND, *THINGS, Settings)
    writes = (Drawing,)
    colour: int = choice(*TINTS, default="species", help="what animals are coloured by")

    def run(self, world: World) -> None:
        table = world.table
        drawing = world.resources.setdefault(Drawing, Drawing())
        rows = _animals(table)
        if len(rows) > len(drawing.instances):
            drawing.instances = np.zeros(2 * len(rows), INSTANCE)
        drawing.count, drawing.rows = len(rows), rows
        words = drawing.instances.view(f32).reshape(-1, INSTANCE.itemsize // 4)
        records = (table.records(c) for c in (Position, Velocity, Look))
        drawn = Drawn._make((*records, table.presence, np.uint64(table.mask([Velocity]))))
        _pack(rows, drawn, torus_of(world), words, words.view(u32))
        drawing.legend = tint(world, rows, drawing.instances[: len(rows)], self.colour)


def _animals(table: EntityTable) -> NDArray[np.int32]:
    """The rows of all with a Look that scenery does not draw; what air or a goal goes round is drawn if it moves."""
    rows = table.rows(Position, Look)
    if not any(len(table.rows(component)) for component in (*AROUND, *THINGS)):
        return rows
    things, around, moving = (np.uint64(table.mask(components)) for components in (THINGS, AROUND, [Velocity]))
    had = table.presence[rows]
    animals: NDArray[np.int32] = rows[(had & things == 0) & ((had & around == 0) | (had & moving != 0))]
    return animals


@parallel_kernel
def _pack(rows, drawn, torus, words, bits):
    for k in prange(len(rows)):
        here, look = drawn.position[rows[k]], drawn.look[rows[k]]
        words[k, 0] = nearest_copy(here.previous_x, here.x, torus[0])
        words[k, 1] = nearest_copy(here.previous_y, here.y, torus[1])
        words[k, 2], words[k, 3] = here.x, here.y
        moves = drawn.presence[rows[k]] & drawn.moves
        words[k, 4] = drawn.velocity[rows[k]].x if moves else f32(0)
        words[k, 5] = drawn.velocity[rows[k]].y if moves else f32(0)
        words[k, 6] = look.size
        bits[k, 7] = look.colour | u32(look.shape) << u32(24)


def install(app: App) -> None:
    app.add_component(Position, Velocity, Motion, Energy, Life, Look, *AROUND, *THINGS)
    app.add_system(Render)
