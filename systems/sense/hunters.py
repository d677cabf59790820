"""The indexes of hunting: predators for those who fear them, prey for those who pursue it. Without predators none."""

# mypy: allow-untyped-defs
# (numba finds out the types of kernels)

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from components.flock import Perception
from components.motion import Motion, Position, Velocity
from components.predation import Predator, Prey
from components.store.table import EntityTable
from components.store.world import World
from systems.engine.app import App
from systems.engine.kernel import inlined, parallel_kernel, prange
from systems.engine.pipeline import Phase, System
from systems.engine.settings import Settings
from systems.space.grid import Grid, build_grid
from systems.space.hunting import Quarry, Threats, index_around, predators

f32, i32, i64 = np.float32, np.int32, np.int64
PARTS = 16  # of a survey, made side by side
BUCKETS = 64  # quarter octaves of the fear radius, from 2**-4 u
PREY_PER_CELL = 2.0  # emptier cells cost more to visit than they spare


class Hunters(System):
    """Notes where predators and prey are."""

    phase = Phase.SENSE
    essential = True
    reads = ("Position.x", "Position.y", Predator, Prey, "Perception.radius", Settings)
    writes = (Threats, Quarry)

    def run(self, world: World) -> None:
        table, settings = world.table, world.resource(Settings)
        for index in (Threats, Quarry):
            world.resources.pop(index, None)
        rows = predators(table)
        if not len(rows):
            return
        near = _common_fear(table, settings)
        world.resources[Threats] = Threats(rows, near, index_around(table, rows, near, settings))
        pursuers = table.rows(Position, Velocity, Motion, Perception, Predator)
        if len(pursuers):
            world.resources[Quarry] = Quarry(_prey_grid(table, settings, pursuers))


def _prey_grid(table: EntityTable, settings: Settings, pursuers: NDArray[np.int32]) -> Grid:
    """Prey by cells of half a usual sight, unless hardly anyone would be in them."""
    rows = table.rows(Position, Prey)
    sight = float(np.median(table.columns["Perception.radius"][pursuers]))
    roomy = (PREY_PER_CELL * settings.width * settings.height / max(len(rows), 1)) ** 0.5
    side = max(0.5 * sight, min(roomy, 2.0 * sight))
    return build_grid(rows, table.columns["Position.x"], table.columns["Position.y"], side, settings.torus)


def _common_fear(table: EntityTable, settings: Settings) -> np.float32:
    """The radius of an index for which all prey together look at the fewest predators.

    Those who are afraid within it find some of the predators in their cell, the others look at all of them.
    """
    rows = table.rows(Position, Prey)
    widest, members = np.zeros((PARTS, BUCKETS), f32), np.zeros((PARTS, BUCKETS), i64)
    _survey(rows, table.records(Prey), widest, members)
    radius, count = np.maximum.accumulate(widest.max(axis=0)), members.sum(axis=0)
    found = np.minimum(4.0 * radius.astype(float) ** 2 / (settings.width * settings.height), 1.0)
    looks = found * count.cumsum() + (count.sum() - count.cumsum())
    return f32(radius[np.argmin(looks)])


@parallel_kernel
def _survey(rows, prey, widest, members):
    """By part and bucket of the fear radius: the widest one, and how many have one."""
    for part in prange(PARTS):
        for k in range(len(rows) * part // PARTS, len(rows) * (part + 1) // PARTS):
            _note(prey[rows[k]].fear_radius, part, widest, members)


@inlined
def _note(radius, part, widest, members):
    quarter = (f32(radius).view(np.int32) >> i32(21)) - (123 << 2)
    bucket = min(max(quarter, 0), BUCKETS - 1)
    widest[part, bucket] = max(widest[part, bucket], radius)
    members[part, bucket] += 1


def install(app: App) -> None:
    app.add_component(Position, Velocity, Motion, Perception, Predator, Prey)
    app.add_system(Hunters)
