"""Round zones by place: those that cover much of the world, which everyone looks at, and the others by cell."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from systems.engine.kernel import inlined
from systems.engine.settings import Settings
from systems.space.shape_index import ShapeIndex, build_shape_index, cell_of

i32, i64 = np.int32, np.int64
WIDE = 0.25  # of the world's longer side: a radius from which everyone looks at a zone
CALM_SHARE, CALM = 0.05, 15.0  # of the radius; u: nearer than this a pull to the middle dies away


class Circles(NamedTuple):
    """Zones, numbered as they were given.

    Attributes:
        wide: int32 (w,), those that cover much of the world.
        cells: the others; a zone may be noted twice in a cell of a torus, one after the other.
    """

    wide: NDArray[np.int32]
    cells: ShapeIndex


def build_circles(
    x: NDArray[np.float64], y: NDArray[np.float64], radius: NDArray[np.float64], settings: Settings
) -> Circles:
    """Note zones, given by serial, each float64 (n,)."""
    is_wide = radius > WIDE * max(settings.width, settings.height)
    others = np.flatnonzero(~is_wide)
    ends = np.stack([x, y, x, y], axis=1)[others]
    index = build_shape_index(ends, radius[others], 0.0, settings.torus)
    return Circles(np.flatnonzero(is_wide).astype(i32), index._replace(shape=others.astype(i32)[index.shape]))


@inlined
def places_to_look(x, y, wide, cells):
    """How many zones may hold a place in the world, and where the cell's entries begin: `zone_at` has the k-th."""
    cell = cell_of(cells, x, y)
    if cell < 0:
        return i64(len(wide)), i64(0)
    first = i64(cells.start[cell])
    return len(wide) + i64(cells.start[cell + 1]) - first, first


@inlined
def zone_at(k, first, wide, cells):
    """The k-th zone to look at; -1 where it was the one before as well."""
    if k < len(wide):
        return i64(wide[k])
    entry = first + k - len(wide)
    zone = cells.shape[entry]
    return i64(-1) if entry > first and cells.shape[entry - 1] == zone else i64(zone)


@inlined
def in_world(place, torus):
    """A coordinate brought into the world where it repeats; whoever was put beyond the edge is in no cell."""
    if torus > 0.0 and not 0.0 <= place < torus:
        place -= np.floor(place / torus) * torus
    return place


@inlined
def distance_of_pull(distance, radius):
    """By what a pull to the middle of a circle divides the way there: in the middle it dies away, so nobody jitters."""
    return max(distance, min(CALM_SHARE * radius, CALM))
