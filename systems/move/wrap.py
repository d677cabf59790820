"""Wraps positions at the edges of a "wrap" world: entities that leave at one side enter at the other."""

from __future__ import annotations

from components.motion import Position
from components.store.world import World
from systems.engine.app import App
from systems.engine.data import data_of
from systems.engine.rows import for_each_row
from systems.engine.settings import Settings
from systems.engine.system import PLACE, Phase, System
from systems.exact.vector import put, read
from systems.space.torus import torus_of, wrapped


class Wrap(System):
    """Wraps positions at the edges of a “wrap” world; last, so that moves are straight lines for earlier systems."""

    phase = Phase.MOVE
    after = ("movement", "bounce")
    reads = (Settings,)
    writes = PLACE
    needs = (Position,)

    def applies(self, world: World) -> bool:
        return world.resource(Settings).torus is not None

    def run(self, world: World) -> None:
        _wrap(world.table.rows(*self.needs), data_of(self, world).position, torus_of(world))


@for_each_row
def _wrap(row, position, torus):
    put(position[row], wrapped(read(position[row]), torus))


def install(app: App) -> None:
    app.add_system(Wrap)
