"""The bounds of positions and velocities, and the box that entities can't leave: the edges of a "bounce" world."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from components.motion import Position, Velocity
from components.store.fields import DEEP, FLAT
from systems.engine.kernel import inlined
from systems.engine.settings import Settings
from systems.exact.items import items_of
from systems.exact.on_each_axis import on_each_axis
from systems.exact.vector import ZERO, all_of

FARTHEST = float(Position.fields["x"].high)  # type: ignore[attr-defined]  # u
FASTEST = float(Velocity.fields["x"].high)  # type: ignore[attr-defined]  # u/s


Box = namedtuple("Box", "low_x low_y high_x high_y")
DeepBox = namedtuple("DeepBox", "low_x low_y low_z high_x high_y high_z")
"""The box that entities can't leave, u: float32 values, so that rounding does not lead out of it."""


def _box(low: tuple[float, ...], high: tuple[float, ...]) -> Any:
    kind: Any = Box if len(low) == 2 else DeepBox
    return kind(*low, *high)


def _around_origin(far: float) -> dict[str, Any]:
    return {axes: _box((-far,) * len(axes), (far,) * len(axes)) for axes in (FLAT, DEEP)}


ENDLESS, OPEN = _around_origin(np.inf), _around_origin(FARTHEST)
"""The boxes of a torus, and of a world with other edges than "bounce", by the world's axes."""


def box_of(settings: Settings) -> Any:
    """Return the box of a world; infinite for a torus."""
    if settings.torus:
        return ENDLESS[settings.axes]
    return _box((0.0,) * len(settings.axes), settings.size) if settings.edges == "bounce" else OPEN[settings.axes]


lowest_of, highest_of = items_of("low_"), items_of("high_")
"""The lowest and the highest corner of a box, in kernels."""


@on_each_axis
def within(a, most):
    """Clamp each element of a vector to ±most; NaN, whose bits differ between machines, becomes 0."""
    if -most <= a <= most:
        return a
    return most if a > most else -most if a < -most else ZERO


@inlined
def is_in(here, box):
    """Return whether a place lies in a box."""
    return all_of(_lies_between(here, lowest_of(box), highest_of(box)))


@on_each_axis
def _lies_between(here, low, high):
    return low <= here <= high


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
    return _first(_edge(start, along, lowest_of(box), highest_of(box)), along)


@inlined
def _first(edges, along):
    """Return the lowest of these fractions, and the unit vector along its axis against the path."""
    edge, x, y, z = edges[0], -1.0 if along[0] >= 0.0 else 1.0, 0.0, 0.0
    if edges[1] < edge:
        edge, x, y = edges[1], 0.0, -1.0 if along[1] >= 0.0 else 1.0
    if len(edges) == 2:
        return edge, (x, y)
    if edges[2] < edge:
        edge, x, y, z = edges[2], 0.0, 0.0, -1.0 if along[2] >= 0.0 else 1.0
    return edge, (x, y, z)


@on_each_axis
def _edge(start, along, low, high):
    if along == 0.0 or low <= start + along <= high:
        return np.inf
    return max(((low if along < 0.0 else high) - start) / along, 0.0)
