"""Measures the cost of mods' systems with their guard.

    .venv/bin/python benchmarks/mods.py

Prints JSON, the least processor time of many runs on one thread: for a plain system that steers 1,000 boids by their
handles, the milliseconds of its run and of a tick of the whole world; for a kernel that adds to the acceleration of
100,000, the milliseconds of its run, and the guard's part of them; for a system that returns at once in a world of
100,000, the microseconds. For each example mod, in a scene of its own and in one with 100,000 entities at the same
density, the milliseconds of a tick, and what the guards of its systems add to it. For couzin and magnet, which look at
all others or at all magnets, only the first.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import esper

from components.motion import Motion, Position, Velocity
from components.store.world import World
from sandbox.design.scene import Entry, Scene
from sandbox.mods.find.fault import Fault
from sandbox.mods.load.together import mods_from
from sandbox.mods.run.guard import Guard
from sandbox.opening import load
from sandbox.simulation import Simulation
from systems.engine.data import data_of
from systems.engine.kernel import kernel
from systems.engine.settings import Settings
from systems.engine.system import Phase, System
from systems.engine.threads import exactly
from systems.exact.vector import accelerate, read, scaled, sub

RUNS = 300
MODS = Path(__file__).parents[1] / "mods"
MANY = 100_000
EXAMPLES = {
    "couzin": "couzin-torus",
    "evolution": "evolution",
    "ink": "ink",
    "magnet": "magnets",
    "vicsek": "vicsek",
}  # a scene of each mod
ALL_PAIRS = "couzin", "magnet"


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
    """Return the least processor time of many calls."""
    do()
    found = []
    for _ in range(RUNS):
        begin = time.thread_time_ns()
        do()
        found.append(time.thread_time_ns() - begin)
    return min(found)


def crowd(boids: int) -> Simulation:
    scene = load("murmuration").scene
    return Simulation(replace(scene, entries=[Entry("boid", boids)]))


def plain() -> dict[str, float]:
    with crowd(1000) as simulation:
        system = guarded(Plain())
        simulation.world.enter()
        esper.add_processor(system, priority=-20)
        tick = nanoseconds(simulation.step)
        return {
            "plain_1000_ms": round(nanoseconds(lambda: system.process(simulation.world)) / 1e6, 2),
            "plain_1000_tick_ms": round(tick / 1e6, 2),
        }


def records() -> dict[str, float]:
    with crowd(100_000) as simulation:
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


def example(mod: str, many: int = 0) -> dict[str, float]:
    """Measure a tick of the mod's scene, and what its guards add; `many`: with about so many entities."""
    scene = load(MODS / mod / "scenes" / f"{EXAMPLES[mod]}.toml", mods=mods_from([MODS / mod])).scene
    with Simulation(scaled_up(scene, many) if many else scene) as simulation:
        simulation.step(20)
        tick, world = nanoseconds(simulation.step), simulation.world
        world.begin_tick()
        added = 0.0
        for system in (each for each in simulation.mods.systems([mod]) if each.phase is not Phase.MEASURE):
            guard = system.guard
            whole = nanoseconds(lambda system=system: system.process(world))  # type: ignore[misc]
            system.guard = None
            added += whole - nanoseconds(lambda system=system: system.process(world))  # type: ignore[misc]
            system.guard = guard
        return {"entities": world.table.size, "tick_ms": round(tick / 1e6, 3), "guard_ms": round(added / 1e6, 3)}


def scaled_up(scene: Scene, entities: int) -> Scene:
    """Return the scene with more entities in its crowds, in a larger world."""
    times = entities / sum(entry.population for entry in scene.entries if entry.is_crowd)
    entries = [replace(each, count=round(each.count * times)) if each.is_crowd else each for each in scene.entries]
    settings = Settings()
    settings.stored = {**scene.settings.stored}
    settings.width, settings.height = scene.settings.width * times**0.5, scene.settings.height * times**0.5
    return replace(scene, entries=entries, settings=settings)


if __name__ == "__main__":
    with exactly(1):
        print(json.dumps(plain() | records()), flush=True)
        for mod in EXAMPLES:
            sizes = [0] if mod in ALL_PAIRS else [0, MANY]
            print(json.dumps({mod: [example(mod, many) for many in sizes]}), flush=True)
