"""Wind accelerates moving entities to the velocity of the air in their zones; the equations: docs/equations.md."""

from __future__ import annotations

from components.motion import Motion, Position, Velocity
from components.store.world import World
from components.wind import Wind
from systems.engine.app import App
from systems.engine.data import data_of
from systems.engine.rows import for_each_row
from systems.engine.settings import Settings
from systems.engine.system import PLACE, Phase, System
from systems.exact.vector import accelerate, read, scaled, sub, to_f64
from systems.space.air import air_at, air_of
from systems.space.noise import time_of


class WindDrag(System):
    """Accelerates entities in wind zones to the velocity of the air."""

    name = "wind"
    phase = Phase.STEER
    reads = (*PLACE, Velocity, Wind, Settings)
    adds = ("Motion.acceleration",)
    needs = (Position, Wind)

    def run(self, world: World) -> None:
        rows = world.table.rows(Position, Velocity, Motion)
        most = float(world.resource(Settings).tick_rate)
        _blow(rows, data_of(self, world), *air_of(world), time_of(world), most)


@for_each_row
def _blow(row, data, zones, circles, lattice, time, most):
    pull, carry = air_at(to_f64(read(data.position[row])), zones, circles, lattice, time)
    if pull > 0.0:
        share = min(most / pull, 1.0)
        own = to_f64(read(data.velocity[row]))
        accelerate(data.motion[row], scaled(sub(carry, scaled(own, pull)), share))


def install(app: App) -> None:
    app.add_component(Motion)
    app.add_system(WindDrag)
