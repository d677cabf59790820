"""Distinguishes scenery, listed in the order in which it is drawn (the last on top), from animals."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from components.guidance import Goal
from components.life import Food
from components.look import Look
from components.motion import Position, Velocity
from components.store.table import EntityTable
from components.terrain import Obstacle, Wall
from components.wind import Wind

AROUND = (Wind, Goal)  # drawn around the entity; one that moves is drawn as an animal too
THINGS = (Food, Obstacle, Wall)


def animals(table: EntityTable) -> NDArray[np.int32]:
    """Return the rows of entities with a Look that are not scenery; those with Wind or Goal only if they move."""
    rows = table.rows(Position, Look)
    if not any(len(table.rows(component)) for component in (*AROUND, *THINGS)):
        return rows
    things, around, moving = (np.uint64(table.mask(components)) for components in (THINGS, AROUND, [Velocity]))
    had = table.presence[rows]
    found: NDArray[np.int32] = rows[(had & things == 0) & ((had & around == 0) | (had & moving != 0))]
    return found
