"""Where something happened of late, for those who watch: nothing in the tick reads it, and no snapshot holds it."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.motion import Position
from components.store.world import World

MOST = 300  # in a tick: of more than can be told apart nothing is noted
REMEMBERED = 256  # ticks in which something happened

Happened = deque[tuple[int, NDArray[np.float32]]]


def _empty() -> Happened:
    return deque(maxlen=REMEMBERED)


@dataclass
class Happenings:
    """Ticks and places, float32 (n, 2), u. A world holds it while someone watches, and only then it is kept.

    Attributes:
        catches: where prey was caught.
        births: where the parents of those born stood.
    """

    catches: Happened = field(default_factory=_empty)
    births: Happened = field(default_factory=_empty)

    def forget(self, tick: float) -> None:
        """Forget what happened before this tick."""
        for happened in (self.catches, self.births):
            while happened and happened[0][0] < tick:
                happened.popleft()


def note(world: World, happened: str, rows: NDArray[np.integer[Any]]) -> None:
    """Note for those who watch what happened to those in these rows who are somewhere: "catches" or "births"."""
    happenings = world.resources.get(Happenings)
    if happenings is None or not 0 < len(rows) <= MOST:
        return
    rows = rows[world.table.has(rows, Position)]
    getattr(happenings, happened).append((world.tick, world.table.pairs("Position", rows)))
