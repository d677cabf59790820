"""Whom one entity attends to: the same test as flocking's, on everyone who flocks."""

from __future__ import annotations

from collections import namedtuple

import numpy as np
from numpy.typing import NDArray

from components.flock import EVERYONE, TOPOLOGICAL, Flocker, Perception
from components.motion import Motion, Position, Velocity
from components.store.world import World
from systems.engine.kernel import kernel
from systems.space.field_of_view import field_of_view, in_view
from systems.space.prepared_rules import rule_radius
from systems.space.torus import torus_of, toward

f32 = np.float32
RULES = ("separation", "alignment", "cohesion")


Flockers = namedtuple("Flockers", "position velocity perception flocker prefab")
"""What tells who attends to whom, by table row."""


def rule_neighbours(world: World, row: int, rule: str) -> NDArray[np.int64]:
    """The serials of those whom one of RULES counts for the entity in `row`, ascending, int64; as they stand now."""
    table = world.table
    rows = table.rows(Position, Velocity, Motion, Perception, Flocker)
    if not table.has(row, Position, Velocity, Motion, Perception, Flocker):
        return np.zeros(0, np.int64)
    flockers = Flockers._make((*(table.records(c) for c in (Position, Velocity, Perception, Flocker)), table.prefab))
    alike, square, radius = _look(rows, row, RULES.index(rule), flockers, *torus_of(world))
    perception = table.records(Perception)[row]
    if perception["reach"] == EVERYONE and rule != "separation":
        return np.sort(table.serial[rows[alike]])
    counts = square < perception["radius"] * perception["radius"]
    if perception["reach"] == TOPOLOGICAL:
        nearest = np.lexsort((table.serial[rows], square))[perception["neighbours"] :]
        counts[nearest] = False
    return np.sort(table.serial[rows[counts & (square < radius * radius)]])


@kernel
def _look(rows, row, rule, flockers, width, height):
    """Which others of these rows a rule may count; the squared distances of those seen, else inf; the rule's radius."""
    position, prefab, sees, flocker = (
        flockers.position,
        flockers.prefab,
        flockers.perception[row],
        flockers.flocker[row],
    )
    if rule == 0:
        radius, mixes = rule_radius(flocker.separation_radius, sees.radius), flocker.separation_mixes
    elif rule == 1:
        radius, mixes = rule_radius(flocker.alignment_radius, sees.radius), flocker.alignment_mixes
    else:
        radius, mixes = rule_radius(flocker.cohesion_radius, sees.radius), flocker.cohesion_mixes
    view = field_of_view(row, flockers.velocity, flockers.perception)
    alike, square = np.zeros(len(rows), np.bool_), np.full(len(rows), f32(np.inf))
    for k in range(len(rows)):
        other = rows[k]
        alike[k] = other != row and (mixes or prefab[other] == prefab[row])
        dx = toward(position[row].x, position[other].x, width)
        dy = toward(position[row].y, position[other].y, height)
        d2 = dx * dx + dy * dy
        if alike[k] and in_view(view, dx, dy, d2):
            square[k] = d2
    return alike, square, radius
