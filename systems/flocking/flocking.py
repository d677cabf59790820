"""Separation, alignment and cohesion of flocking entities: distributes the work to threads, and gathers candidates.

Then `rule_sums.py` sums over the neighbours of each boid, and `rules.py` computes accelerations of many boids at once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from components.flock import MOST_NEIGHBOURS, Flocker, Perception
from components.motion import Motion, Position, Velocity
from components.store.world import World
from systems.engine.app import App
from systems.engine.dealing import take
from systems.engine.kernel import inlined, outlined, parallel_kernel, prange, subroutine
from systems.engine.system import Phase, System
from systems.engine.threads import own_threads
from systems.exact.vector import ZERO
from systems.flocking.candidates import Candidates, Pool, gather_around, gather_strip, room_for, strip_size
from systems.flocking.flock_grid import Boids, Flock, FlockGrid
from systems.flocking.prepared_rules import GENERAL, LIMITED
from systems.flocking.rule_sums import add_up, add_up_plainly
from systems.flocking.rule_table import rule_table
from systems.flocking.rules import BATCH, ERROR, FIELDS, TOP_SPEED, VX, VY, X, Y, apply_rules, put_rules

f32, i64, index = np.float32, np.int64, np.uint64
SECTION = 96  # the most cells of a line whose candidates are gathered together
NOTICEABLE = 5e-4  # of |a| + 1 u/s²: with a larger rounding error, sums are computed exactly


class Flocking(System):
    """Keep apart, align, stay together."""

    phase = Phase.STEER
    reads = ("Position.x", "Position.y", Velocity, "Motion.max_speed", Perception, Flocker, FlockGrid)
    adds = ("Motion.acceleration",)

    def run(self, world: World) -> None:
        table = world.table
        velocity, motion, perception, flocker = (table.records(c) for c in (Velocity, Motion, Perception, Flocker))
        rules = rule_table(table)
        grid, mates = world.resource(FlockGrid)
        _flock(grid, mates, velocity, motion, perception, flocker, table.serial, rules.of, rules.rules, 0)


@parallel_kernel
def _flock(grid, mates, velocity, motion, perception, flocker, serial, rule_of, rules, portions):
    """Steer all boids in `portions` portions, or in one per thread if that is 0."""
    done = _nothing_done(portions if portions > 0 else own_threads())
    for portion in prange(len(done)):
        boids = Boids(velocity, motion, perception, flocker, serial, rule_of, rules)
        _flock_portion(Flock(grid, mates, boids), portion, done)


@subroutine
def _nothing_done(portions):
    return np.zeros(portions, i64)


@subroutine
def _flock_portion(flock, own, done):
    """Steer the boids of the own portion, then the remaining ones of the other portions.

    A portion consists of adjacent sections, so that its boids mostly stay in the cache of one core; all portions have
    about the same number of boids. `done` counts the sections of each portion that were taken.
    """
    grid = flock.grid
    # Vectorised loops read beyond a cell's candidates. Without a torus a strip must not have the same column twice.
    width = SECTION if grid.torus_x > ZERO else min(SECTION, grid.columns - 2)
    per_line = (grid.columns + width - 1) // width
    work = _workspace(flock)
    for other in range(len(done)):
        portion = (own + other) % len(done)
        first, last = (
            _first_section(grid, width, per_line, portion, len(done)),
            _first_section(grid, width, per_line, portion + 1, len(done)),
        )
        section = first + take(done, portion)
        while section < last:
            line, column = section // per_line, section % per_line * width
            _flock_section(flock, work, line, column, min(column + width, grid.columns))
            section = first + take(done, portion)


@subroutine
def _first_section(grid, width, per_line, portion, portions):
    """Return the first section of a portion: `portion / portions` of all boids, or a few more, come before it."""
    boids, sections = grid.start[-1], grid.lines * per_line
    section = 0
    while section < sections:
        if grid.start[section // per_line * grid.columns + section % per_line * width] * portions >= portion * boids:
            break
        section += 1
    return section if portion < portions else sections


class Workspace(NamedTuple):
    """The buffers of one thread.

    Attributes:
        column_start: where the candidates around a cell begin, see `gather_strip`.
        far: candidates of a boid that sees farther than a cell.
        picked: the nearest candidates of a boid.
        batch: the input of the rules for many boids; single: for one boid.
        column: int64 (BATCH,), the column of the section in which each boid of the batch is.
        rule: int64 (BATCH,), the index of the rules that the batch has at each place; -1: none.
    """

    column_start: NDArray[np.int64]
    far: Candidates
    picked: Candidates
    batch: NDArray[np.float64]
    single: NDArray[np.float64]
    column: NDArray[np.int64]
    rule: NDArray[np.int64]


@subroutine
def _workspace(flock):
    return Workspace(
        np.zeros(SECTION + 3, i64),
        room_for(len(flock.grid.row) if flock.mates.far_sighted else 0),
        room_for(MOST_NEIGHBOURS + 1),
        np.empty(FIELDS * BATCH),
        np.empty(FIELDS * BATCH),
        np.empty(BATCH, i64),
        np.full(BATCH, -1, i64),
    )


@subroutine
def _flock_section(flock, work, line, first, last):
    """Steer all boids in the cells [first, last) of a line."""
    grid = flock.grid
    cell = line * grid.columns + first
    begin, end = grid.start[cell], grid.start[cell + last - first]
    if begin == end:
        return
    strip = room_for(strip_size(flock, line, first, last))
    gather_strip(flock, line, first, last, strip, work.column_start)
    _flock_batches(flock, work, strip, cell, begin, end)


@inlined
def _flock_batches(flock, work, strip, cell, begin, end):
    """Steer the boids [begin, end) in the grid's order, BATCH at a time; the first one is in this cell."""
    column = 0
    for first in range(begin, end, BATCH):
        count = min(BATCH, end - first)
        limited = _take(flock, work, first, count)
        for k in range(count):
            while flock.grid.start[cell + column + 1] <= first + k:
                column += 1
            work.column[k] = column
            _add_up(flock, work, strip, first + k, index(k))
        apply_rules(work.batch, count, limited)
        _steer(flock, work, strip, first, count)


@inlined
def _take(flock, work, first, count):
    """Put the boids' own values and rules into the batch; return whether the rules of any are LIMITED."""
    boids, manners = flock.boids, 0
    for k in range(index(0), index(count)):
        row = flock.grid.row[index(first) + k]
        rules = boids.rules[boids.rule_of[row]]
        manners |= rules.manner
        if work.rule[k] != boids.rule_of[row]:
            work.rule[k] = boids.rule_of[row]
            put_rules(work.batch, k, rules, flock.mates.velocity_scale)
        work.batch[VX + k], work.batch[VY + k] = boids.velocity[row].x, boids.velocity[row].y
        work.batch[TOP_SPEED + k] = boids.motion[row].max_speed
    return (manners & LIMITED) != 0


@inlined
def _add_up(flock, work, strip, me, k):
    """Put the sums over the neighbours of one boid into the batch."""
    rules, column = flock.boids.rules[work.rule[k]], work.column[k]
    pool = Pool(strip, work.column_start[column], work.column_start[column + 3])
    if (rules.manner & GENERAL) == 0 and rules.sight <= flock.mates.reach:
        add_up_plainly(flock, me, rules, pool, work.batch, k)
    else:
        work.rule[k] = -1
        _add_up_generally(flock, work, strip, me, column, work.batch, k, False)


@outlined
def _add_up_generally(flock, work, strip, me, column, batch, k, exactly):
    """Call `add_up` for any boid; one that sees farther than a cell gets candidates of its own."""
    pool = Pool(strip, work.column_start[column], work.column_start[column + 3])
    sight = flock.boids.rules[flock.boids.rule_of[flock.grid.row[me]]].sight
    if sight > flock.mates.reach:
        pool = Pool(work.far, i64(0), gather_around(flock, me, sight, work.far))
    add_up(flock, me, pool, work.picked, batch, k, exactly)


@inlined
def _steer(flock, work, strip, first, count):
    """Add the accelerations of the batch to Motion."""
    batch = work.batch
    for k in range(index(0), index(count)):
        x, y, error = batch[X + k], batch[Y + k], batch[ERROR + k]
        if error > NOTICEABLE * (1.0 + max(abs(x), abs(y))):
            x, y = _exactly(flock, work, strip, first + i64(k), k)
        row = flock.grid.row[index(first) + k]
        flock.boids.motion[row].acceleration_x += f32(x)
        flock.boids.motion[row].acceleration_y += f32(y)


@outlined
def _exactly(flock, work, strip, me, k):
    """Return a boid's acceleration from exact sums, for the few whose sums are too small for the usual rounding."""
    single = work.single
    for field in (VX, VY, TOP_SPEED):
        single[field] = work.batch[field + k]
    _add_up_generally(flock, work, strip, me, work.column[k], single, index(0), True)
    apply_rules(single, index(1), True)
    return single[X], single[Y]


def install(app: App) -> None:
    app.add_component(Position, Velocity, Motion, Perception, Flocker)
    app.add_system(Flocking)
