"""Attraction to the centre of a circle, without jitter at the centre."""

from __future__ import annotations

from systems.engine.kernel import inlined

CALM_SHARE, CALM = 0.05, 15.0  # share of the radius, and u: within both distances a pull decreases to 0 at the centre


@inlined
def distance_of_pull(distance, radius):
    """Return the divisor of the offset to the centre: the distance, bounded below so that entities don't jitter."""
    return max(distance, min(CALM_SHARE * radius, CALM))
