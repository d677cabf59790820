"""What the rules of flocking add up over those seen, in the fixed point that suits it: rounded, or exactly.

Sums of terms that fit an int32 are quick, and fine enough for all but a few boids: the rules say by how much rounding
may have misplaced their result.
"""

from __future__ import annotations

import numpy as np

from components.flock import CONSTANT, DISTANCE, INVERSE, SMOOTH
from systems.engine.kernel import inlined, outlined
from systems.exact.vector import ZERO
from systems.space.exact_sums import VELOCITY_SCALE, exact_scale, fixed, sum_exactly
from systems.space.flock_grid import COUNT, POSITION_SCALE, SUM_U, SUM_V, SUM_X, SUM_Y
from systems.space.neighbourhood import Scales, Sums, Weights, scale_for, sum_curved, sum_seen

f32, f64, i64 = np.float32, np.float64, np.int64
NEARLY_ONE = f32(0.9999)  # what scale_for is told of unit terms: BLOCK of them leave room for rounding up
FINE = float(1 << 20)  # how much finer than their scale the sums of `sum_curved` are


@inlined
def steepest(falloff, radius):
    """The most that separation multiplies a unit vector with, float32; of a unit vector itself a little less than 1."""
    return radius if falloff == DISTANCE else f32(1000) / radius if falloff == INVERSE else NEARLY_ONE


@inlined
def rounded_sums(mates, pool, viewer, radii, falloff):
    """The `Sums` over those seen, in terms that fit an int32, and their `Scales`."""
    r_s, curved = radii.separation, falloff in (INVERSE, SMOOTH)
    scale_c, scale_s = scale_for(radii.cohesion), scale_for(NEARLY_ONE if curved else steepest(falloff, r_s))
    per_unit = ZERO if falloff == DISTANCE else scale_s
    per_offset = scale_s if falloff == DISTANCE else ZERO if falloff == CONSTANT else -scale_s / r_s
    sums = sum_seen(pool, viewer, radii, Weights(scale_c, per_unit, per_offset))
    scales = Scales(mates.velocity_scale, f64(scale_c), f64(scale_s), 1.0)
    if curved and r_s > ZERO and sums.separated > 1:
        scale_s = scale_for(steepest(falloff, r_s))
        x, y = sum_curved(pool, viewer, r_s, scale_s, falloff == INVERSE)
        sums = Sums(
            sums.aligned, sums.cohering, sums.separated, sums.coincident, sums.u, sums.v, sums.x, sums.y, x, y
        )  # fmt: skip
        # Their terms are no finer than float32.
        push_error = FINE / 64 if falloff == INVERSE else FINE
        scales = Scales(scales.velocity, scales.offset, f64(scale_s) * FINE, push_error)
    return sums, scales


@inlined
def exact_sums(flock, pool, viewer, radii, falloff):
    """The `Sums` over those seen, in terms that take an int64, and their `Scales`."""
    push_scale = exact_scale(steepest(falloff, radii.separation))
    scales = Scales(VELOCITY_SCALE, exact_scale(radii.cohesion), push_scale, 0.0)
    return sum_exactly(flock, pool, viewer, radii, scales, falloff), scales


@inlined
def all_but_one(flock, me, mover, sums, exactly):
    """`Sums` without the one who looks."""
    u, v = i64(flock.mates.u[me]), i64(flock.mates.v[me])
    if exactly:
        u, v = fixed(mover.vx, VELOCITY_SCALE), fixed(mover.vy, VELOCITY_SCALE)
    return Sums(
        sums.aligned - 1, sums.cohering - 1, sums.separated - 1, sums.coincident - 1,
        sums.u - u, sums.v - v, sums.x, sums.y, sums.push_x, sums.push_y,
    )  # fmt: skip


@outlined
def crowd_but_one(flock, me, crowd, mover):
    """The `Sums` of alignment and cohesion over a whole crowd without the one who looks."""
    crowds, grid = flock.mates.crowds, flock.grid
    members = crowds[crowd, COUNT]
    return Sums(
        members - 1, members - 1, i64(0), i64(0),
        crowds[crowd, SUM_U] - fixed(mover.vx, VELOCITY_SCALE),
        crowds[crowd, SUM_V] - fixed(mover.vy, VELOCITY_SCALE),
        crowds[crowd, SUM_X] - members * fixed(grid.x[me], POSITION_SCALE),
        crowds[crowd, SUM_Y] - members * fixed(grid.y[me], POSITION_SCALE),
        i64(0), i64(0),
    )  # fmt: skip
