"""COMMIT: spawns and despawns asked for during the tick, and now and then rows back into spatial order."""

from __future__ import annotations

import numpy as np

from components.store.declare import integer
from components.store.table import EntityTable
from components.store.world import World
from systems.engine.app import App
from systems.engine.system import Phase, System
from systems.space.flock_grid import FlockGrid
from systems.space.grid import PADDING


class Commit(System):
    """Carries out what systems asked for; from SENSE on the only place where rows move.

    Boids drift through the world, so rows that are neighbours in memory part from each other in space; every
    `reorder_every` ticks the rows take the order of the grid again, and the kernels' reads are local. Nothing
    depends on the order of rows but speed. Who is born takes the row of one who died; where more die than are born
    the last rows move in. Boids take the last rows: so `table.rows` of others mostly stay as they are.
    """

    phase = Phase.COMMIT
    essential = True
    writes = (EntityTable, FlockGrid)
    reorder_every: int = integer(120, "ticks", 1, 1_000_000, "how often rows are put into spatial order")

    def run(self, world: World) -> None:
        flock = world.resources.pop(FlockGrid, None)  # it names rows, which move here
        if flock is not None and world.tick % self.reorder_every == 0:
            ordered = flock.grid.row[: len(flock.grid.row) - PADDING]
            if len(ordered) and int(ordered.max()) < world.table.size:
                rest = np.ones(world.table.size, bool)
                rest[ordered] = False
                world.reorder(np.concatenate([np.flatnonzero(rest), ordered]))
        world.commit()


def install(app: App) -> None:
    app.add_system(Commit)
