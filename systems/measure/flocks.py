"""Number of flocks and mean nearest-neighbour distance: expensive measures, computed only on request."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from components.flock import Flocker
from components.motion import Position
from components.store.declare import number
from components.store.world import World
from systems.engine.app import App
from systems.engine.kernel import inlined, parallel_kernel, prange
from systems.engine.measures import Measures
from systems.engine.settings import Settings
from systems.engine.system import Phase, System
from systems.space.linked import LINK, linked_groups
from systems.space.torus import minimum_image_along

f64 = np.float64


class Flocks(System):
    """Number of flocks, and mean distance to the nearest neighbour, of flocking entities.

    Two entities are linked if they are nearer to each other than `link`, whatever their prefabs. A flock consists of
    two or more entities that are linked, directly or through others. Without entities that flock, both are NaN.
    """

    phase = Phase.MEASURE
    reads = ("Position.x", "Position.y", Flocker, Settings)
    adds = (Measures,)
    link: float = number(LINK, "u", 0, 1e4, "boids nearer to each other than this belong to one flock", above_low=True)

    def applies(self, world: World) -> bool:
        return self.name in world.resource(Measures).wanted

    def run(self, world: World) -> None:
        measures, table = world.resource(Measures), world.table
        rows = table.rows(Position, Flocker)
        x, y = (table.columns[key][rows].astype(f64) for key in ("Position.x", "Position.y"))
        torus = world.resource(Settings).torus
        measures.values["flocks"] = float(count_flocks(x, y, float(self.link), torus)) if len(rows) else math.nan
        measures.values["nearest_neighbour"] = nearest_neighbour(x, y, torus)


def count_flocks(x: NDArray[np.float64], y: NDArray[np.float64], link: float, torus: tuple[float, float] | None) -> int:
    """Count groups of two or more points linked by distances below `link` (u); x and y have the shape (n,), in u."""
    return len(linked_groups((x, y), link, torus)[1])


def nearest_neighbour(x: NDArray[np.float64], y: NDArray[np.float64], torus: tuple[float, float] | None) -> float:
    """Return the mean distance to the nearest other point, u; NaN for fewer than two. x and y are (n,), in u.

    Points are sorted along the axis on which they are spread more. From each point the search goes both ways along this
    axis until no nearer one can follow: about n**1.5 comparisons, however uneven the distribution is. The mean is
    rounded once (`math.fsum`), so the order of the points changes no bit of it.
    """
    if len(x) < 2:
        return math.nan
    size = torus or (0.0, 0.0)
    if _spread(y) > _spread(x):
        x, y, size = y, x, (size[1], size[0])
    order = np.argsort(x, kind="stable")
    return math.fsum(_nearest(x[order], y[order], *size).tolist()) / len(x)


def _spread(values: NDArray[np.float64]) -> float:
    """Return the interquartile range: unlike a standard deviation it is no sum, which would depend on the order."""
    low, high = len(values) // 4, 3 * len(values) // 4
    parted = np.partition(values, (low, high))
    return float(parted[high] - parted[low])


@parallel_kernel
def _nearest(x, y, torus_x, torus_y):
    distances = np.empty(len(x))
    for n in prange(len(x)):
        k = np.int64(n)  # prange counts in uint64
        distances[k] = np.sqrt(_along(x, y, torus_x, torus_y, k, -1, _along(x, y, torus_x, torus_y, k, 1, np.inf)))
    return distances


@inlined
def _along(x, y, torus_x, torus_y, k, step, best):
    """Return the smallest squared distance from point k to those after it in direction `step` (±1); at most `best`."""
    at = k
    for _ in range(len(x) - 1):
        at += step
        if at < 0 or at >= len(x):
            if torus_x == 0:
                break
            at -= step * len(x)
        along = (x[at] - x[k]) * step
        if along < 0:
            along += torus_x
        if along * along >= best:
            break
        across, along = minimum_image_along(y[at] - y[k], torus_y), minimum_image_along(along, torus_x)
        best = min(best, along * along + across * across)
    return best


def install(app: App) -> None:
    app.add_component(Position)
    app.add_system(Flocks)
