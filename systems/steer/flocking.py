"""Separation, alignment and cohesion of all who flock: how threads share out the work, and each one's candidates.

What the rules do with them stands in `rules.py`.
"""

from __future__ import annotations

import numpy as np

from components.flock import MOST_NEIGHBOURS, Flocker, Perception
from components.motion import Motion, Position, Velocity
from components.store.world import World
from systems.engine.app import App
from systems.engine.dealing import take
from systems.engine.kernel import inlined, outlined, parallel_kernel, prange, subroutine
from systems.engine.system import Phase, System
from systems.engine.threads import threads
from systems.exact.vector import ZERO
from systems.space.candidates import Pool, gather_around, gather_strip, room_for, strip_size
from systems.space.flock_grid import Boids, Flock, FlockGrid, sight
from systems.steer.rules import steer_by_rules

f32, i64 = np.float32, np.int64
SECTION = 96  # most cells of a line whose candidates are gathered together
NOTICEABLE = 5e-4  # of |a| + 1 u/s²: what rounding may misplace before sums are made exactly


class Flocking(System):
    """Keep apart, align, stay together."""

    phase = Phase.STEER
    reads = ("Position.x", "Position.y", Velocity, "Motion.max_speed", Perception, Flocker, FlockGrid)
    adds = ("Motion.acceleration",)

    def run(self, world: World) -> None:
        table = world.table
        velocity, motion, perception, flocker = (table.records(c) for c in (Velocity, Motion, Perception, Flocker))
        done = np.zeros(threads(), np.int64)
        _flock(*world.resource(FlockGrid), velocity, motion, perception, flocker, table.serial, done)


@parallel_kernel
def _flock(grid, mates, velocity, motion, perception, flocker, serial, done):
    for portion in prange(len(done)):
        boids = Boids(velocity, motion, perception, flocker, serial)
        _flock_portion(Flock(grid, mates, boids), portion, done)


@subroutine
def _flock_portion(flock, own, done):
    """Steer the boids of one's own portion, then those of the others' portions whom nobody has steered yet.

    A portion is sections that lie together, with about as many boids as any other: in most ticks its boids stay in the
    cache of one core. `done` counts the sections of each portion that were taken.
    """
    grid = flock.grid
    # Vector loops read on behind a cell's candidates. Off a torus a column must not come twice there, at both ends.
    width = SECTION if grid.torus_x > ZERO else min(SECTION, grid.columns - 2)
    per_line = (grid.columns + width - 1) // width
    for other in range(len(done)):
        portion = (own + other) % len(done)
        first, last = (
            _first_section(grid, width, per_line, portion, len(done)),
            _first_section(grid, width, per_line, portion + 1, len(done)),
        )
        section = first + take(done, portion)
        while section < last:
            line, column = section // per_line, section % per_line * width
            _flock_section(flock, line, column, min(column + width, grid.columns))
            section = first + take(done, portion)


@subroutine
def _first_section(grid, width, per_line, portion, portions):
    """The first section of a portion: before it stand `portion / portions` of all boids, or a few more."""
    boids, sections = grid.start[-1], grid.lines * per_line
    section = 0
    while section < sections:
        if grid.start[section // per_line * grid.columns + section % per_line * width] * portions >= portion * boids:
            break
        section += 1
    return section if portion < portions else sections


@subroutine
def _flock_section(flock, line, first, last):
    """Steer everyone in the cells [first, last) of a line."""
    grid, boids = flock.grid, flock.boids
    base = line * grid.columns
    if grid.start[base + first] == grid.start[base + last]:
        return
    far_sighted = False
    if flock.mates.far_sighted:
        for me in range(grid.start[base + first], grid.start[base + last]):
            far_sighted |= sight(grid.row[me], boids.perception, boids.flocker) > flock.mates.reach
    strip = room_for(strip_size(flock, line, first, last))
    far = room_for(len(grid.x) if far_sighted else 0)
    picked = room_for(MOST_NEIGHBOURS + 1)
    column_start = np.zeros(SECTION + 3, i64)
    gather_strip(flock, line, first, last, strip, column_start)
    for column in range(first, last):
        pool = Pool(strip, column_start[column - first], column_start[column - first + 3])
        for me in range(grid.start[base + column], grid.start[base + column + 1]):
            _flock_one(flock, me, pool, far, picked)


@inlined
def _flock_one(flock, me, pool, far, picked):
    """Steer one boid by the candidates of its cell, or by its own, put into `far`, if it sees farther."""
    row, boids = flock.grid.row[me], flock.boids
    if flock.mates.far_sighted:
        radius = sight(row, boids.perception, boids.flocker)
        if radius > flock.mates.reach:
            pool = Pool(far, i64(0), gather_around(flock, me, radius, far))
    x, y, error = steer_by_rules(flock, me, pool, picked, False)
    if error > NOTICEABLE * (1.0 + max(abs(x), abs(y))):
        x, y, _ = _exactly(flock, me, pool, picked)
    boids.motion[row].acceleration_x += f32(x)
    boids.motion[row].acceleration_y += f32(y)


@outlined
def _exactly(flock, me, pool, picked):
    """`steer_by_rules` for the few whose terms add up to so little that their rounding would be seen."""
    return steer_by_rules(flock, me, pool, picked, True)


def install(app: App) -> None:
    app.add_component(Position, Velocity, Motion, Perception, Flocker)
    app.add_system(Flocking)
