"""What field studies measure of a flock as a whole: the flocking entities of a world, whatever their prefabs."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from components.flock import Flocker
from components.motion import Position, Velocity
from components.store.world import World
from systems.engine.settings import Settings
from systems.space.centre import mean_of
from systems.space.torus import places_in_world

Numbers = NDArray[np.float64]
MOST = 4096  # of a larger flock so many are compared, evenly chosen by serial


class Flock(NamedTuple):
    """The flocking entities, by serial.

    Attributes:
        places, velocities: for each axis (n,), float64, u and u/s.
        torus: the size of the torus along each axis, u; 0: not a torus.
    """

    places: tuple[Numbers, ...]
    velocities: tuple[Numbers, ...]
    torus: tuple[float, ...]

    @property
    def size(self) -> int:
        """How many there are."""
        return len(self.places[0])

    @property
    def heading(self) -> tuple[float, ...] | None:
        """The unit vector along the mean velocity; None if that is 0, or there is nobody."""
        if not self.size:
            return None
        mean = [mean_of(along) for along in self.velocities]
        speed = math.sqrt(sum(number * number for number in mean))
        return tuple(number / speed for number in mean) if speed else None


def flock_of(world: World) -> Flock:
    """Return the flock of a world."""
    table = world.table
    rows = table.rows_by_serial(Position, Velocity, Flocker)
    velocities = tuple(column[rows].astype(np.float64) for column in table.vectors("Velocity"))
    torus = world.resource(Settings).torus or (0.0,) * len(table.axes)
    return Flock(places_in_world(world, rows), velocities, torus)


def some_of(count: int) -> NDArray[np.int64]:
    """Return the indexes of at most MOST of so many, evenly chosen."""
    chosen = min(count, MOST)
    return np.arange(chosen, dtype=np.int64) * count // max(chosen, 1)


def moments_of(vectors: Iterable[Numbers]) -> list[list[float]]:
    """Return the mean products of the elements of vectors, given along each axis (n,): a symmetric matrix."""
    along = list(vectors)
    return [[mean_of(one * other) for other in along] for one in along]
