"""The index that flocking systems share: the grid of flocking entities, and the columns that neighbours read."""

from __future__ import annotations

from collections import namedtuple
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from systems.space.grid import Grid

POSITION_SCALE = float(1 << 20)  # a million positions of at most 1e6 u fit an int64 sum, and their difference
COUNT, SUM_X, SUM_Y, SUM_U, SUM_V = range(5)


class Mates(NamedTuple):
    """The data of flocking entities that their neighbours read, in the grid's order.

    Attributes:
        reach: the radius within which all neighbours are in the 3 x 3 cells; 0 if a torus is too narrow for these.
        far_sighted: whether an entity sees farther than that.
        u, v: int32 (n + PADDING,), velocity in fixed point.
        velocity_scale: float64, units of u and v in 1 u/s.
        kind: int32 (n + PADDING,), prefab.
        one_prefab: whether all have the same prefab.
        crowds: int64 (prefabs + 1, 5), for each prefab and for all together: the number of entities, and the sums of
            positions and velocities (POSITION_SCALE, VELOCITY_SCALE); empty unless an entity's reach is "everyone".
    """

    reach: float
    far_sighted: bool
    u: NDArray[np.int32]
    v: NDArray[np.int32]
    velocity_scale: float
    kind: NDArray[np.int32]
    one_prefab: bool
    crowds: NDArray[np.int64]


class FlockGrid(NamedTuple):
    """Flocking entities by cells that are wide enough for the common radius; a resource from SENSE to COMMIT."""

    grid: Grid
    mates: Mates


Boids = namedtuple("Boids", "velocity motion perception flocker serial rule_of rules")
"""The records that flocking reads, by table row, the accelerations in Motion that it adds to, and the RuleTable."""


class Flock(NamedTuple):
    """All data of flocking entities that kernels need."""

    grid: Grid
    mates: Mates
    boids: Boids
