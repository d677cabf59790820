"""Whom one entity attends to: the same test as flocking's, on everyone who flocks."""

# mypy: allow-untyped-defs
# (numba finds out the types of kernels)

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from components.flock import EVERYONE, TOPOLOGICAL, Flocker, Perception
from components.motion import Motion, Position, Velocity
from components.store.world import World
from systems.engine.kernel import kernel
from systems.space.flock_grid import rule_radius, view
from systems.space.neighbourhood import in_view
from systems.space.torus import torus_of, toward

f32 = np.float32
RULES = ("separation", "alignment", "cohesion")


def neighbours(world: World, row: int, rule: str) -> NDArray[np.int64]:
    """The serials of a rule's neighbours of the entity in `row`, ascending, int64; as they stand now."""
    table = world.table
    rows = table.rows(Position, Velocity, Motion, Perception, Flocker)
    if not table.has(row, Position, Velocity, Motion, Perception, Flocker):
        return np.zeros(0, np.int64)
    records = [table.records(c) for c in (Position, Velocity, Perception, Flocker)]
    alike, square, reach = _look(rows, row, RULES.index(rule), *records, table.prefab, *torus_of(world))
    perception = table.records(Perception)[row]
    if perception["reach"] == EVERYONE and rule != "separation":
        return np.sort(table.serial[rows[alike]])
    near = square < perception["radius"] * perception["radius"]
    if perception["reach"] == TOPOLOGICAL:
        nearest = np.lexsort((table.serial[rows], square))[perception["neighbours"] :]
        near[nearest] = False
    return np.sort(table.serial[rows[near & (square < reach * reach)]])


@kernel
def _look(rows, row, rule, position, velocity, perception, flocker, prefab, width, height):
    """Which others of these rows a rule may count; the squared distances of those seen, else inf; the rule's radius."""
    radius = perception[row].radius
    if rule == 0:
        reach, mixes = rule_radius(flocker[row].separation_radius, radius), flocker[row].separation_mixes
    elif rule == 1:
        reach, mixes = rule_radius(flocker[row].alignment_radius, radius), flocker[row].alignment_mixes
    else:
        reach, mixes = rule_radius(flocker[row].cohesion_radius, radius), flocker[row].cohesion_mixes
    hx, hy, cone = view(row, velocity, perception)
    alike, square = np.zeros(len(rows), np.bool_), np.full(len(rows), f32(np.inf))
    for k in range(len(rows)):
        other = rows[k]
        alike[k] = other != row and (mixes or prefab[other] == prefab[row])
        dx = toward(position[row].x, position[other].x, width)
        dy = toward(position[row].y, position[other].y, height)
        d2 = dx * dx + dy * dy
        if alike[k] and in_view(dx, dy, d2, hx, hy, cone):
            square[k] = d2
    return alike, square, reach
