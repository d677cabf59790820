"""The start of a tick: keep where everyone was, and take back what steering added a tick ago."""

from __future__ import annotations

from components.motion import Motion, Position
from components.store.world import World
from systems.core.install import App
from systems.core.pipeline import Phase, System


class Remember(System):
    """Keeps previous positions and sets the accelerations to zero."""

    phase = Phase.SENSE
    reads = ("Position.x", "Position.y")
    writes = ("Position.previous", "Motion.acceleration")

    def run(self, world: World) -> None:
        size, columns = world.table.size, world.table.columns
        for axis in ("x", "y"):
            columns[f"Position.previous.{axis}"][:size] = columns[f"Position.{axis}"][:size]
            columns[f"Motion.acceleration.{axis}"][:size] = 0


def install(app: App) -> None:
    app.add_component(Position, Motion)
    app.add_system(Remember())
