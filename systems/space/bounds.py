"""What holds everyone who moves: the bounds of Position and Velocity, and the edges of a "bounce" world."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from components.motion import Position, Velocity
from systems.engine.settings import Settings

FARTHEST = float(Position.fields["x"].high)  # type: ignore[attr-defined]  # u
FASTEST = float(Velocity.fields["x"].high)  # type: ignore[attr-defined]  # u/s


class Box(NamedTuple):
    """The rectangle that nobody leaves, u: numbers that float32 holds, so that rounding leads nobody out."""

    left: float
    bottom: float
    right: float
    top: float


def box_of(settings: Settings) -> Box:
    """The box of a world; a torus has none."""
    if settings.edges == "bounce":
        return Box(0.0, 0.0, settings.width, settings.height)
    far = np.inf if settings.edges == "wrap" else FARTHEST
    return Box(-far, -far, far, far)
