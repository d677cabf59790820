"""Leaders: flocking entities take on the velocity of their leaders, at any distance; see docs/equations.md.

A leader's velocity is another one in every tick, and each entity of a flock may be a leader: a kernel sums them up.
"""

from __future__ import annotations

import numpy as np

from components.flock import Flocker
from components.guidance import Leader
from components.motion import Motion, Position, Velocity
from components.store.world import World
from systems.engine.app import App
from systems.engine.data import data_of
from systems.engine.kernel import kernel
from systems.engine.rows import for_each_row
from systems.engine.system import Phase, System
from systems.exact.fixed_point import fixed, fixed_vector
from systems.exact.vector import accelerate, add_element, element, read, scaled, sub, to_f64

f64, i64, u64 = np.float64, np.int64, np.uint64
PULL_SCALE = float(1 << 28)  # a million leaders with the strongest pull fit an int64 sum
CARRY_SCALE = float(1 << 16)  # and so do their pulls times the highest velocity


class Leading(System):
    """Steers flocking entities to the mean velocity of their prefab's leaders, or of all leaders if alignment mixes."""

    phase = Phase.STEER
    reads = (Velocity, Leader, "Flocker.alignment_mixes")
    adds = ("Motion.acceleration",)
    needs = (Velocity, Leader)

    def run(self, world: World) -> None:
        table, data = world.table, data_of(self, world)
        crowds = len(world.prefabs) + 1
        count, pull = np.zeros(crowds, i64), np.zeros(crowds, i64)
        carry = tuple(np.zeros((len(table.vectors("Velocity")), crowds), i64))
        _sum_of_leaders(table.rows(*self.needs), data, count, pull, carry)
        rows = table.rows(Position, Velocity, Motion, Flocker)
        _lead(rows, data, u64(table.mask([Leader])), count, pull, carry)


@kernel
def _sum_of_leaders(leaders, data, count, pull, carry):
    """Sum up the leaders of each prefab, and of all in the last element: count, pull, and pull * velocity."""
    for row in leaders:
        its_pull = f64(data.leader[row].pull)
        its_carry = fixed_vector(scaled(to_f64(read(data.velocity[row])), its_pull), CARRY_SCALE)
        for crowd in (i64(data.prefab[row]), i64(len(count) - 1)):
            count[crowd] += 1
            pull[crowd] += fixed(its_pull, PULL_SCALE)
            add_element(carry, crowd, its_carry)


@for_each_row
def _lead(row, data, leads, count, pull, carry):
    crowd = len(count) - 1 if data.flocker[row].alignment_mixes else i64(data.prefab[row])
    if count[crowd] == 0 or data.presence[row] & leads != 0:
        return
    share = 1.0 / f64(count[crowd])
    mean_pull = f64(pull[crowd]) * (share / PULL_SCALE)
    mean_carry = scaled(to_f64(element(carry, crowd)), share / CARRY_SCALE)
    accelerate(data.motion[row], sub(mean_carry, scaled(to_f64(read(data.velocity[row])), mean_pull)))


def install(app: App) -> None:
    app.add_component(Position, Motion, Flocker)
    app.add_system(Leading)
