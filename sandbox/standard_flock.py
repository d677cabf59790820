"""The standard flock: a fixed benchmark, so that measured speeds can be compared; any other world is timed like it."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from components.flock import Flocker, Perception
from components.store.prefab import Prefab
from components.store.world import World
from sandbox.design.scene import Entry, Scene
from sandbox.simulation import Simulation
from systems.engine.settings import Settings
from systems.exact.random import random_units
from systems.flocking.neighbours import rule_neighbours

SETTLE = 100  # ticks before the clock starts
RADIUS = 50.0
NEIGHBOURS = 16
SAMPLE = 1000  # boids whose neighbours are counted
VARIED = (
    "Motion.min_speed",
    "Motion.max_speed",
    "Perception.radius",
    "Flocker.separation_radius",
    "Flocker.separation_strength",
    "Flocker.alignment_strength",
    "Flocker.cohesion_strength",
)


@dataclass(frozen=True)
class Result:
    """The result of one benchmark: times in ms, and the mean number of neighbours of those that flock, at the end.

    Attributes:
        boids: the number of entities.
    """

    boids: int
    ticks: int
    rich: bool
    ms_per_tick: float
    ms_per_system: dict[str, float]
    neighbours: float


def standard_flock(boids: int, *, depth: bool = False, rich: bool = False) -> Simulation:
    """Make boids all over a square torus: each sees all round, with 16 neighbours on average within radius 50 at start.

    `depth`: in a cubic torus instead.
    `rich`: two prefabs that don't mix, a field of view of 300 degrees, and every speed, radius and strength drawn for
    each boid, uniformly between 0.8 and 1.2 times the usual value.
    """
    if depth:
        roomy = math.cbrt(boids * 4 / 3 * math.pi * RADIUS**3 / NEIGHBOURS)
    else:
        roomy = math.sqrt(boids * math.pi * RADIUS**2 / NEIGHBOURS)
    side = max(math.floor(roomy / RADIUS), 3) * RADIUS
    boid: dict[str, dict[str, Any]] = {name: {} for name in ("Position", "Velocity", "Flocker", "Look")}
    boid |= {"Motion": {"min_speed": 50.0, "max_speed": 150.0}, "Perception": {"fov": 300.0 if rich else 360.0}}
    kinds = ("boid", "other") if rich else ("boid",)
    scene = Scene(
        seed=1,
        settings=Settings(width=side, height=side, depth=side if depth else 0),
        prefabs={name: Prefab(name, boid) for name in kinds},
        entries=[Entry(name, boids // len(kinds) + (n < boids % len(kinds))) for n, name in enumerate(kinds)],
    )
    simulation = Simulation(scene)
    if rich:
        _vary(simulation.world)
    return simulation


def _vary(world: World) -> None:
    table = world.table
    for stream, key in enumerate(VARIED):
        factors = 0.8 + 0.4 * random_units(world.seed, table.serial[: table.size], stream)
        table.write(key, slice(table.size), table.columns[key][: table.size] * factors.astype(np.float32))


def run(simulation: Simulation, ticks: int, *, rich: bool = False) -> Result:
    """Let a world settle, then time `ticks` ticks."""
    simulation.step(SETTLE)
    for system in simulation.pipeline.systems:
        system.nanoseconds = 0
    begin = time.perf_counter_ns()
    simulation.step(ticks)
    spent = time.perf_counter_ns() - begin
    by_system = {s.name: s.nanoseconds / 1e6 / ticks for s in simulation.pipeline.systems if s.nanoseconds}
    size = simulation.world.table.size
    return Result(size, ticks, rich, spent / 1e6 / ticks, by_system, _mean_neighbours(simulation))


def _mean_neighbours(simulation: Simulation) -> float:
    world = simulation.world
    rows = world.table.rows(Perception, Flocker)
    some = rows[np.linspace(0, len(rows) - 1, min(SAMPLE, len(rows))).astype(int)]
    return sum(len(rule_neighbours(world, int(row), "cohesion")) for row in some) / max(len(some), 1)
