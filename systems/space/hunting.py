"""What hunters and hunted share: an index of the predators, a grid of the prey, and who hunts whom."""

# mypy: allow-untyped-defs
# (numba finds out the types of kernels)

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from components.motion import Position
from components.predation import Predator
from components.store.table import EntityTable
from systems.engine.kernel import inlined
from systems.engine.settings import Settings
from systems.space.grid import Grid
from systems.space.prefab_mask import NOBODY, names
from systems.space.shape_index import ShapeIndex, build_shape_index

f64, u64 = np.float64, np.uint64
SLACK = 0.01  # u: whoever is just as far away as the radius stands inside the index, not on its border


class Threats(NamedTuple):
    """All predators, resting ones too; a resource while there is any.

    Attributes:
        rows: int32 (n,), table rows of the predators, by ascending serial.
        near: float32, u, how far away the cells know of them; who fears them from farther away looks at all.
        cells: in each cell those who come so near to it, as places in `rows`.
    """

    rows: NDArray[np.int32]
    near: np.float32
    cells: ShapeIndex


class Quarry(NamedTuple):
    """Everyone who is Prey, by cell; a resource while someone pursues."""

    grid: Grid


def predators(table: EntityTable) -> NDArray[np.int32]:
    """The rows of all predators, by ascending serial."""
    rows = table.rows(Position, Predator)
    return rows[np.argsort(table.serial[rows])]


def index_around(
    table: EntityTable, rows: NDArray[np.int32], radius: NDArray[np.float32] | np.float32, settings: Settings
) -> ShapeIndex:
    """In each cell those of these rows who are within their radius (u, one or one each) of it, as places in `rows`."""
    x, y = (table.columns[key][rows].astype(f64) for key in ("Position.x", "Position.y"))
    radii = np.broadcast_to(radius, len(rows)).astype(f64)
    return build_shape_index(np.stack([x, y, x, y], axis=1), radii, SLACK, settings.torus)


@inlined
def hunts(mask, prefab):
    """Whether a set of prefabs names this one; a set that names none means all."""
    return mask == NOBODY or names(mask, prefab)


@inlined
def offset(there, here, torus):
    """From `here` to the nearest copy of `there` along one axis, float64; torus 0: there is one copy."""
    d, size = f64(there) - f64(here), f64(torus)
    if d > 0.5 * size > 0.0:
        return d - size
    return d + size if -d > 0.5 * size > 0.0 else d
