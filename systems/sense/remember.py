"""Begins a tick: stores the positions as previous ones, and sets the accelerations to zero."""

from __future__ import annotations

from components.motion import Motion, Position
from components.store.world import World
from systems.engine.app import App
from systems.engine.rows import for_each_part, part_of
from systems.engine.system import Phase, System
from systems.exact.vector import ZERO


class Remember(System):
    """Stores the positions as previous ones and sets the accelerations to zero."""

    phase = Phase.SENSE
    essential = True
    reads = ("Position.x", "Position.y")
    writes = ("Position.previous", "Motion.acceleration")

    def run(self, world: World) -> None:
        table = world.table
        _remember(table.rows(Position), table.records(Position), table.rows(Motion), table.records(Motion))


@for_each_part
def _remember(part, placed, position, moving, motion):
    first, last = part_of(part, len(placed))
    for k in range(first, last):
        row = placed[k]
        position[row].previous_x, position[row].previous_y = position[row].x, position[row].y
    first, last = part_of(part, len(moving))
    for k in range(first, last):
        motion[moving[k]].acceleration_x = motion[moving[k]].acceleration_y = ZERO


def install(app: App) -> None:
    app.add_component(Position, Motion)
    app.add_system(Remember)
