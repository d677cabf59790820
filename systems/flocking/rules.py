"""Separation, alignment and cohesion (Reynolds 1987), for many boids at once; their equations: docs/equations.md.

The input of the rules for up to BATCH boids is in one array, field after field: the loop over them has no branch, and
is vectorised.
"""

from __future__ import annotations

import numpy as np

from systems.engine.kernel import Function, inlined
from systems.exact.vector import add, filled, length, limited, scaled, sub, unit
from systems.flocking.prepared_rules import ALIGNMENT_DESIRES, COHESION_DESIRES, MEAN, SEPARATION_DESIRES

u64 = np.uint64
BATCH = 64  # boids
FIELDS = 33


def _field(number: int) -> np.uint64:
    """Return the index where a field begins in a batch."""
    return u64(number * BATCH)


NEXT, THIRD = _field(1), _field(FIELDS)  # from the first element of a vector to the others

VELOCITY, TOP_SPEED = _field(0), _field(2)
"""The velocity and top speed of each boid, u/s."""

ACCELERATION, ERROR = _field(3), _field(5)
"""The result for each boid: its acceleration, u/s², and an estimate of its rounding error."""

SEPARATION, ALIGNMENT, COHESION = (_field(n) for n in (6, 15, 24))
"""Where the fields of each rule begin; its fields follow."""

SUM, COUNT, SCALE, ROUNDING, STRENGTH, LIMIT, DESIRES, AVERAGES = (_field(n) for n in (0, 2, 3, 4, 5, 6, 7, 8))
"""The fields of a rule: the sum over the neighbours, in fixed point, and their number; the units in 1 of the sum, and
the rounding error of a term, in units; its strength and limit; and, as 1 or 0, whether it steers to a desired velocity,
and whether it uses the mean instead of the sum."""


@inlined
def fields_of(like):
    """Return the number of fields of a batch: with depth, the third elements of vectors follow in FIELDS more."""
    return FIELDS if len(like) == 2 else 2 * FIELDS


@inlined
def vector_at(batch, at, like):
    """Return a vector, of which each element is a field; `like`: any vector with as many elements."""
    if len(like) == 2:
        return batch[at], batch[at + NEXT]
    return batch[at], batch[at + NEXT], batch[at + THIRD]


@inlined
def set_vector(batch, at, a):
    batch[at], batch[at + NEXT] = a[0], a[1]
    if len(a) == 3:
        batch[at + THIRD] = a[2]


@inlined
def put_rules(batch, k, rules, velocity_scale):
    """Set the fields of a boid that depend only on its rules, an element of dtype RULES."""
    flags = rules.flags
    _put_rule(batch, SEPARATION + k, rules.push_scale, rules.separation_strength, rules.separation_limit)
    batch[SEPARATION + DESIRES + k] = 1.0 if flags & SEPARATION_DESIRES else 0.0
    batch[SEPARATION + AVERAGES + k] = 1.0 if flags & MEAN else 0.0
    _put_rule(batch, ALIGNMENT + k, velocity_scale, rules.alignment_strength, rules.alignment_limit)
    batch[ALIGNMENT + DESIRES + k] = 1.0 if flags & ALIGNMENT_DESIRES else 0.0
    _put_rule(batch, COHESION + k, rules.cohesion_scale, rules.cohesion_strength, rules.cohesion_limit)
    batch[COHESION + DESIRES + k] = 1.0 if flags & COHESION_DESIRES else 0.0


@inlined
def _put_rule(batch, at, scale, strength, limit):
    batch[at + SCALE], batch[at + ROUNDING], batch[at + AVERAGES] = scale, 1.0, 1.0
    batch[at + STRENGTH], batch[at + LIMIT] = strength, limit


@inlined
def put_sum(batch, at, sums, count):
    """Set the sum of a rule over the neighbours, a vector, and their number."""
    set_vector(batch, at + SUM, sums)
    batch[at + COUNT] = count


@inlined
def apply_rules(batch, count, like, any_limited):
    """Compute the accelerations of the first `count` boids of a batch.

    Args:
        batch: float64 (`fields_of(like)` * BATCH,).
        like: any vector with as many elements as the boids' velocities.
        any_limited: whether any of their rules has a limit or steers to a desired velocity.
    """
    if any_limited:
        _apply_limited(batch, count, like)
    else:
        _apply_direct(batch, count, like)


def _applying(any_limited: bool) -> Function:
    @inlined
    def loop(batch, count, like):
        for k in range(u64(0), u64(count)):
            velocity = vector_at(batch, VELOCITY + k, like)
            rest = filled(velocity, 0.0)
            push, push_error = _rule(batch, k, SEPARATION, -1.0, rest, any_limited)
            turn, turn_error = _rule(batch, k, ALIGNMENT, 1.0, velocity, any_limited)
            pull, pull_error = _rule(batch, k, COHESION, 1.0, rest, any_limited)
            set_vector(batch, ACCELERATION + k, add(add(push, turn), pull))
            batch[ERROR + k] = push_error + turn_error + pull_error

    return loop


_apply_limited, _apply_direct = _applying(True), _applying(False)


@inlined
def _rule(batch, k, rule, sign, origin, any_limited):
    """Return the acceleration of one rule, and its error."""
    count = batch[rule + COUNT + k]
    strength = batch[rule + STRENGTH + k] if count > 0.0 else 0.0
    divisor = max(count, 1.0) if batch[rule + AVERAGES + k] > 0.0 else 1.0
    per = 1.0 / (batch[rule + SCALE + k] * divisor)
    mean = scaled(vector_at(batch, rule + SUM + k, origin), sign * per)
    terms = count + 1.0 if sign < 0.0 else count
    error = per * (1.0 + 0.25 * terms) * batch[rule + ROUNDING + k]
    direct = sub(mean, origin)
    if not any_limited:
        return scaled(direct, strength), strength * error
    top_speed, desires = batch[TOP_SPEED + k], batch[rule + DESIRES + k] > 0.0
    desired = sub(scaled(unit(mean), top_speed), vector_at(batch, VELOCITY + k, origin))
    error = top_speed * min(error / length(mean), 2.0) if desires else error
    return limited(scaled(desired if desires else direct, strength), batch[rule + LIMIT + k]), strength * error
