"""What flocking systems share: the grid of those who flock, and how far the rules of each of them reach."""

from __future__ import annotations

from collections import namedtuple
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from components.flock import EVERYONE
from systems.engine.kernel import inlined
from systems.exact.vector import ZERO
from systems.space.grid import Grid

f32 = np.float32
POSITION_SCALE = float(1 << 20)  # a million positions of at most 1e6 u fit an int64 sum, and their difference
COUNT, SUM_X, SUM_Y, SUM_U, SUM_V = range(5)


class Mates(NamedTuple):
    """What those who flock want to know of each other, in the grid's order.

    Attributes:
        reach: float32, the radius up to which the 3 x 3 cells hold everyone; 0 where a torus is too narrow for them.
        far_sighted: whether someone sees farther than that.
        u, v: int32 (n + PADDING,), velocity in fixed point.
        velocity_scale: float64, units of u and v in 1 u/s.
        kind: int32 (n + PADDING,), prefab.
        crowds: int64 (prefabs + 1, 5), of each prefab and of all: how many they are, and the sums of their
            positions and velocities (POSITION_SCALE, VELOCITY_SCALE); empty unless someone's reach is everyone.
    """

    reach: np.float32
    far_sighted: bool
    u: NDArray[np.int32]
    v: NDArray[np.int32]
    velocity_scale: float
    kind: NDArray[np.int32]
    crowds: NDArray[np.int64]


class FlockGrid(NamedTuple):
    """Those who flock, by cells wide enough for the common radius; a resource from SENSE to COMMIT."""

    grid: Grid
    mates: Mates


Boids = namedtuple("Boids", "velocity motion perception flocker serial")
"""What flocking reads of everyone by table row, and the accelerations in Motion that it adds to."""


class Flock(NamedTuple):
    """All that kernels know of those who flock."""

    grid: Grid
    mates: Mates
    boids: Boids


@inlined
def rule_radius(rule, perception):
    """How far a rule reaches: its own radius, within Perception's; 0 means Perception's."""
    return min(rule, perception) if rule > ZERO else perception


@inlined
def sight(row, perception, flocker):
    """The farthest that any of the three rules of an entity looks through the grid."""
    radius = perception[row].radius
    separation = rule_radius(flocker[row].separation_radius, radius)
    if perception[row].reach == EVERYONE:
        return separation
    alignment = rule_radius(flocker[row].alignment_radius, radius)
    cohesion = rule_radius(flocker[row].cohesion_radius, radius)
    return max(separation, max(alignment, cohesion))
