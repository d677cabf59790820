"""The start of a tick: store the positions as previous ones, and set the accelerations to zero."""

from __future__ import annotations

from components.motion import Motion, Position
from components.store.world import World
from systems.engine.app import App
from systems.engine.kernel import parallel_kernel, prange
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


@parallel_kernel
def _remember(placed, position, moving, motion):
    for k in prange(max(len(placed), len(moving))):
        if k < len(placed):
            here = position[placed[k]]
            here.previous_x, here.previous_y = here.x, here.y
        if k < len(moving):
            motion[moving[k]].acceleration_x = motion[moving[k]].acceleration_y = ZERO


def install(app: App) -> None:
    app.add_component(Position, Motion)
    app.add_system(Remember)
