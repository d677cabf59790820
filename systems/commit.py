"""COMMIT: carries out the spawns and despawns queued in the tick, and now and then puts rows into spatial order."""

from __future__ import annotations

import numpy as np

from components.store.declare import integer
from components.store.table import EntityTable
from components.store.world import World
from systems.engine.app import App
from systems.engine.events import Events, carry_out
from systems.engine.pipeline import Pipeline
from systems.engine.system import Phase, System
from systems.flocking.flock_grid import FlockGrid
from systems.space.grid import PADDING
from systems.space.obstacles import AllFree, keep_all_free


class Commit(System):
    """Carries out the changes that systems requested; from SENSE on, rows move only here.

    Boids drift through the world, so adjacent rows become distant in space. Every `reorder_every` ticks rows are sorted
    into the order of the grid again, which makes the kernels' reads local. Only speed depends on the order of rows. New
    entities take the rows of dead ones; if more die than are born, the last rows fill the gaps. Boids get the last
    rows, so that `table.rows` of other entities mostly stay the same.
    """

    phase = Phase.COMMIT
    essential = True
    reads = (Pipeline,)
    writes = (EntityTable, FlockGrid, Events, AllFree)
    reorder_every: int = integer(120, "ticks", 1, 1_000_000, "how often rows are put into spatial order")

    def run(self, world: World) -> None:
        keep_all_free(world)
        flock = world.resources.pop(FlockGrid, None)  # it contains row numbers, which change here
        if flock is not None and world.tick % self.reorder_every == 0:
            ordered = flock.grid.which[: len(flock.grid.which) - PADDING]
            if len(ordered) and int(ordered.max()) < world.table.size:
                rest = np.ones(world.table.size, bool)
                rest[ordered] = False
                world.reorder(np.concatenate([np.flatnonzero(rest), ordered]))
        carry_out(world)


def install(app: App) -> None:
    app.add_system(Commit)
