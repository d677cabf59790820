"""RENDER: finds the animals to draw, and their colours; `seen.py` selects those in a view."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.flock import Flocker
from components.life import Energy, Life
from components.look import Look
from components.motion import Motion, Position, Velocity
from components.store.declare import choice
from components.store.world import World
from systems.engine.app import App
from systems.engine.pipeline import Pipeline
from systems.engine.settings import Settings
from systems.engine.system import Phase, System
from systems.space.torus import torus_of
from systems.view.followed import FollowedFlocks
from systems.view.layers import AROUND, THINGS, animals
from systems.view.looks import looks_of
from systems.view.ramps import Legend
from systems.view.seen import Drawn, Lives
from systems.view.tints import TINTS, coloured, tint


@dataclass
class Drawing:
    """The animals to draw, until the next tick or command.

    Attributes:
        drawn: their data; `drawn.rows`, int32 (n,), are their table rows.
        lives: what their poses depend on.
        legend: the meaning of the colours; None: each has the colour of its Look.
    """

    drawn: Drawn
    lives: Lives
    legend: Legend | None

    @property
    def rows(self) -> NDArray[np.int32]:
        """The table rows of the animals."""
        rows: NDArray[np.int32] = self.drawn.rows
        return rows

    def colours(self, chosen: Any = slice(None)) -> NDArray[np.uint32]:
        """Return the colours, 0xRRGGBB, of the animals at these indexes of `rows`."""
        own: NDArray[np.uint32] = self.drawn.look["colour"][self.rows[chosen]]
        return own if self.legend is None else coloured(own, self.drawn.codes[chosen], self.legend.ramp)


class Render(System):
    """Finds all entities with a Look that are not scenery."""

    phase = Phase.RENDER
    essential = True
    reads = (Position, Velocity, Motion, Flocker, Energy, Life, Look, *AROUND, *THINGS, Settings, Pipeline)
    writes = (Drawing, FollowedFlocks)
    colour: str = choice(*TINTS, default="species", help="what animals are coloured by")

    def run(self, world: World) -> None:
        table, rows = world.table, animals(world.table)
        codes, legend = tint(world, rows, TINTS.index(self.colour))
        records = (table.records(component) for component in (Position, Velocity, Look))
        clocks = table.clocks(Look, members=(Position, Velocity, *AROUND, *THINGS))
        looks, moves = looks_of(table, clocks), np.uint64(table.mask([Velocity]))
        drawn = Drawn._make((rows, *records, table.prefab, table.presence, moves, looks, codes, torus_of(world)))
        lives = table.serial, table.records(Motion), np.uint64(table.mask([Motion]))
        world.resources[Drawing] = Drawing(drawn, lives, legend)


def install(app: App) -> None:
    app.add_component(Position, Velocity, Motion, Flocker, Energy, Life, Look, *AROUND, *THINGS)
    app.add_system(Render)
