"""Metabolism: animals burn energy, and grow older; see docs/equations.md, *Food and life*."""

from __future__ import annotations

import numpy as np

from components.life import Energy, Life
from components.motion import Motion, Velocity
from components.store.fields import AMOUNT_SCALE
from components.store.world import World
from systems.engine.app import App
from systems.engine.data import data_of
from systems.engine.kernel import inlined
from systems.engine.ledger import Ledger
from systems.engine.rows import PORTIONS, for_each_portion, for_each_row, portion_of
from systems.engine.settings import Settings
from systems.engine.system import Phase, System
from systems.exact.fixed_point import elapsed, per_tick
from systems.exact.vector import ZERO, length, read, to_f64

f64, i64 = np.float64, np.int64
OLDEST = i64(Life.fields["age"].high * AMOUNT_SCALE)  # type: ignore[attr-defined]


class Metabolism(System):
    """Burns energy, and makes animals older."""

    phase = Phase.LIFE
    reads = (Velocity, "Motion.max_speed", "Energy.rest_burn", "Energy.speed_burn", Settings)
    writes = ("Energy.level", "Life.age")
    adds = (Ledger,)
    after = ("feeding",)

    def applies(self, world: World) -> bool:
        return any(len(world.table.rows(component)) for component in (Energy, Life))

    def run(self, world: World) -> None:
        table, data, tick_rate = world.table, data_of(self, world), world.resource(Settings).tick_rate
        if len(rows := table.rows(Energy)):
            burned = np.zeros(PORTIONS, i64)
            _burn(rows, data, np.uint64(table.mask([Velocity, Motion])), tick_rate, burned)
            world.resource(Ledger).burned += int(burned.sum())
        if len(rows := table.rows(Life)):
            _age(rows, data, i64(elapsed(world.tick, tick_rate)))


@for_each_portion
def _burn(portion, rows, data, moves, tick_rate, burned):
    first, last = portion_of(portion, len(rows))
    for k in range(first, last):
        burned[portion] += _burn_one(rows[k], data, moves, tick_rate)


@inlined
def _burn_one(row, data, moves, tick_rate):
    """Burn energy of one animal, and return how much; `moves` are the presence bits of Velocity and Motion."""
    energy = data.energy[row]
    rate = f64(energy.rest_burn)
    if data.presence[row] & moves == moves and data.motion[row].max_speed > ZERO:
        rate += energy.speed_burn * min(length(to_f64(read(data.velocity[row]))) / data.motion[row].max_speed, 1.0)
    burned = min(per_tick(rate, tick_rate), energy.level)
    energy.level -= burned
    return burned


@for_each_row
def _age(row, data, time):
    data.life[row].age = min(data.life[row].age + time, OLDEST)


def install(app: App) -> None:
    app.add_component(Motion, Energy, Life)
    app.add_system(Metabolism)
