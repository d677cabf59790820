"""Recent events and their places, for overlays: no system reads them, and no snapshot contains them."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.motion import Position
from components.store.world import World

MOST = 300  # in a tick: more events could not be told apart on the screen, so none of them is recorded
REMEMBERED = 256  # ticks with events

Happened = deque[tuple[int, NDArray[np.float32]]]


def _empty() -> Happened:
    return deque(maxlen=REMEMBERED)


@dataclass
class Happenings:
    """Events as pairs of tick and places, float32 (n, 2), u. Recorded only while the world has this resource.

    Attributes:
        catches: the places where prey was caught.
        births: the places of the parents.
    """

    catches: Happened = field(default_factory=_empty)
    births: Happened = field(default_factory=_empty)

    def forget(self, tick: float) -> None:
        """Delete the events before this tick."""
        for happened in (self.catches, self.births):
            while happened and happened[0][0] < tick:
                happened.popleft()


def note(world: World, happened: str, rows: NDArray[np.integer[Any]]) -> None:
    """Record an event, "catches" or "births", at the places of the entities in these rows that have a Position."""
    happenings = world.resources.get(Happenings)
    if happenings is None or not 0 < len(rows) <= MOST:
        return
    rows = rows[world.table.has(rows, Position)]
    getattr(happenings, happened).append((world.tick, world.table.pairs("Position", rows)))
