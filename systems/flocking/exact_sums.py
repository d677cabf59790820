"""Sums in int64, for the few boids whose sums are too small for the precision of the usual fixed point.

Examples: two neighbours that push from both sides; a slow flock in a world with one very fast boid. If large terms
cancel, the rest may be smaller than the rounding of the terms. int64 is precise enough, and independent of the order
of terms too.
"""

from __future__ import annotations

import numpy as np

from components.flock import CONSTANT, DISTANCE, INVERSE, LINEAR
from systems.engine.kernel import inlined, outlined
from systems.exact.fixed_point import fixed
from systems.exact.vector import ZERO
from systems.flocking.neighbourhood import Sums, is_seen, squared

f64, i64 = np.float64, np.int64


@outlined
def sum_exactly(flock, pool, viewer, radii, scales, falloff):
    """Compute the `Sums` of `sum_seen` again, term by term, if its fixed point is too coarse for the result.

    Each term is computed in float64 and rounded to the units of `scales`, which are chosen for int64 sums.
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
    """Return g(d), float64: the strength of separation at a distance."""
    if falloff == CONSTANT:
        return 1.0
    if falloff == LINEAR:
        return 1.0 - d / r
    if falloff == INVERSE:
        return 1.0 / max(d, r / 1000.0)
    return d if falloff == DISTANCE else (1.0 - d / r * (d / r)) * (1.0 - d / r * (d / r))
