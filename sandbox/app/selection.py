"""Which entities a person has picked out."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from components.store.world import World


class Selection:
    """Serials, ascending and each once; those who die leave it.

    Attributes:
        serials: they as a tuple; `array`: as int64 (n,), for a hundred thousand of them.
        choices: how often someone chose; those who die change who is selected, but not this.
    """

    def __init__(self) -> None:
        self.serials: tuple[int, ...] = ()
        self.array: NDArray[np.int64] = np.zeros(0, np.int64)
        self.choices = 0

    @property
    def one(self) -> int | None:
        """The serial when exactly one is selected."""
        return self.serials[0] if len(self.serials) == 1 else None

    def choose(self, serials: Iterable[int]) -> None:
        """Select these and nobody else."""
        self.choices += 1
        self._hold(np.unique(np.fromiter(serials, np.int64)))

    def forget_dead(self, world: World) -> None:
        """Leave out who no longer lives."""
        if len(self.array) and not (living := world.table.rows_of(self.array) >= 0).all():
            self._hold(self.array[living])

    def _hold(self, array: NDArray[np.int64]) -> None:
        self.array, self.serials = array, tuple(array.tolist())
