"""The centre of places, on a torus the circular mean of each coordinate, taken on a diamond instead of a circle."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from systems.engine.kernel import kernel
from systems.exact.on_each_axis import on_each_axis
from systems.exact.vector import element


@on_each_axis
def on_diamond(place, torus):
    """Map each coordinate of a torus to a point on a diamond around the origin, as an angle maps to one on a circle.

    Returns:
        The points' first coordinates as a vector; without a torus, the place.
    """
    return abs(4.0 * (place / torus) - 2.0) - 1.0 if torus > 0.0 else place


@on_each_axis
def around_diamond(place, torus):
    """Return the second coordinates of the points of `on_diamond`; without a torus, 0."""
    return abs(4.0 * ((place / torus + 0.75) % 1.0) - 2.0) - 1.0 if torus > 0.0 else 0.0


def centre_along(x: float, y: float, size: float) -> float:
    """Return the mean coordinate: on a torus, the one whose diamond point lies in the direction (x, y)."""
    around = abs(x) + abs(y)
    if not size:
        return x
    if around == 0:
        return 0.0
    t = (1 - x / around) / 4
    return float(size * (t if y >= 0 else 1 - t))


def mean_of(values: NDArray[np.float64]) -> float:
    """Return the mean; it is rounded once, so that the order of the values changes no bit of it."""
    return math.fsum(values.tolist()) / len(values)


def centre_of(places: tuple[NDArray[np.float64], ...], torus: tuple[float, ...]) -> tuple[float, ...]:
    """Return the centre of places, given along each axis (n,), u; sizes of 0: not a torus."""
    points = zip(*_on_diamonds(places, torus), torus, strict=True)
    return tuple(centre_along(mean_of(x), mean_of(y), size) for x, y, size in points)


@kernel
def _on_diamonds(places, torus):
    found = np.empty((2, len(torus), len(places[0])))
    for k in range(len(places[0])):
        here = element(places, k)
        first, second = on_diamond(here, torus), around_diamond(here, torus)
        for axis in range(len(torus)):
            found[0, axis, k], found[1, axis, k] = first[axis], second[axis]
    return found
