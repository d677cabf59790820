"""Which entities a person has picked out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from components.store.world import World


@dataclass
class Selection:
    """Serials, ascending and each once; those who die leave it."""

    serials: tuple[int, ...] = ()

    @property
    def one(self) -> int | None:
        """The serial when exactly one is selected."""
        return self.serials[0] if len(self.serials) == 1 else None

    def choose(self, serials: Iterable[int]) -> None:
        """Select these and nobody else."""
        self.serials = tuple(sorted({int(serial) for serial in serials}))

    def forget_dead(self, world: World) -> None:
        """Leave out who no longer lives."""
        if self.serials:
            wanted = np.array(self.serials, np.int64)
            self.serials = tuple(wanted[world.table.rows_of(wanted) >= 0].tolist())
