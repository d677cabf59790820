"""Measures the cost of mods' systems with their guard.

    .venv/bin/python benchmarks/mods.py

Prints JSON, medians: for a plain system that steers 1,000 boids by their handles, the milliseconds of its run and the
ticks per second of the whole world; for a kernel that adds to the acceleration of 100,000, the milliseconds of its run,
and the guard's part of them; for a system that returns at once in a world of 100,000, the microseconds.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

import esper

from components.motion import Motion, Position, Velocity
from components.store.world import World
from sandbox.design.scene import Entry
from sandbox.mods.find.fault import Fault
from sandbox.mods.run.guard import Guard
from sandbox.opening import load
from sandbox.simulation import Simulation
from systems.engine.data import data_of
from systems.engine.kernel import kernel
from systems.engine.system import Phase, System
from systems.exact.vector import accelerate, read, scaled, sub

RUNS = 300


class Plain(System):
    """Pulls all boids to the centre, one by one."""

    phase = Phase.STEER
    reads = (Position,)
    writes = (Velocity,)

    def run(self, world: World) -> None:
        for _, (position, velocity) in esper.get_components(Position, Velocity):
            velocity.x += (640 - position.x) * 0.001
            velocity.y += (360 - position.y) * 0.001


class Records(System):
    """Pulls all boids to the centre, all at once."""

    phase = Phase.STEER
    reads = (Position,)
    adds = ("Motion.acceleration",)

    def run(self, world: World) -> None:
        draw(world.table.rows(Position, Motion), data_of(self, world))


@kernel
def draw(rows: Any, data: Any) -> None:
    for row in rows:
        accelerate(data.motion[row], scaled(sub((640.0, 360.0), read(data.position[row])), 0.1))


class Idle(System):
    """Does nothing."""

    phase = Phase.STEER

    def run(self, world: World) -> None:
        return


def stop(world: World, system: System, fault: Fault) -> None:
    raise SystemExit(fault.sentence)


def guarded(system: System) -> System:
    system.guard = Guard("benchmark", Path(__file__).parent, stop)
    return system


def nanoseconds(do: Callable[[], object]) -> float:
    """Return the median time of many calls."""
    do()
    found = []
    for _ in range(RUNS):
        begin = time.perf_counter_ns()
        do()
        found.append(time.perf_counter_ns() - begin)
    return median(found)


def population(boids: int) -> Simulation:
    scene = load("murmuration").scene
    return Simulation(replace(scene, entries=[Entry("boid", boids)]))


def plain() -> dict[str, float]:
    with population(1000) as simulation:
        system = guarded(Plain())
        simulation.world.enter()
        esper.add_processor(system, priority=-20)
        tick = nanoseconds(simulation.step)
        return {
            "plain_1000_ms": round(nanoseconds(lambda: system.process(simulation.world)) / 1e6, 2),
            "plain_1000_ticks_per_s": round(1e9 / tick),
        }


def records() -> dict[str, float]:
    with population(100_000) as simulation:
        world = simulation.world
        world.begin_tick()
        bare = nanoseconds(lambda: Records().process(world))
        system, idle = guarded(Records()), guarded(Idle())
        whole = nanoseconds(lambda: system.process(world))
        return {
            "kernel_100000_ms": round(whole / 1e6, 3),
            "kernel_100000_guard_ms": round((whole - bare) / 1e6, 3),
            "idle_100000_us": round(nanoseconds(lambda: idle.process(world)) / 1e3, 1),
        }


if __name__ == "__main__":
    print(json.dumps(plain() | records()))
