"""The bounds of positions and velocities, and the box that entities can't leave: the edges of a "bounce" world."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from components.motion import Position, Velocity
from systems.engine.kernel import inlined
from systems.engine.settings import Settings
from systems.exact.vector import ZERO, on_each_axis

FARTHEST = float(Position.fields["x"].high)  # type: ignore[attr-defined]  # u
FASTEST = float(Velocity.fields["x"].high)  # type: ignore[attr-defined]  # u/s


class Box(NamedTuple):
    """The box that entities can't leave, u: float32 values, so that rounding does not lead out of it."""

    left: float
    bottom: float
    right: float
    top: float


ENDLESS = Box(-np.inf, -np.inf, np.inf, np.inf)
OPEN = Box(-FARTHEST, -FARTHEST, FARTHEST, FARTHEST)


def box_of(settings: Settings) -> Box:
    """Return the box of a world; infinite for a torus."""
    if settings.torus:
        return ENDLESS
    return Box(0.0, 0.0, settings.width, settings.height) if settings.edges == "bounce" else OPEN


@inlined
def lowest_of(box):
    """Return the lowest corner of a box."""
    return box.left, box.bottom


@inlined
def highest_of(box):
    """Return the highest corner of a box."""
    return box.right, box.top


@on_each_axis
def within(a, most):
    """Clamp each element of a vector to ±most; NaN, whose bits differ between machines, becomes 0."""
    if -most <= a <= most:
        return a
    return most if a > most else -most if a < -most else ZERO


@inlined
def is_in(here, box):
    """Return whether a place lies in a box."""
    return box.left <= here[0] <= box.right and box.bottom <= here[1] <= box.top


@inlined
def held_in(here, box):
    """Clamp a place to a box."""
    return _held(here, lowest_of(box), highest_of(box))


@inlined
def held(value, low, high):
    """Clamp a number to [low, high]."""
    return min(max(value, low), high)


_held = on_each_axis(held)


@inlined
def first_edge(box, start, along):
    """Return the fraction of a path at which it leaves a box, infinity if it does not, and the unit vector inward."""
    across = _edge_along(start[0], along[0], box.left, box.right)
    up = _edge_along(start[1], along[1], box.bottom, box.top)
    if up < across:
        return up, (0.0, 1.0 if along[1] < 0.0 else -1.0)
    return across, (1.0 if along[0] < 0.0 else -1.0, 0.0)


@inlined
def _edge_along(start, along, low, high):
    if along == 0.0 or low <= start + along <= high:
        return np.inf
    return max(((low if along < 0.0 else high) - start) / along, 0.0)
