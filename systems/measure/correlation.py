"""Correlation length of the velocity fluctuations in the flock (Cavagna et al. 2010), computed only on request."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from components.flock import Flocker
from components.motion import Position, Velocity
from components.store.world import World
from systems.engine.app import App
from systems.engine.measures import Measures
from systems.engine.rows import PORTIONS, for_each_portion
from systems.engine.settings import Settings
from systems.engine.system import PLACE, Phase, System
from systems.exact.fixed_point import fixed
from systems.exact.vector import dot, element, length, sub
from systems.space.centre import mean_of
from systems.space.flock import Flock, flock_of, some_of
from systems.space.torus import minimum_image

BINS = 50  # from distance 0 to the diagonal of the box around the flock
SCALE = float(1 << 38)  # sixteen million products of at most 1 fit an int64 sum


class Correlation(System):
    """Distance at which the fluctuations of flocking entities about their mean velocity no longer correlate."""

    phase = Phase.MEASURE
    reads = (*PLACE, Velocity, Flocker, Settings)
    adds = (Measures,)

    def applies(self, world: World) -> bool:
        return self.name in world.resource(Measures).wanted

    def run(self, world: World) -> None:
        world.resource(Measures).values["correlation_length"] = correlation_length(flock_of(world))


def correlation_length(flock: Flock) -> float:
    """Return the distance, u, at which the correlation of velocity fluctuations first crosses zero.

    The correlation is the mean of dot(u_i, u_j) over the pairs at a distance, in BINS; u are the velocities less their
    mean. Between the middles of two bins it is a straight line. NaN without fluctuations, or if it crosses nowhere.
    """
    if flock.size < 2:
        return math.nan
    some = some_of(flock.size)
    places = tuple(along[some] for along in flock.places)
    own = np.stack([along[some] - mean_of(along[some]) for along in flock.velocities], axis=1)
    largest = float(np.abs(own).max()) * math.sqrt(len(places))
    spans = [size / 2 if size else float(np.ptp(along)) for along, size in zip(places, flock.torus, strict=True)]
    diagonal = math.sqrt(sum(span * span for span in spans))
    if not (largest and diagonal):
        return math.nan
    sums, counts = np.zeros((PORTIONS, BINS), np.int64), np.zeros((PORTIONS, BINS), np.int64)
    fluctuations = tuple(np.ascontiguousarray(along) for along in (own / largest).T)
    _sum_up(places, fluctuations, flock.torus, BINS / diagonal, sums, counts)
    return _first_zero(sums.sum(axis=0), counts.sum(axis=0)) * diagonal / BINS


def _first_zero(sums: NDArray[np.int64], counts: NDArray[np.int64]) -> float:
    """Return where the means of bins first cross zero, in bins."""
    filled = np.flatnonzero(counts)
    means = sums[filled] / counts[filled]
    below = np.flatnonzero(means <= 0)
    if not len(below):
        return math.nan
    second = int(below[0])
    if not second:
        return 0.0
    before, after = float(means[second - 1]), float(means[second])
    low, high = float(filled[second - 1]) + 0.5, float(filled[second]) + 0.5
    return low + (high - low) * before / (before - after)


@for_each_portion
def _sum_up(portion, places, fluctuations, torus, bins_per_u, sums, counts):
    for i in range(portion, len(places[0]), PORTIONS):
        here, own = element(places, i), element(fluctuations, i)
        for j in range(i):
            distance = length(minimum_image(sub(element(places, j), here), torus))
            bin = min(int(distance * bins_per_u), BINS - 1)
            sums[portion, bin] += fixed(dot(element(fluctuations, j), own), SCALE)
            counts[portion, bin] += 1


def install(app: App) -> None:
    app.add_component(Position)
    app.add_system(Correlation)
