"""Separation, alignment and cohesion (Reynolds 1987), for many boids at once; their equations: docs/equations.md.

The input of the rules for up to BATCH boids is in one array, field after field: the loop over them has no branch, and
is vectorised.
"""

from __future__ import annotations

import numpy as np

from systems.engine.kernel import Function, inlined
from systems.exact.vector import length
from systems.flocking.prepared_rules import ALIGNMENT_DESIRES, COHESION_DESIRES, MEAN, SEPARATION_DESIRES

index = np.uint64
BATCH = 64  # boids
FIELDS = 33


def _field(number: int) -> np.uint64:
    """Return the index where a field begins in a batch."""
    return index(number * BATCH)


VX, VY, TOP_SPEED = (_field(n) for n in range(3))
"""The velocity and top speed of each boid, u/s."""

X, Y, ERROR = (_field(n) for n in range(3, 6))
"""The result for each boid: its acceleration, u/s², and an estimate of its rounding error."""

SEPARATION, ALIGNMENT, COHESION = (_field(n) for n in (6, 15, 24))
"""Where the fields of each rule begin; their offsets follow."""

SUM_X, SUM_Y, COUNT, SCALE, ROUNDING, STRENGTH, LIMIT, DESIRES, AVERAGES = (_field(n) for n in range(9))
"""The fields of a rule: the sums over the neighbours, in fixed point, and their number; the units in 1 of the sums, and
the rounding error of a term, in units; its strength and limit; and, as 1 or 0, whether it steers to a desired velocity,
and whether it uses the mean instead of the sum."""


@inlined
def put_rules(batch, k, rules, velocity_scale):
    """Set the fields of a boid that depend only on its rules, a record of dtype RULES."""
    manner = rules.manner
    _put_rule(batch, SEPARATION + k, rules.push_scale, rules.separation_strength, rules.separation_limit)
    batch[SEPARATION + DESIRES + k] = 1.0 if manner & SEPARATION_DESIRES else 0.0
    batch[SEPARATION + AVERAGES + k] = 1.0 if manner & MEAN else 0.0
    _put_rule(batch, ALIGNMENT + k, velocity_scale, rules.alignment_strength, rules.alignment_limit)
    batch[ALIGNMENT + DESIRES + k] = 1.0 if manner & ALIGNMENT_DESIRES else 0.0
    _put_rule(batch, COHESION + k, rules.cohesion_scale, rules.cohesion_strength, rules.cohesion_limit)
    batch[COHESION + DESIRES + k] = 1.0 if manner & COHESION_DESIRES else 0.0


@inlined
def _put_rule(batch, at, scale, strength, limit):
    batch[at + SCALE], batch[at + ROUNDING], batch[at + AVERAGES] = scale, 1.0, 1.0
    batch[at + STRENGTH], batch[at + LIMIT] = strength, limit


@inlined
def put_sums(batch, at, x, y, count):
    """Set the sums of a rule over the neighbours, and their number."""
    batch[at + SUM_X], batch[at + SUM_Y], batch[at + COUNT] = x, y, count


@inlined
def apply_rules(batch, count, limited):
    """Compute the accelerations of the first `count` boids of a batch.

    Args:
        batch: float64 (FIELDS * BATCH,).
        limited: whether any of their rules has a limit or steers to a desired velocity.
    """
    if limited:
        _apply_limited(batch, count)
    else:
        _apply_direct(batch, count)


def _applying(limited: bool) -> Function:
    @inlined
    def loop(batch, count):
        for k in range(index(0), index(count)):
            vx, vy = batch[VX + k], batch[VY + k]
            sx, sy, s_error = _rule(batch, k, SEPARATION, -1.0, 0.0, 0.0, limited)
            ax, ay, a_error = _rule(batch, k, ALIGNMENT, 1.0, vx, vy, limited)
            cx, cy, c_error = _rule(batch, k, COHESION, 1.0, 0.0, 0.0, limited)
            batch[X + k], batch[Y + k] = sx + ax + cx, sy + ay + cy
            batch[ERROR + k] = s_error + a_error + c_error

    return loop


_apply_limited, _apply_direct = _applying(True), _applying(False)


@inlined
def _rule(batch, k, rule, sign, from_x, from_y, limited):
    """Return the acceleration of one rule, and its error."""
    count = batch[rule + COUNT + k]
    strength = batch[rule + STRENGTH + k] if count > 0.0 else 0.0
    divisor = max(count, 1.0) if batch[rule + AVERAGES + k] > 0.0 else 1.0
    per = 1.0 / (batch[rule + SCALE + k] * divisor)
    mean_x, mean_y = sign * per * batch[rule + SUM_X + k], sign * per * batch[rule + SUM_Y + k]
    terms = count + 1.0 if sign < 0.0 else count
    error = per * (1.0 + 0.25 * terms) * batch[rule + ROUNDING + k]
    x, y = mean_x - from_x, mean_y - from_y
    if not limited:
        return strength * x, strength * y, strength * error
    vx, vy, top_speed = batch[VX + k], batch[VY + k], batch[TOP_SPEED + k]
    desires, size = batch[rule + DESIRES + k] > 0.0, length((mean_x, mean_y))
    ux, uy = (mean_x / size, mean_y / size) if size > 0.0 else (0.0, 0.0)
    x, y = strength * (top_speed * ux - vx if desires else x), strength * (top_speed * uy - vy if desires else y)
    error = top_speed * min(error / size, 2.0) if desires else error
    most, size = batch[rule + LIMIT + k], length((x, y))
    part = most / size if most > 0.0 and size > most else 1.0
    return x * part, y * part, strength * error
