"""The bounds of positions and velocities, and the edges of a "bounce" world."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from components.motion import Position, Velocity
from systems.engine.kernel import inlined
from systems.engine.settings import Settings
from systems.exact.vector import ZERO

FARTHEST = float(Position.fields["x"].high)  # type: ignore[attr-defined]  # u
FASTEST = float(Velocity.fields["x"].high)  # type: ignore[attr-defined]  # u/s


class Box(NamedTuple):
    """The box that entities can't leave, u: float32 values, so that rounding does not lead out of it."""

    left: float
    bottom: float
    right: float
    top: float


def box_of(settings: Settings) -> Box:
    """Return the box of a world; infinite for a torus."""
    if settings.edges == "bounce":
        return Box(0.0, 0.0, settings.width, settings.height)
    far = np.inf if settings.edges == "wrap" else FARTHEST
    return Box(-far, -far, far, far)


@inlined
def lowest_of(box):
    """Return the lowest corner of a box."""
    return box.left, box.bottom


@inlined
def highest_of(box):
    """Return the highest corner of a box."""
    return box.right, box.top


@inlined
def within(a, most):
    """Clamp each component of a vector to ±most; NaN, whose bits differ between machines, becomes 0."""
    if len(a) == 2:
        return within_along(a[0], most), within_along(a[1], most)
    return within_along(a[0], most), within_along(a[1], most), within_along(a[2], most)


@inlined
def within_along(value, most):
    """Clamp a number to ±most; return 0 for NaN."""
    if -most <= value <= most:
        return value
    return most if value > most else -most if value < -most else ZERO
