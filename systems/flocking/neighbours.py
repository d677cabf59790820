"""The neighbours that the flocking rules use for one entity, by the same tests as in flocking, for display."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from components.flock import EVERYONE, TOPOLOGICAL, Flocker, Perception
from components.motion import Position, Velocity
from components.store.table import EntityTable
from components.store.world import World
from systems.engine.kernel import kernel
from systems.exact.vector import dot, read
from systems.flocking.prepared_rules import rule_radius
from systems.flocking.rule_table import FLOCKING
from systems.space.perception import field_of_view, in_view
from systems.space.torus import torus_of, toward

f32 = np.float32
RULE_NAMES = ("separation", "alignment", "cohesion")


def radius_of(table: EntityTable, row: int, rule: str) -> float:
    """Return the radius of one of RULE_NAMES for the entity in `row`, u; infinite if the rule uses the whole flock.

    Return 0 if the entity lacks Perception or Flocker.
    """
    if not table.has(row, Perception, Flocker):
        return 0.0
    perception = table.records(Perception)[row]
    if perception["reach"] == EVERYONE and rule != "separation":
        return float("inf")
    return float(_radius(table.records(Flocker)[f"{rule}_radius"][row], perception["radius"]))


@kernel
def _radius(rule, perception):
    return rule_radius(rule, perception)


def rule_neighbours(world: World, row: int, rule: str) -> NDArray[np.int64]:
    """Return the serials of the neighbours that one of RULE_NAMES uses now for the entity in `row`, int64."""
    table = world.table
    rows, radius = table.rows(*FLOCKING), radius_of(table, row, rule)
    if not table.has(row, *FLOCKING):
        return np.zeros(0, np.int64)
    records = (table.records(component) for component in (Position, Velocity, Perception))
    mixes = table.records(Flocker)[f"{rule}_mixes"][row]
    alike, square = _look(rows, row, mixes, *records, table.prefab, torus_of(world))
    if radius == np.inf:
        return np.sort(table.serial[rows[alike]])
    perception = table.records(Perception)[row]
    counts = square < perception["radius"] * perception["radius"]
    if perception["reach"] == TOPOLOGICAL:
        nearest = np.lexsort((table.serial[rows], square))[perception["neighbours"] :]
        counts[nearest] = False
    return np.sort(table.serial[rows[counts & (square < radius * radius)]])


@kernel
def _look(rows, row, mixes, position, velocity, perception, prefab, torus):
    """Return a mask of the rows that a rule may use, and their squared distances, or infinity for unseen ones."""
    view = field_of_view(row, velocity, perception)
    alike, square = np.zeros(len(rows), np.bool_), np.full(len(rows), f32(np.inf))
    for k in range(len(rows)):
        other = rows[k]
        alike[k] = other != row and (mixes or prefab[other] == prefab[row])
        offset = toward(read(position[row]), read(position[other]), torus)
        d2 = dot(offset, offset)
        if alike[k] and in_view(view, offset, d2):
            square[k] = d2
    return alike, square
