"""Whom one entity attends to: the same candidates and the same test that flocking sums over."""

# mypy: allow-untyped-defs
# (numba finds out the types of kernels)

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from components.flock import EVERYONE, MOST_NEIGHBOURS, TOPOLOGICAL, Flocker, Perception
from components.motion import Velocity
from components.store.world import World
from systems.core.candidates import gather_around, room_for
from systems.core.flock_grid import FlockGrid, rule_radius, sight, view
from systems.core.grid import PADDING
from systems.core.kernel import kernel
from systems.core.neighbourhood import in_view, pick_nearest

i32 = np.int32
RULES = ("separation", "alignment", "cohesion")


def neighbours(world: World, row: int, rule: str) -> NDArray[np.int64]:
    """The serials of a rule's neighbours of the entity in `row`, ascending, int64; as of the last SENSE."""
    flock, table = world.resource(FlockGrid), world.table
    places = np.flatnonzero(flock.grid.row[:-PADDING] == row)
    if not len(places) or not int(table.presence[row]) & table.mask([Flocker]):
        return np.zeros(0, np.int64)
    records = (table.records(Velocity), table.records(Perception), table.records(Flocker))
    found = _neighbours(flock, int(places[0]), RULES.index(rule), *records, table.serial)
    return np.sort(table.serial[flock.grid.row[found]])


@kernel
def _neighbours(flock, me, rule, velocity, perception, flocker, serial):
    """Places in the grid's order of those whom one rule of the entity at place `me` counts."""
    row, grid = flock.grid.row[me], flock.grid
    radius, own = perception[row].radius, flock.kind[me]
    if rule == 0:
        reach, mixes = rule_radius(flocker[row].separation_radius, radius), flocker[row].separation_mixes
    elif rule == 1:
        reach, mixes = rule_radius(flocker[row].alignment_radius, radius), flocker[row].alignment_mixes
    else:
        reach, mixes = rule_radius(flocker[row].cohesion_radius, radius), flocker[row].cohesion_mixes
    same = i32(0) if mixes else i32(-1)
    found, seen = np.empty(len(grid.x), np.int64), 0
    if rule > 0 and perception[row].reach == EVERYONE:
        for k in range(len(grid.x) - PADDING):
            if k != me and ((flock.kind[k] ^ own) & same) == 0:
                found[seen] = k
                seen += 1
        return found[:seen]
    px, py = grid.x[me], grid.y[me]
    hx, hy, cone = view(row, velocity, perception)
    pool = room_for(len(grid.x))
    count = gather_around(flock, px, py, max(reach, sight(row, perception, flocker)), pool)
    if perception[row].reach == TOPOLOGICAL:
        picked = room_for(MOST_NEIGHBOURS + 1)
        most = perception[row].neighbours
        count = pick_nearest(
            pool, 0, count, px, py, hx, hy, cone, own, same, radius * radius, most, me, flock, serial, picked
        )
        pool = picked
    for k in range(count):
        dx, dy = pool.x[k] - px, pool.y[k] - py
        d2 = dx * dx + dy * dy
        seen_now = in_view(dx, dy, d2, hx, hy, cone) and ((pool.kind[k] ^ own) & same) == 0
        if seen_now and d2 < reach * reach and pool.who[k] != me:
            found[seen] = pool.who[k]
            seen += 1
    return found[:seen]
