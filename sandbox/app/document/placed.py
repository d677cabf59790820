"""What a hand has placed lately: it stays marked for some seconds, so that it is found again among others like it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

SECONDS = 5.0  # for which it stays marked; seconds of the person, because the world may stand still
FADES = 1.0  # of these, at the end
MOST = 12  # entities: who places more lately paints, and needs no marks

Serials = NDArray[np.int64]


class Placed:
    """The latest entities that commands placed, a group for each frame."""

    def __init__(self) -> None:
        self._groups: list[tuple[Serials, float]] = []  # serials, and for how many seconds they are kept

    def add(self, serials: Serials) -> None:
        if len(serials):
            self._groups.append((serials, SECONDS))

    def clear(self) -> None:
        self._groups.clear()

    def pass_time(self, seconds: float) -> bool:
        """Return whether something may look different after so many seconds."""
        before = self._groups
        self._groups = [(serials, left - seconds) for serials, left in before if left > seconds]
        return bool(before)

    @property
    def marked(self) -> list[tuple[Serials, float]]:
        """Groups of serials and the opacities of their marks, 0 to 1; nothing while more are placed than are marked."""
        if sum(len(serials) for serials, _ in self._groups) > MOST:
            return []
        return [(serials, min(left / FADES, 1.0)) for serials, left in self._groups]
