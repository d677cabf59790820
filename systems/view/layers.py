"""What is part of the scenery, in the order in which it is drawn: the last on top; all else that is drawn: animals."""

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

AROUND = (Wind, Goal)  # drawn around whoever has it: one that moves is drawn as well
THINGS = (Food, Obstacle, Wall)


def animals(table: EntityTable) -> NDArray[np.int32]:
    """The rows of all with a Look that scenery does not draw; what air or a goal goes round is drawn if it moves."""
    rows = table.rows(Position, Look)
    if not any(len(table.rows(component)) for component in (*AROUND, *THINGS)):
        return rows
    things, around, moving = (np.uint64(table.mask(components)) for components in (THINGS, AROUND, [Velocity]))
    had = table.presence[rows]
    found: NDArray[np.int32] = rows[(had & things == 0) & ((had & around == 0) | (had & moving != 0))]
    return found
