"""RENDER: what is to be drawn, as one plain array that goes to the graphics card as it is."""

# mypy: allow-untyped-defs
# (numba finds out the types of kernels)

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from components.life import Energy, Life
from components.look import Look
from components.motion import Motion, Position, Velocity
from components.store.fields import choice
from components.store.table import EntityTable
from components.store.world import World
from systems.engine.app import App
from systems.engine.kernel import parallel_kernel, prange
from systems.engine.pipeline import Phase, System
from systems.engine.settings import Settings
from systems.space.torus import nearest_copy
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
        width, height = world.resource(Settings).torus or (0.0, 0.0)
        words = drawing.instances.view(f32).reshape(-1, INSTANCE.itemsize // 4)
        position, velocity, look = (table.records(c) for c in (Position, Velocity, Look))
        moving = (table.presence, np.uint64(table.mask([Velocity])))
        _pack(rows, *moving, position, velocity, look, f32(width), f32(height), words, words.view(u32))
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
def _pack(rows, presence, moves, position, velocity, look, width, height, words, bits):
    for k in prange(len(rows)):
        row = rows[k]
        x, y = position[row].x, position[row].y
        previous_x, previous_y = position[row].previous_x, position[row].previous_y
        words[k, 0] = nearest_copy(previous_x, x, width) if width > 0 else previous_x
        words[k, 1] = nearest_copy(previous_y, y, height) if height > 0 else previous_y
        words[k, 2], words[k, 3] = x, y
        words[k, 4] = velocity[row].x if presence[row] & moves else f32(0)
        words[k, 5] = velocity[row].y if presence[row] & moves else f32(0)
        words[k, 6] = look[row].size
        bits[k, 7] = look[row].colour | u32(look[row].shape) << u32(24)


def install(app: App) -> None:
    app.add_component(Position, Velocity, Motion, Energy, Life, Look, *AROUND, *THINGS)
    app.add_system(Render)
