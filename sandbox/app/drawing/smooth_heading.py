"""The smoothed heading of animals: what a camera that rides on them, or follows them from behind, looks along."""

from __future__ import annotations

import numpy as np

from components.motion import Velocity
from components.store.world import World
from sandbox.app.drawing.places import Rows, headings
from sandbox.app.drawing.space.camera import Floats

RIDES, FOLLOWS = 0.12, 0.4  # s: the half-lives with which the view of a rider and of a follower turns


class SmoothHeading:
    """Follows the mean heading of animals, at first at once."""

    def __init__(self) -> None:
        self._mean = np.zeros(3)

    def forget(self) -> None:
        """Take on the next heading at once."""
        self._mean = np.zeros(3)

    def turn(self, world: World, rows: Rows, seconds: float, half_life: float) -> Floats:
        """Return the smoothed heading after so many seconds: a unit vector, (3,); zeros if none of them has moved."""
        moving = rows[world.table.has(rows, Velocity)]
        if len(moving):
            turned = 1 - 0.5 ** (seconds / half_life) if self._mean.any() else 1.0
            self._mean += turned * (headings(world, moving).mean(axis=0, dtype=np.float64) - self._mean)
        found: Floats = self._mean / max(float(np.linalg.norm(self._mean)), 1e-9)
        return found
