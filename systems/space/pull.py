"""A pull to the middle of a circle."""

from __future__ import annotations

from systems.engine.kernel import inlined

CALM_SHARE, CALM = 0.05, 15.0  # of the radius; u: nearer than this a pull to the middle dies away


@inlined
def distance_of_pull(distance, radius):
    """By what a pull to the middle of a circle divides the way there: in the middle it dies away, so nobody jitters."""
    return max(distance, min(CALM_SHARE * radius, CALM))
