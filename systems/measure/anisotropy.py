"""Anisotropy of the nearest neighbours in the flock (Ballerini et al. 2008), computed only on request."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from components.flock import Flocker
from components.motion import Position, Velocity
from components.store.world import World
from systems.engine.app import App
from systems.engine.kernel import inlined, parallel_kernel, prange
from systems.engine.measures import ANISOTROPY, Measures
from systems.engine.settings import Settings
from systems.engine.system import PLACE, Phase, System
from systems.exact.symmetric import eigen
from systems.exact.vector import dot, element, sub
from systems.space.flock import Flock, flock_of, moments_of, some_of
from systems.space.torus import minimum_image, minimum_images

NEIGHBOURS = 10  # so many are measured
NOBODY = -1


class Anisotropy(System):
    """How rare the first, second ... tenth neighbours of flocking entities are ahead and behind."""

    phase = Phase.MEASURE
    reads = (*PLACE, Velocity, Flocker, Settings)
    adds = (Measures,)

    def applies(self, world: World) -> bool:
        return self.name in world.resource(Measures).wanted

    def run(self, world: World) -> None:
        found = anisotropy(flock_of(world))
        world.resource(Measures).values |= {f"{ANISOTROPY}{n}": value for n, value in enumerate(found, 1)}


def anisotropy(flock: Flock) -> list[float]:
    """Return the anisotropy of the n-th nearest neighbour, for n from 1 to NEIGHBOURS: 0 to 1.

    It is dot(W, V)**2: V is the direction of the mean velocity, W that in which the n-th neighbours are rarest, the
    eigenvector of the smallest eigenvalue of the mean of e e^T over the unit vectors e to them. If they are evenly
    distributed it is 1/3 on average, in a flat world 1/2; NaN without a mean velocity or so many neighbours.
    """
    heading = flock.heading
    if heading is None or flock.size < 2:
        return [math.nan] * NEIGHBOURS
    sweep = sorted(range(len(heading)), key=lambda axis: -np.ptp(flock.places[axis]))
    order = np.argsort(flock.places[sweep[0]], kind="stable")
    torus, ahead = (tuple(vector[axis] for axis in sweep) for vector in (flock.torus, heading))
    places = tuple(flock.places[axis][order] for axis in sweep)
    some = np.sort(np.argsort(order)[some_of(flock.size)])
    which = _nearest(places, torus, some)
    points = np.stack(places, axis=1)
    found = []
    for nth in which.T:
        offsets = minimum_images(points[nth] - points[some], torus if torus[0] else None)
        found.append(math.nan if NOBODY in nth else _along_rarest(offsets, ahead))
    return found


def _along_rarest(offsets: NDArray[np.float64], ahead: tuple[float, ...]) -> float:
    distance = np.sqrt(np.square(offsets).sum(axis=1))
    apart = distance > 0
    if not apart.any():
        return math.nan
    (_, rarest), *_ = eigen(moments_of((offsets[apart] / distance[apart, None]).T))
    along = sum(one * other for one, other in zip(rarest, ahead, strict=True))
    return min(along * along, 1.0)


@parallel_kernel
def _nearest(places, torus, some):
    """Return the nearest NEIGHBOURS of some of these places, sorted along their first axis: int64 (m, NEIGHBOURS)."""
    which = np.full((len(some), NEIGHBOURS), NOBODY)
    squares = np.full((len(some), NEIGHBOURS), np.inf)
    for n in prange(len(some)):
        _look(places, torus, some[n], 1, which[n], squares[n])
        _look(places, torus, some[n], -1, which[n], squares[n])
    return which


@inlined
def _look(places, torus, k, step, which, squares):
    """Note the nearest of those after place k in direction `step` (±1), on a torus halfway round."""
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
        is_beyond = along > 0.5 * torus[0] or (step < 0 and along == 0.5 * torus[0])
        if along * along >= squares[NEIGHBOURS - 1] or (torus[0] > 0 and is_beyond):
            break
        offset = minimum_image(offset, torus)
        square, m = dot(offset, offset), NEIGHBOURS - 1
        if square >= squares[m]:
            continue
        while m > 0 and square < squares[m - 1]:
            squares[m], which[m] = squares[m - 1], which[m - 1]
            m -= 1
        squares[m], which[m] = square, at


def install(app: App) -> None:
    app.add_component(Position)
    app.add_system(Anisotropy)
