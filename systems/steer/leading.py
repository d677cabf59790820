"""Leaders: flocking entities take on the velocity of their leaders, at any distance; see docs/equations.md."""

from __future__ import annotations

import numpy as np

from components.flock import Flocker
from components.guidance import Leader
from components.motion import Motion, Position, Velocity
from components.store.world import World
from systems.engine.app import App
from systems.engine.kernel import kernel
from systems.engine.rows import for_each_row
from systems.engine.system import Phase, System
from systems.exact.fixed_point import fixed

f32, f64, i64, u64 = np.float32, np.float64, np.int64, np.uint64
COUNT, PULL, CARRY_X, CARRY_Y = range(4)
PULL_SCALE = float(1 << 28)  # a million leaders with the strongest pull fit an int64 sum
CARRY_SCALE = float(1 << 16)  # and so do their pulls times the highest velocity


class Leading(System):
    """Steers flocking entities to the mean velocity of their prefab's leaders, or of all leaders if alignment mixes."""

    phase = Phase.STEER
    reads = (Velocity, Leader, "Flocker.alignment_mixes")
    adds = ("Motion.acceleration",)
    needs = (Velocity, Leader)

    def run(self, world: World) -> None:
        table = world.table
        leaders = table.rows(*self.needs)
        velocity = table.records(Velocity)
        sums = np.zeros((len(world.prefabs) + 1, 4), i64)
        _add_up(leaders, velocity, table.records(Leader), table.prefab, sums)
        rows = table.rows(Position, Velocity, Motion, Flocker)
        leads = u64(table.mask([Leader]))
        _lead(rows, velocity, table.records(Motion), table.records(Flocker), table.prefab, table.presence, leads, sums)


@kernel
def _add_up(leaders, velocity, leader, prefab, sums):
    """Sum up the leaders of each prefab, and of all in the last line: count, pull, and pull * velocity."""
    for row in leaders:
        pull = f64(leader[row].pull)
        for crowd in (i64(prefab[row]), i64(len(sums) - 1)):
            sums[crowd, COUNT] += 1
            sums[crowd, PULL] += fixed(pull, PULL_SCALE)
            sums[crowd, CARRY_X] += fixed(pull * f64(velocity[row].x), CARRY_SCALE)
            sums[crowd, CARRY_Y] += fixed(pull * f64(velocity[row].y), CARRY_SCALE)


@for_each_row
def _lead(row, velocity, motion, flocker, prefab, presence, leads, sums):
    crowd = len(sums) - 1 if flocker[row].alignment_mixes else i64(prefab[row])
    if sums[crowd, COUNT] == 0 or presence[row] & leads != 0:
        return
    share = 1.0 / f64(sums[crowd, COUNT])
    pull = f64(sums[crowd, PULL]) * (share / PULL_SCALE)
    x, y = f64(sums[crowd, CARRY_X]) * (share / CARRY_SCALE), f64(sums[crowd, CARRY_Y]) * (share / CARRY_SCALE)
    motion[row].acceleration_x += f32(x - pull * f64(velocity[row].x))
    motion[row].acceleration_y += f32(y - pull * f64(velocity[row].y))


def install(app: App) -> None:
    app.add_component(Position, Velocity, Motion, Flocker, Leader)
    app.add_system(Leading)
