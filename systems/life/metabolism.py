"""Metabolism: animals burn energy, and grow older; see docs/equations.md, *Food and life*."""

from __future__ import annotations

import numpy as np

from components.life import Energy, Life
from components.motion import Motion, Velocity
from components.store.fields import AMOUNT_SCALE
from components.store.world import World
from systems.engine.app import App
from systems.engine.kernel import inlined
from systems.engine.ledger import Ledger
from systems.engine.rows import PARTS, for_each_part, for_each_row, part_of
from systems.engine.settings import Settings
from systems.engine.system import Phase, System
from systems.exact.amounts import elapsed, per_tick

f32, f64, i64 = np.float32, np.float64, np.int64
OLDEST = i64(Life.fields["age"].high * AMOUNT_SCALE)  # type: ignore[attr-defined]


class Metabolism(System):
    """Burns energy, and makes animals older."""

    phase = Phase.LIFE
    reads = (Velocity, "Motion.max_speed", "Energy.rest_burn", "Energy.speed_burn", Settings)
    writes = ("Energy.level", "Life.age")
    adds = (Ledger,)
    after = ("feeding",)

    def run(self, world: World) -> None:
        table, tick_rate = world.table, world.resource(Settings).tick_rate
        rows = table.rows(Energy)
        if len(rows):
            velocity, motion, energy = (table.records(c) for c in (Velocity, Motion, Energy))
            moves = np.uint64(table.mask([Velocity, Motion]))
            burned = np.zeros(PARTS, i64)
            _burn(rows, table.presence, moves, velocity, motion, energy, tick_rate, burned)
            world.resource(Ledger).burned += int(burned.sum())
        living = table.rows(Life)
        if len(living):
            _age(living, table.records(Life), i64(elapsed(world.tick, tick_rate)))


@for_each_part
def _burn(part, rows, presence, moves, velocity, motion, energy, tick_rate, burned):
    first, last = part_of(part, len(rows))
    for k in range(first, last):
        burned[part] += _burn_one(rows[k], presence, moves, velocity, motion, energy, tick_rate)


@inlined
def _burn_one(row, presence, moves, velocity, motion, energy, tick_rate):
    rate = f64(energy[row].rest_burn)
    if presence[row] & moves == moves and motion[row].max_speed > f32(0):
        vx, vy = f64(velocity[row].x), f64(velocity[row].y)
        rate += energy[row].speed_burn * min(np.sqrt(vx * vx + vy * vy) / motion[row].max_speed, 1.0)
    burned = min(per_tick(rate, tick_rate), energy[row].level)
    energy[row].level -= burned
    return burned


@for_each_row
def _age(row, life, time):
    life[row].age = min(life[row].age + time, OLDEST)


def install(app: App) -> None:
    app.add_component(Velocity, Motion, Energy, Life)
    app.add_system(Metabolism)
