"""Edges that steer: near the border of a "turn" world an acceleration points back inside."""

# mypy: allow-untyped-defs
# (numba finds out the types of kernels)

from __future__ import annotations

import numpy as np
from numba import prange

from components.motion import Motion, Position
from components.store.world import World
from systems.core.install import App
from systems.core.kernel import parallel_kernel
from systems.core.pipeline import Phase, System
from systems.core.settings import Settings


class Containment(System):
    """Steers back those who are within the margin of a "turn" edge, or beyond it."""

    phase = Phase.STEER
    reads = ("Position.x", "Position.y", Settings)
    adds = ("Motion.acceleration",)

    def run(self, world: World) -> None:
        settings = world.resource(Settings)
        if settings.edges != "turn":
            return
        table = world.table
        rows = table.rows(Position, Motion)
        across = np.array([settings.width, settings.height, settings.margin, settings.acceleration], np.float32)
        _turn(rows, table.bundle(Position), table.bundle(Motion), across)


@parallel_kernel
def _turn(rows, position, motion, across):
    width, height, margin, acceleration = across[0], across[1], across[2], across[3]
    for k in prange(len(rows)):
        row = rows[k]
        if position.x[row] < margin:
            motion.acceleration_x[row] += acceleration
        elif position.x[row] > width - margin:
            motion.acceleration_x[row] -= acceleration
        if position.y[row] < margin:
            motion.acceleration_y[row] += acceleration
        elif position.y[row] > height - margin:
            motion.acceleration_y[row] -= acceleration


def install(app: App) -> None:
    app.add_component(Position, Motion)
    app.add_system(Containment())
