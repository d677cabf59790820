"""Builds the spatial indexes of hunting: of predators, for prey that flees; of prey, for predators that pursue."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from components.flock import Flocker, Perception
from components.motion import Motion, Position, Velocity
from components.predation import Predator, Prey
from components.store.table import EntityTable
from components.store.world import World
from systems.engine.app import App
from systems.engine.cached import cached
from systems.engine.kernel import kernel
from systems.engine.rows import PORTIONS, for_each_portion, portion_of
from systems.engine.settings import Settings
from systems.engine.system import PLACE, Phase, System
from systems.exact.vector import ZERO
from systems.flocking.flock_grid import FlockGrid
from systems.flocking.rule_table import FLOCKING
from systems.space.capsule_index import circles_around
from systems.space.grid import build_grid
from systems.space.hunting import SLACK, Quarry, Threats
from systems.space.perception import BUCKETS, count_radius, no_radii

f32 = np.float32
PURSUER = (Position, Velocity, Motion, Perception, Predator)
PREY_PER_CELL = 2.0  # with fewer, visiting the additional cells costs more than it saves


class Hunters(System):
    """Builds the spatial indexes of predators and prey."""

    phase = Phase.SENSE
    essential = True
    after = ("spatial_hash",)
    reads = (*PLACE, Predator, Prey, "Perception.radius", Settings, FlockGrid)
    writes = (Threats, Quarry)

    def run(self, world: World) -> None:
        table, settings = world.table, world.resource(Settings)
        for resource in (Threats, Quarry):
            world.resources.pop(resource, None)
        if len(rows := table.rows_by_serial(Position, Predator)):
            clocks = table.clocks(Prey, membership=[Position])
            radius = _common_fear(table, clocks, settings.size)
            around = circles_around(table, rows, np.full(len(rows), radius, f32), SLACK, settings.torus)
            world.resources[Threats] = Threats(rows, radius, around)
        if len(table.rows(*PURSUER)):
            world.resources[Quarry] = Quarry(_prey_grid(world, settings))


def _prey_grid(world: World, settings: Settings) -> Any:
    """Return a grid of prey with cells of about half the usual perception radius, or larger ones if prey is sparse.

    If exactly the flocking animals are prey, and the cells of the flock's grid have a similar size, that is returned.
    """
    table = world.table
    flock: FlockGrid | None = world.resources.get(FlockGrid)
    rows = table.rows(Position, Prey)
    concerned = FLOCKING if flock else ()
    sight, is_flock = _usual_hunt(table, table.clocks(Perception, membership=(Prey, Predator, *concerned)))
    roomy = (PREY_PER_CELL * math.prod(settings.size) / max(len(rows), 1)) ** (1 / len(settings.size))
    side = max(0.5 * sight, min(roomy, 2.0 * sight))
    if is_flock and flock and 0.5 < side * flock.grid.per_x < 2.0:
        return flock.grid
    return build_grid(rows, table.vectors("Position"), side, settings.torus)


@cached
def _usual_hunt(table: EntityTable, clocks: tuple[int, ...]) -> tuple[float, bool]:
    """Return the median perception radius of predators that pursue, u, and whether exactly the flock is prey."""
    sights = np.sort(table.columns["Perception.radius"][table.rows(*PURSUER)])
    is_flock = Flocker in table.bit_of and np.array_equal(table.rows(Position, Prey), table.rows(*FLOCKING))
    return float(sights[len(sights) // 2]), is_flock


@cached
def _common_fear(table: EntityTable, clocks: tuple[int, ...], size: tuple[float, ...]) -> float:
    """Return the radius (u) of the circles in `Threats` with which prey checks the fewest predators in total.

    Prey with a fear radius up to this radius checks only the predators listed in its cell, estimated as the share
    (2 * radius)² / area of all predators, with depth (2 * radius)³ / volume. The other prey checks all predators.

    Args:
        size: of the world, u.
    """
    widest, counts = no_radii(PORTIONS)
    rows = table.rows(Position, Prey)
    _survey(rows, table.records(Prey), widest, counts)
    return float(_cheapest(widest, counts, len(rows), math.prod(size), len(size)))


@for_each_portion
def _survey(portion, rows, prey, widest, counts):
    first, last = portion_of(portion, len(rows))
    for k in range(first, last):
        fears = prey[rows[k]].fear > ZERO
        count_radius(widest, counts, portion, prey[rows[k]].fear_radius if fears else ZERO)


@kernel
def _cheapest(widest, counts, count, space, axes):
    radius, best, within, fewest = f32(0), f32(0), 0, np.inf
    for bucket in range(BUCKETS):
        for portion in range(PORTIONS):
            radius, within = max(radius, widest[portion, bucket]), within + counts[portion, bucket]
        looks = min((2.0 * radius) ** axes / space, 1.0) * within + (count - within)
        if looks < fewest:
            best, fewest = radius, looks
    return best


def install(app: App) -> None:
    app.add_component(Position, Velocity, Motion, Perception)
    app.add_system(Hunters)
