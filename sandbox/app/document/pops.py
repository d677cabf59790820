"""Where a hand has just placed something, for a moment, so that it is seen to pop up."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

SECONDS = 0.35  # how long it pops; seconds of the person, because the world may stand still
MOST = 200  # places that pop up at the same time


@dataclass
class Pop:
    """Places where something pops up.

    Attributes:
        places: u, (n, axes).
        radius: of what was placed, u.
        share: how far it is, 0 to 1.
    """

    places: NDArray[np.float64]
    radius: float
    share: float = 0.0


class Pops:
    """The pops that go on.

    Attributes:
        shown: from the oldest to the latest.
    """

    def __init__(self) -> None:
        self.shown: list[Pop] = []

    def add(self, places: ArrayLike, radius: float) -> None:
        """Let something pop up at places, (n, axes)."""
        self.shown.append(Pop(np.atleast_2d(np.asarray(places, np.float64))[:MOST], radius))
        while sum(len(pop.places) for pop in self.shown) > MOST:
            del self.shown[0]

    def pass_time(self, seconds: float) -> None:
        for pop in self.shown:
            pop.share += seconds / SECONDS
        self.shown = [pop for pop in self.shown if pop.share < 1]
