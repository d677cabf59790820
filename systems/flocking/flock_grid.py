"""The spatial index of the flock: the grid of flocking entities, and what neighbours read of them, in its order.

To a boid with the reach "everyone", a crowd is as one neighbour: all boids of its prefab, or all together.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any, NamedTuple

import numpy as np

from components.store.fields import DEEP
from systems.engine.kernel import inlined, kernel, outlined
from systems.exact.fixed_point import VELOCITY_SCALE, fixed_vector
from systems.exact.items import items_of, reading_of, writing_of
from systems.exact.vector import add, element, put, read, scaled, sub
from systems.space.grid import PADDING, place_at

i64 = np.int64
CENTRE_SCALE = float(1 << 20)  # a million positions of at most 1e6 u fit an int64 sum, and their difference
CROWD = np.dtype([(name, i64) for name in ("count", "x", "y", "velocity_x", "velocity_y")])
DEEP_CROWD = np.dtype([(name, i64) for name in ("count", *DEEP, *(f"velocity_{axis}" for axis in DEEP))])
read_velocity, put_velocity = reading_of("velocity_"), writing_of("velocity_")


Mates = namedtuple("Mates", "cell_radius far_sighted vx vy velocity_scale prefab one_prefab crowds")
DeepMates = namedtuple("DeepMates", "cell_radius far_sighted vx vy vz velocity_scale prefab one_prefab crowds")
"""The data of flocking entities that their neighbours read, in the grid's order; with depth `DeepMates`.

Attributes:
    cell_radius: u, the radius within which all neighbours are in the cells around; 0 if a torus is too narrow.
    far_sighted: whether an entity sees farther than that.
    vx, vy, vz: int32 (n + PADDING,), velocity in fixed point.
    velocity_scale: float64, units of these in 1 u/s.
    prefab: int32 (n + PADDING,).
    one_prefab: whether all have the same prefab.
    crowds: CROWD or DEEP_CROWD (prefabs + 1,), of each prefab and of all together: the number of entities, the sums of
        positions (CENTRE_SCALE) and velocities (VELOCITY_SCALE); empty unless an entity attends to everyone.
"""


class FlockGrid(NamedTuple):
    """Flocking entities by cells that are wide enough for the common radius; a resource from SENSE to COMMIT."""

    grid: Any
    mates: Any


Flock = namedtuple("Flock", "grid mates data rule_of rules")
"""All data of flocking entities that kernels need.

Attributes:
    grid, mates: the spatial index.
    data: the records of Flocking, see `data_of`.
    rule_of, rules: those of the `RuleTable`.
"""


velocities_in = items_of("v")
"""The velocities of `Mates` or `Candidates`, as a vector."""


@inlined
def velocity_at(flock, k):
    """Return the k-th velocity, in fixed point, int32, of `Mates` or `Candidates`."""
    return element(velocities_in(flock), k)


@kernel
def sum_crowds(grid, velocity, prefab, crowds):
    """Fill the array `crowds` of `Mates`; `velocity` are records, and `prefab` is that of `Mates`."""
    for k in range(len(prefab) - PADDING):
        here = fixed_vector(place_at(grid, k), CENTRE_SCALE)
        own = fixed_vector(read(velocity[grid.which[k]]), VELOCITY_SCALE)
        for n in (i64(prefab[k]), len(crowds) - 1):
            crowd = crowds[n]
            crowd.count += 1
            put(crowd, add(read(crowd), here))
            put_velocity(crowd, add(read_velocity(crowd), own))


@outlined
def crowd_without(flock, me, number):
    """Return the number of a crowd's other boids, and the sums of their velocities and their offsets, int64."""
    crowd = flock.mates.crowds[number]
    own = fixed_vector(read(flock.data.velocity[flock.grid.which[me]]), VELOCITY_SCALE)
    here = fixed_vector(place_at(flock.grid, me), CENTRE_SCALE)
    return crowd.count - 1, sub(read_velocity(crowd), own), sub(read(crowd), scaled(here, crowd.count))
