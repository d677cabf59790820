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
    """

    def __init__(self) -> None:
        self.serials: tuple[int, ...] = ()
        self.array: NDArray[np.int64] = np.zeros(0, np.int64)

    @property
    def one(self) -> int | None:
        """The serial when exactly one is selected."""
        return self.serials[0] if len(self.serials) == 1 else None

    def choose(self, serials: Iterable[int]) -> None:
        """Select these and nobody else."""
        self.array = np.unique(np.fromiter(serials, np.int64))
        self.serials = tuple(self.array.tolist())

    def forget_dead(self, world: World) -> None:
        """Leave out who no longer lives."""
        if len(self.array) and not (living := world.table.rows_of(self.array) >= 0).all():
            self.choose(self.array[living].tolist())
