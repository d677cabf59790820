"""Sums in int64, for the few whose neighbours add up to less than the fixed point of the common sums can tell.

Two mates that push from both sides, a slow flock in a world where one is very fast: what is left when large terms
cancel may be finer than the rounding of the terms. Integers of 64 bits hold it, and no order of terms matters either.
"""

from __future__ import annotations

import numpy as np

from components.flock import CONSTANT, DISTANCE, INVERSE, LINEAR
from systems.engine.kernel import inlined, outlined
from systems.exact.vector import ZERO
from systems.space.neighbourhood import Sums, is_seen, scale_for, squared

f64, i64 = np.float64, np.int64
VELOCITY_SCALE = float(1 << 28)  # a million velocities of at most 1e4 u/s fit an int64 sum


@inlined
def fixed(value, scale):
    """A value as an integer of units 1 / scale, int64; scale is a float64."""
    return i64(np.floor(f64(value) * scale + 0.5))


@inlined
def exact_scale(most):
    """The power of two by which a million terms, none above `most` (float32), still fit an int64 sum."""
    return f64(scale_for(most)) * (1 << 18)


@outlined
def sum_exactly(flock, pool, viewer, radii, scales, falloff):
    """The `Sums` of `sum_seen` once more, term by term, where its fixed point is too coarse for what they add up to.

    Every term is made in float64 and rounded to the units of `scales`, which suit an int64 sum.
    """
    found, velocity = pool.found, flock.boids.velocity
    r2_a, r2_c, r2_s = squared(radii)
    n_a, n_c, n_s, n_0 = i64(0), i64(0), i64(0), i64(0)
    u, v, gx, gy, sx, sy = i64(0), i64(0), i64(0), i64(0), i64(0), i64(0)
    for k in range(pool.first, pool.last):
        dx, dy = found.x[k] - viewer.x, found.y[k] - viewer.y
        d2 = dx * dx + dy * dy
        if not is_seen(viewer, found.kind[k], dx, dy, d2):
            continue
        if d2 < r2_a:
            row = flock.grid.row[found.who[k]]
            n_a += 1
            u += fixed(velocity[row].x, scales.velocity)
            v += fixed(velocity[row].y, scales.velocity)
        if d2 < r2_c:
            n_c += 1
            gx += fixed(dx, scales.offset)
            gy += fixed(dy, scales.offset)
        if d2 < r2_s:
            n_s += 1
            n_0 += d2 == ZERO
            d = np.sqrt(f64(dx) * f64(dx) + f64(dy) * f64(dy))
            weight = strength_at(d, f64(radii.separation), falloff) / d if d2 > ZERO else 0.0
            sx += fixed(dx, weight * scales.push)
            sy += fixed(dy, weight * scales.push)
    return Sums(n_a, n_c, n_s, n_0, u, v, gx, gy, sx, sy)


@inlined
def strength_at(d, r, falloff):
    """g(d), float64: how hard separation pushes at a distance."""
    if falloff == CONSTANT:
        return 1.0
    if falloff == LINEAR:
        return 1.0 - d / r
    if falloff == INVERSE:
        return 1.0 / max(d, r / 1000.0)
    return d if falloff == DISTANCE else (1.0 - d / r * (d / r)) * (1.0 - d / r * (d / r))
