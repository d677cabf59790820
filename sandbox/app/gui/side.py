"""Sides of the window on which panels come up, and rectangles of it.

Screens have their origin at the upper left here, as Dear ImGui has it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

GAP = 8.0  # pixels between the world's edge and what stands over it


class Side(Enum):
    """Where a panel comes up for the first time; people can move it."""

    LEFT = "left"
    RIGHT = "right"
    LOWER_RIGHT = "lower right"
    BELOW = "below all else at the right"
    BOTTOM = "bottom"
    FLOATING = "floating"


@dataclass(frozen=True)
class Box:
    """A rectangle of the screen, pixels from the upper left."""

    x: float
    y: float
    width: float
    height: float

    def half(self, right: bool) -> Box:
        """Its right half, or its left one."""
        wide = self.width / 2
        return Box(self.x + wide * right, self.y, wide, self.height)

    def insets(self, width: float, height: float) -> tuple[float, float, float, float]:
        """How much of a screen lies left of it, below, right of it and above, pixels."""
        return self.x, height - self.y - self.height, width - self.x - self.width, self.y
