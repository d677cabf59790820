"""Mean nearest-neighbour distance: an expensive measure, computed only on request."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from components.flock import Flocker
from components.motion import Position
from components.store.world import World
from systems.engine.app import App
from systems.engine.kernel import inlined, parallel_kernel, prange
from systems.engine.measures import Measures
from systems.engine.settings import Settings
from systems.engine.system import PLACE, Phase, System
from systems.exact.vector import dot, element, sub
from systems.space.torus import minimum_image, places_in_world

Places = tuple[NDArray[np.float64], ...]
"""For each axis, the coordinates of points, (n,), u."""


class NearestNeighbour(System):
    """Mean distance to the nearest neighbour of flocking entities; NaN for fewer than two."""

    phase = Phase.MEASURE
    reads = (*PLACE, Flocker, Settings)
    adds = (Measures,)

    def applies(self, world: World) -> bool:
        return self.name in world.resource(Measures).wanted

    def run(self, world: World) -> None:
        places = places_in_world(world, world.table.rows(Position, Flocker))
        torus = world.resource(Settings).torus
        world.resource(Measures).values["nearest_neighbour"] = nearest_neighbour(places, torus)


def nearest_neighbour(places: Places, torus: tuple[float, ...] | None) -> float:
    """Return the mean distance to the nearest other point, u; NaN for fewer than two.

    Points are sorted along the axis on which they are spread more. From each point the search goes both ways along this
    axis until no nearer one can follow: about n**1.5 comparisons, however uneven the distribution is. The mean is
    rounded once (`math.fsum`), so the order of the points changes no bit of it.
    """
    if len(places[0]) < 2:
        return math.nan
    axes = sorted(zip(places, torus or (0.0,) * len(places), strict=True), key=lambda axis: -_spread(axis[0]))
    order = np.argsort(axes[0][0], kind="stable")
    return math.fsum(_nearest(tuple(x[order] for x, _ in axes), tuple(size for _, size in axes)).tolist()) / len(order)


def _spread(values: NDArray[np.float64]) -> float:
    """Return the interquartile range: unlike a standard deviation it is no sum, which would depend on the order."""
    low, high = len(values) // 4, 3 * len(values) // 4
    parted = np.partition(values, (low, high))
    return float(parted[high] - parted[low])


@parallel_kernel
def _nearest(places, torus):
    distances = np.empty(len(places[0]))
    for n in prange(len(distances)):
        k = np.int64(n)  # prange counts in uint64
        distances[k] = np.sqrt(_nearest_after(places, torus, k, -1, _nearest_after(places, torus, k, 1, np.inf)))
    return distances


@inlined
def _nearest_after(places, torus, k, step, best):
    """Return the smallest squared distance from point k to those after it in direction `step` (±1); at most `best`."""
    at, count = k, len(places[0])
    for _ in range(count - 1):
        at += step
        if at < 0 or at >= count:
            if torus[0] == 0:
                break
            at -= step * count
        offset = sub(element(places, at), element(places, k))
        along = offset[0] * step
        if along < 0:
            along += torus[0]
        if along * along >= best:
            break
        offset = minimum_image(offset, torus)
        best = min(best, dot(offset, offset))
    return best


def install(app: App) -> None:
    app.add_component(Position)
    app.add_system(NearestNeighbour)
