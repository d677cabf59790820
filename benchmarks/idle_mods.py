"""Measures the time that an enabled mod adds to a tick while no entity uses it.

    .venv/bin/python benchmarks/idle_mods.py [boids]

The mod's systems are enabled and disabled every ten ticks of the standard flock. Prints JSON, microseconds for each
example mod: `own`, the median time of its systems; `added`, the difference of the median times of all systems except
the busy ones (next to milliseconds of flocking, 20 microseconds could not be measured).
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from statistics import median

from sandbox.mods.load.together import mods_from
from sandbox.mods.run.upgrade import UseMods
from sandbox.standard_flock import SETTLE, standard_flock

MODS = Path(__file__).parents[1] / "mods"
NAMES = ("magnet", "couzin", "vicsek", "evolution")
TICKS, BLOCK = 3000, 10
BUSY = {"spatial_hash", "remember", "flocking", "movement", "wrap", "commit"}


def added(name: str, boids: int) -> dict[str, float]:
    with standard_flock(boids) as simulation:
        before = set(simulation.pipeline.by_name)
        simulation.submit(UseMods(mods_from([MODS / name]).loaded))
        simulation.step(SETTLE)
        systems = [system for system in simulation.pipeline.systems if system.name not in BUSY]
        own = [system for system in systems if system.name not in before]
        taken: dict[bool, list[int]] = {True: [], False: []}
        taken_by_own = []
        for tick in range(TICKS):
            on = bool(tick // BLOCK % 2)
            for system in systems:
                system.nanoseconds = 0
                if system in own:
                    system.enabled = on
            simulation.step()
            taken[on].append(sum(system.nanoseconds for system in systems))
            if on:
                taken_by_own.append(sum(system.nanoseconds for system in own))
        return {
            "own": round(median(taken_by_own) / 1000, 1),
            "added": round((median(taken[True]) - median(taken[False])) / 1000, 1),
        }


if __name__ == "__main__":
    boids = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    print(json.dumps({name: added(name, boids) for name in NAMES}))
