"""The selected entities."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from components.store.world import World
from sandbox.serials import Serials


class Selection:
    """The selection; entities that die leave it, and return to it if they live again, after undo or a seek.

    Attributes:
        serials: the serials of the selected entities, ascending and unique.
        choices: the number of calls of `choose`; deaths change the selection, but not this.
    """

    def __init__(self) -> None:
        self.serials = self._chosen = Serials()
        self.choices = 0

    @property
    def array(self) -> NDArray[np.int64]:
        """The serials as an array, int64 (n,), read-only."""
        return self.serials.array

    @property
    def one(self) -> int | None:
        """The serial if exactly one entity is selected, else None."""
        return self.serials[0] if len(self.serials) == 1 else None

    def choose(self, serials: Iterable[int] | NDArray[np.int64]) -> None:
        """Select exactly these entities."""
        self.choices += 1
        self.serials = self._chosen = Serials(serials)

    def keep_living(self, world: World) -> None:
        """Update `serials` to the chosen entities that are alive."""
        chosen = self._chosen.array
        if len(chosen):
            living = chosen[world.table.rows_of(chosen) >= 0]
            if not np.array_equal(living, self.array):
                self.serials = Serials(living)
