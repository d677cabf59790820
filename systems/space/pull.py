"""Attraction to the centre of a circle, without jitter at the centre."""

from __future__ import annotations

from systems.engine.kernel import inlined

CALM_SHARE, CALM = 0.05, 15.0  # share of the radius, and u: within both distances a pull decreases to 0 at the centre


@inlined
def distance_of_pull(distance, radius):
    """Return the divisor that turns the offset to the centre into the direction of the pull; bounded below, so that
    the pull decreases to 0 at the centre, and entities don't jitter there.
    """
    return max(distance, min(CALM_SHARE * radius, CALM))
