"""Begins a tick: stores the positions as previous ones, and sets the accelerations to zero.

From the previous positions follow collisions and the pictures between two ticks; to the accelerations STEER adds.
"""

from __future__ import annotations

from components.motion import Motion, Position
from components.store.world import World
from systems.engine.app import App
from systems.engine.data import data_of
from systems.engine.rows import for_each_portion, portion_of
from systems.engine.system import PLACE, Phase, System
from systems.exact.vector import ZERO, filled, put_acceleration, put_previous, read, read_acceleration


class Remember(System):
    """Stores the positions as previous ones and sets the accelerations to zero."""

    phase = Phase.SENSE
    essential = True
    reads = PLACE
    writes = ("Position.previous", "Motion.acceleration")

    def run(self, world: World) -> None:
        table, data = world.table, data_of(self, world)
        _remember(table.rows(Position), data.position, table.rows(Motion), data.motion)


@for_each_portion
def _remember(portion, placed, position, moving, motion):
    first, last = portion_of(portion, len(placed))
    for k in range(first, last):
        here = position[placed[k]]
        put_previous(here, read(here))
    first, last = portion_of(portion, len(moving))
    for k in range(first, last):
        own = motion[moving[k]]
        put_acceleration(own, filled(read_acceleration(own), ZERO))


def install(app: App) -> None:
    app.add_component(Position, Motion)
    app.add_system(Remember)
