"""What hunters and hunted share: an index of the predators, and a grid of the prey."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from systems.space.grid import Grid
from systems.space.shape_index import ShapeIndex

SLACK = 0.01  # u: whoever is just as far away as the radius stands inside the index, not on its border


class Threats(NamedTuple):
    """All predators, resting ones too; a resource while there is any.

    Attributes:
        rows: int32 (n,), table rows of the predators, by ascending serial.
        radius: u, how far away the cells hold them; who fears them from farther away looks at all.
        cells: in each cell those who are so near to it, as places in `rows`.
    """

    rows: NDArray[np.int32]
    radius: float
    cells: ShapeIndex


class Quarry(NamedTuple):
    """Everyone who is Prey, by cell; a resource while someone pursues."""

    grid: Grid
