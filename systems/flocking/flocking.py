"""Separation, alignment and cohesion of flocking entities: distributes the work to threads, and gathers candidates.

Then `rule_sums.py` sums over the neighbours of each boid, and `rules.py` computes accelerations of many boids at once.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from components.flock import MOST_NEIGHBOURS, Flocker, Perception
from components.motion import Velocity
from components.store.world import World
from systems.engine.app import App
from systems.engine.data import data_of
from systems.engine.dealing import take
from systems.engine.kernel import inlined, outlined, parallel_kernel, prange, subroutine
from systems.engine.system import PLACE, Phase, System
from systems.engine.threads import own_threads
from systems.exact.vector import ZERO, accelerate, largest, read
from systems.flocking.candidates import (
    Section,
    Slice,
    gather_around,
    gather_section,
    room_for,
    section_size,
)
from systems.flocking.flock_grid import Flock, FlockGrid
from systems.flocking.prepared_rules import GENERAL, LIMITED
from systems.flocking.rule_sums import sum_generally, sum_simply
from systems.flocking.rule_table import rule_table
from systems.flocking.rules import (
    ACCELERATION,
    BATCH,
    ERROR,
    TOP_SPEED,
    VELOCITY,
    apply_rules,
    fields_of,
    put_rules,
    set_vector,
    vector_at,
)
from systems.space.axis import torus_in

i64, u64 = np.int64, np.uint64
MOST_CELLS = 96  # of a section
NOTICEABLE = 5e-4  # of |a| + 1 u/s²: with a larger rounding error, sums are computed finely


class Flocking(System):
    """Keep apart, align, stay together."""

    phase = Phase.STEER
    reads = (*PLACE, Velocity, "Motion.max_speed", Perception, Flocker, FlockGrid)
    adds = ("Motion.acceleration",)

    def run(self, world: World) -> None:
        rules = rule_table(world.table)
        _flock(*world.resource(FlockGrid), data_of(self, world), rules.of, rules.rules)


@parallel_kernel
def _flock(grid, mates, data, rule_of, rules):
    """Steer all boids, in one portion per thread."""
    done = _nothing_done(own_threads())
    for portion in prange(len(done)):
        _flock_portion(Flock(grid, mates, data, rule_of, rules), portion, done)


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
    # Vectorised loops read beyond a cell's candidates. Without a torus a section must not have the same cells twice.
    width = MOST_CELLS if grid.torus_x > ZERO else min(MOST_CELLS, grid.stored_x - 2)
    per_line = (grid.stored_x + width - 1) // width
    work = _workspace(flock)
    for other in range(len(done)):
        portion = (own + other) % len(done)
        first, last = (
            _first_section(grid, width, per_line, portion, len(done)),
            _first_section(grid, width, per_line, portion + 1, len(done)),
        )
        number = first + take(done, portion)
        while number < last:
            line, x = number // per_line, number % per_line * width
            _flock_section(flock, work, Section(line, x, min(x + width, grid.stored_x)))
            number = first + take(done, portion)


@subroutine
def _first_section(grid, width, per_line, portion, portions):
    """Return the first section of a portion: `portion / portions` of all boids, or a few more, come before it."""
    boids, sections = grid.start[-1], (len(grid.start) - 1) // grid.stored_x * per_line
    section = 0
    while section < sections:
        if grid.start[section // per_line * grid.stored_x + section % per_line * width] * portions >= portion * boids:
            break
        section += 1
    return section if portion < portions else sections


Workspace = namedtuple("Workspace", "begins far picked batch single cell rule")
"""The buffers of one thread.

Attributes:
    begins: where the candidates around a cell begin, see `gather_section`.
    far: candidates of a boid that sees farther than a cell.
    picked: the nearest candidates of a boid.
    batch: the input of the rules for many boids; single: for one boid.
    cell: int64 (BATCH,), the cell of the section in which each boid of the batch is.
    rule: int64 (BATCH,), the index of the rules that the batch has at each index; -1: none.
"""


@subroutine
def _workspace(flock):
    torus = torus_in(flock.grid)
    size = fields_of(torus) * BATCH
    return Workspace(
        np.zeros(MOST_CELLS + 3, i64),
        room_for(len(flock.grid.which) if flock.mates.far_sighted else 0, torus),
        room_for(MOST_NEIGHBOURS + 1, torus),
        np.empty(size),
        np.empty(size),
        np.empty(BATCH, i64),
        np.full(BATCH, -1, i64),
    )


@subroutine
def _flock_section(flock, work, section):
    """Steer all boids in the cells of a section."""
    grid = flock.grid
    cell = section.line * grid.stored_x + section.first
    if grid.start[cell] == grid.start[cell + section.last - section.first]:
        return
    candidates = room_for(section_size(flock, section), torus_in(grid))
    gather_section(flock, section, candidates, work.begins)
    _flock_batches(flock, work, candidates, section)


@inlined
def _flock_batches(flock, work, candidates, section):
    """Steer the boids of a section, BATCH at a time."""
    start, begin = flock.grid.start, section.line * flock.grid.stored_x + section.first
    end, cell = start[begin + section.last - section.first], 0
    for first in range(start[begin], end, BATCH):
        count = min(BATCH, end - first)
        any_limited = _begin_batch(flock, work, first, count)
        for k in range(count):
            while start[begin + cell + 1] <= first + k:
                cell += 1
            work.cell[k] = cell
            _sum_neighbours(flock, work, candidates, first + k, u64(k))
        apply_rules(work.batch, count, torus_in(flock.grid), any_limited)
        _steer(flock, work, candidates, first, count)


@inlined
def _begin_batch(flock, work, first, count):
    """Put the boids' own values and rules into the batch; return whether the rules of any are LIMITED."""
    data, flags = flock.data, 0
    for k in range(u64(0), u64(count)):
        row = flock.grid.which[u64(first) + k]
        rule = flock.rule_of[row]
        rules = flock.rules[rule]
        flags |= rules.flags
        if work.rule[k] != rule:
            work.rule[k] = rule
            put_rules(work.batch, k, rules, flock.mates.velocity_scale)
        set_vector(work.batch, VELOCITY + k, read(data.velocity[row]))
        work.batch[TOP_SPEED + k] = data.motion[row].max_speed
    return (flags & LIMITED) != 0


@inlined
def _sum_neighbours(flock, work, candidates, me, k):
    """Put the sums over the neighbours of one boid into the batch."""
    rules, cell = flock.rules[work.rule[k]], work.cell[k]
    if (rules.flags & GENERAL) == 0 and rules.widest <= flock.mates.cell_radius:
        near = Slice(candidates, work.begins[cell], work.begins[cell + 3])
        sum_simply(flock, me, rules, near, work.batch, k)
    else:
        work.rule[k] = -1
        _sum_any(flock, work, candidates, me, cell, work.batch, k, False)


@outlined
def _sum_any(flock, work, candidates, me, cell, batch, k, finely):
    """Call `sum_generally` for any boid; one that sees farther than a cell gets candidates of its own."""
    near = Slice(candidates, work.begins[cell], work.begins[cell + 3])
    widest = flock.rules[flock.rule_of[flock.grid.which[me]]].widest
    if widest > flock.mates.cell_radius:
        near = Slice(work.far, i64(0), gather_around(flock, me, widest, work.far))
    sum_generally(flock, me, near, work.picked, batch, k, finely)


@inlined
def _steer(flock, work, candidates, first, count):
    """Add the accelerations of the batch to Motion."""
    batch, torus = work.batch, torus_in(flock.grid)
    for k in range(u64(0), u64(count)):
        acceleration = vector_at(batch, ACCELERATION + k, torus)
        if batch[ERROR + k] > NOTICEABLE * (1.0 + largest(acceleration)):
            acceleration = _finely(flock, work, candidates, first + i64(k), k)
        accelerate(flock.data.motion[flock.grid.which[u64(first) + k]], acceleration)


@outlined
def _finely(flock, work, candidates, me, k):
    """Return a boid's acceleration from fine sums, for the few whose sums are too small for the usual rounding."""
    single, torus = work.single, torus_in(flock.grid)
    set_vector(single, VELOCITY, vector_at(work.batch, VELOCITY + k, torus))
    single[TOP_SPEED] = work.batch[TOP_SPEED + k]
    _sum_any(flock, work, candidates, me, work.cell[k], single, u64(0), True)
    apply_rules(single, u64(1), torus, True)
    return vector_at(single, ACCELERATION, torus)


def install(app: App) -> None:
    app.add_system(Flocking)
