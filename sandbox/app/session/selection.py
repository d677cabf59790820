"""Which entities a person has picked out."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from components.store.world import World
from sandbox.serials import Serials


class Selection:
    """Those who are selected; those who die leave it, and are back where they live again.

    Attributes:
        serials: they, ascending and each once.
        choices: how often someone chose; those who die change who is selected, but not this.
    """

    def __init__(self) -> None:
        self.serials = self._chosen = Serials()
        self.choices = 0

    @property
    def array(self) -> NDArray[np.int64]:
        """Their serials, int64 (n,), to be read only."""
        return self.serials.array

    @property
    def one(self) -> int | None:
        """The serial when exactly one is selected."""
        return self.serials[0] if len(self.serials) == 1 else None

    def choose(self, serials: Iterable[int] | NDArray[np.int64]) -> None:
        """Select these and nobody else."""
        self.choices += 1
        self.serials = self._chosen = Serials(serials)

    def keep_living(self, world: World) -> None:
        """Leave out who does not live now."""
        chosen = self._chosen.array
        if len(chosen):
            living = chosen[world.table.rows_of(chosen) >= 0]
            if not np.array_equal(living, self.array):
                self.serials = Serials(living)
