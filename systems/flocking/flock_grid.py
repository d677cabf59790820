"""The index that flocking systems share: the grid of flocking entities, and what neighbours read of them, in its order.

To a boid with the reach "everyone", a crowd is as one neighbour: all boids of its prefab, or all together.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from systems.engine.kernel import inlined, kernel, outlined
from systems.exact.fixed_point import VELOCITY_SCALE, fixed_vector
from systems.exact.vector import add, read, scaled, sub
from systems.space.grid import PADDING, CellGrid, place_at

i64 = np.int64
PLACE_SCALE = float(1 << 20)  # a million positions of at most 1e6 u fit an int64 sum, and their difference
MEMBERS, PLACE, VELOCITY, FIELDS = 0, 1, 3, 5  # of a crowd: where each begins, and how many they are


class Mates(NamedTuple):
    """The data of flocking entities that their neighbours read, in the grid's order.

    Attributes:
        cell_radius: u, the radius within which all neighbours are in the 3 x 3 cells; 0 if a torus is too narrow.
        far_sighted: whether an entity sees farther than that.
        u, v: int32 (n + PADDING,), velocity in fixed point.
        velocity_scale: float64, units of u and v in 1 u/s.
        prefab: int32 (n + PADDING,).
        one_prefab: whether all have the same prefab.
        crowds: int64 (prefabs + 1, FIELDS), of each prefab and of all together: the number of entities, and the sums of
            positions (PLACE_SCALE) and velocities (VELOCITY_SCALE); empty unless an entity attends to everyone.
    """

    cell_radius: float
    far_sighted: bool
    u: NDArray[np.int32]
    v: NDArray[np.int32]
    velocity_scale: float
    prefab: NDArray[np.int32]
    one_prefab: bool
    crowds: NDArray[np.int64]


class FlockGrid(NamedTuple):
    """Flocking entities by cells that are wide enough for the common radius; a resource from SENSE to COMMIT."""

    grid: CellGrid
    mates: Mates


class Flock(NamedTuple):
    """All data of flocking entities that kernels need.

    Attributes:
        grid, mates: the index.
        data: the records of Flocking, see `data_of`.
        rule_of, rules: those of the `RuleTable`.
    """

    grid: CellGrid
    mates: Mates
    data: Any
    rule_of: NDArray[np.int32]
    rules: NDArray[np.void]


@inlined
def velocity_at(flock, k):
    """Return the k-th velocity, in fixed point, int32, of `Mates` or `Candidates`."""
    return flock.u[k], flock.v[k]


@kernel
def sum_crowds(grid, velocity, prefab, crowds):
    """Fill the array `crowds` of `Mates`; `velocity` are records, and `prefab` is that of `Mates`."""
    for k in range(len(prefab) - PADDING):
        place = fixed_vector(place_at(grid, k), PLACE_SCALE)
        own = fixed_vector(read(velocity[grid.row[k]]), VELOCITY_SCALE)
        for crowd in (i64(prefab[k]), len(crowds) - 1):
            crowds[crowd, MEMBERS] += 1
            _add(crowds, crowd, PLACE, place)
            _add(crowds, crowd, VELOCITY, own)


@outlined
def crowd_without(flock, me, crowd):
    """Return the number of a crowd's other boids, and the sums of their velocities and their offsets, int64."""
    crowds, grid = flock.mates.crowds, flock.grid
    members = crowds[crowd, MEMBERS]
    own = fixed_vector(read(flock.data.velocity[grid.row[me]]), VELOCITY_SCALE)
    here = fixed_vector(place_at(grid, me), PLACE_SCALE)
    return (
        members - 1,
        sub(_sums(crowds, crowd, VELOCITY), own),
        sub(_sums(crowds, crowd, PLACE), scaled(here, members)),
    )


@inlined
def _sums(crowds, crowd, begin):
    return crowds[crowd, begin], crowds[crowd, begin + 1]


@inlined
def _add(crowds, crowd, begin, terms):
    crowds[crowd, begin], crowds[crowd, begin + 1] = add(_sums(crowds, crowd, begin), terms)
