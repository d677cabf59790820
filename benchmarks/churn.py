"""Measures the cost of births and deaths: the standard flock without them, and with 2 % replaced per second.

    .venv/bin/python benchmarks/churn.py [--boids 100000] [--ticks 10] [--rounds 60]

Both are measured in turn in one process. Prints JSON: medians in ms per tick, and the median of the ratios of pairs,
which is valid even if the machine's speed drifts. In each tick with churn the same number of random boids die and have
young. The time for choosing them is excluded, and so is the first tick of each round, after which indexes are rebuilt.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time

import esper
import numpy as np

from components.store.world import World
from sandbox.simulation import Simulation
from sandbox.standard_flock import SETTLE, standard_flock
from systems.engine.system import Phase, System
from systems.life.lifecycle import give_birth
from systems.space.neighbour_lists import by_serial

SHARE = 0.02  # of the flock, in a second
TICKS_PER_SECOND = 60


class Churn(System):
    """Removes some boids, and lets the same number of others have young, so that there are always `boids`."""

    phase = Phase.LIFE

    def __init__(self, boids: int) -> None:
        super().__init__()
        self.boids, self.count = boids, round(SHARE * boids / TICKS_PER_SECOND)
        self.random = np.random.default_rng(1)
        self.choosing = 0  # ns, for choosing boids: excluded from the result

    def run(self, world: World) -> None:
        table, begin = world.table, time.perf_counter_ns()
        dying = self.random.integers(0, table.size, self.count)
        parents = self.random.integers(0, table.size, self.boids - table.size + len(np.unique(dying)))
        self.choosing += time.perf_counter_ns() - begin
        world.despawn_rows(dying)
        give_birth(world, by_serial(world, parents))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--boids", type=int, default=100_000)
    parser.add_argument("--ticks", type=int, default=10, help="in each round (default 10)")
    parser.add_argument("--rounds", type=int, default=60, help="of each kind (default 60)")
    options = parser.parse_args()
    simulation = standard_flock(options.boids)
    world = simulation.world
    churn = Churn(options.boids)
    commit = simulation.pipeline.by_name["commit"]
    world.enter()
    esper.add_processor(churn, priority=commit.priority + 1)
    simulation.step(SETTLE)
    still, busy = [], []
    for _ in range(options.rounds):
        churn.enabled = False
        simulation.step()
        still.append(milliseconds(simulation, options.ticks))
        churn.enabled = True
        simulation.step()
        churn.choosing = 0
        busy.append(milliseconds(simulation, options.ticks) - churn.choosing / 1e6 / options.ticks)
    result = {
        "boids": options.boids,
        "born_and_dead_per_tick": churn.count,
        "ms_per_tick": round(statistics.median(still), 3),
        "ms_per_tick_with_churn": round(statistics.median(busy), 3),
        "ratio": round(statistics.median(b / a for a, b in zip(still, busy)), 3),
    }
    print(json.dumps(result))


def milliseconds(simulation: Simulation, ticks: int) -> float:
    """Return the time per tick."""
    begin = time.perf_counter_ns()
    simulation.step(ticks)
    return (time.perf_counter_ns() - begin) / 1e6 / ticks


if __name__ == "__main__":
    main()
