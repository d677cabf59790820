"""The indexes of hunting: predators, for prey that flees, and prey, for predators."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from systems.space.grid import Grid
from systems.space.shape_index import ShapeIndex

SLACK = 0.01  # u: an entity at exactly the radius lies inside the index, not on its border


class Threats(NamedTuple):
    """All predators, including resting ones; a resource while there are any.

    Attributes:
        rows: int32 (n,), table rows of the predators, by ascending serial.
        radius: u; prey with a larger fear radius must check all predators.
        cells: the predators within `radius` of each cell, as indexes into `rows`.
    """

    rows: NDArray[np.int32]
    radius: float
    cells: ShapeIndex


class Quarry(NamedTuple):
    """All entities with Prey, by cell; a resource while there are predators that pursue."""

    grid: Grid
