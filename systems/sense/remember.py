"""Begins a tick: stores the positions as previous ones, and sets the accelerations to zero."""

from __future__ import annotations

from components.motion import Motion, Position
from components.store.world import World
from systems.engine.app import App
from systems.engine.data import data_of
from systems.engine.rows import for_each_part, part_of
from systems.engine.system import Phase, System
from systems.exact.vector import ZERO, filled, put_acceleration, put_previous, read, read_acceleration


class Remember(System):
    """Stores the positions as previous ones and sets the accelerations to zero."""

    phase = Phase.SENSE
    essential = True
    reads = ("Position.x", "Position.y")
    writes = ("Position.previous", "Motion.acceleration")

    def run(self, world: World) -> None:
        table = world.table
        _remember(table.rows(Position), table.rows(Motion), data_of(self, world))


@for_each_part
def _remember(part, placed, moving, data):
    first, last = part_of(part, len(placed))
    for k in range(first, last):
        position = data.position[placed[k]]
        put_previous(position, read(position))
    first, last = part_of(part, len(moving))
    for k in range(first, last):
        motion = data.motion[moving[k]]
        put_acceleration(motion, filled(read_acceleration(motion), ZERO))


def install(app: App) -> None:
    app.add_component(Position, Motion)
    app.add_system(Remember)
