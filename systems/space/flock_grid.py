"""What flocking systems share: the grid of those who flock, and what they want to know of each other."""

from __future__ import annotations

from collections import namedtuple
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from systems.space.grid import Grid

POSITION_SCALE = float(1 << 20)  # a million positions of at most 1e6 u fit an int64 sum, and their difference
COUNT, SUM_X, SUM_Y, SUM_U, SUM_V = range(5)


class Mates(NamedTuple):
    """What those who flock want to know of each other, in the grid's order.

    Attributes:
        reach: the radius up to which the 3 x 3 cells hold everyone; 0 where a torus is too narrow for them.
        far_sighted: whether someone sees farther than that.
        u, v: int32 (n + PADDING,), velocity in fixed point.
        velocity_scale: float64, units of u and v in 1 u/s.
        kind: int32 (n + PADDING,), prefab.
        one_prefab: whether it is the same for all.
        crowds: int64 (prefabs + 1, 5), of each prefab and of all: how many they are, and the sums of their
            positions and velocities (POSITION_SCALE, VELOCITY_SCALE); empty unless someone's reach is everyone.
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
    """Those who flock, by cells wide enough for the common radius; a resource from SENSE to COMMIT."""

    grid: Grid
    mates: Mates


Boids = namedtuple("Boids", "velocity motion perception flocker serial rule_of rules")
"""What flocking reads of everyone by table row, and the accelerations in Motion that it adds to; the RuleTable."""


class Flock(NamedTuple):
    """All that kernels know of those who flock."""

    grid: Grid
    mates: Mates
    boids: Boids
