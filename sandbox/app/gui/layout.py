"""Where panels stand: palette left, inspector right, time bar below, the rest floating; nothing where there is no room.

Screens have their origin at the upper left here, as Dear ImGui has it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

GAP = 8.0  # pixels between a panel and the edge


class Side(Enum):
    LEFT = "left"
    RIGHT = "right"
    BOTTOM = "bottom"
    FLOATING = "floating"


LEFT_WIDTH, RIGHT_WIDTH, BOTTOM_HEIGHT = 132.0, 320.0, 48.0
NARROW, LOW = 620.0, 360.0  # pixels: in a smaller window only the time bar shows


@dataclass(frozen=True)
class Box:
    """A rectangle of the screen, pixels from the upper left."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Layout:
    """The boxes of the sides that have a panel, and what is left in the middle."""

    left: Box | None
    right: Box | None
    bottom: Box | None
    middle: Box

    def insets(self, width: float, height: float) -> tuple[float, float, float, float]:
        """How much of the left, lower, right and upper edge is covered, pixels."""
        middle = self.middle
        below, beside = height - middle.y - middle.height, width - middle.x - middle.width
        return middle.x, below, beside, middle.y


def layout(width: float, height: float, top: float, open_sides: set[Side], scale: float) -> Layout:
    """Lay out a screen.

    Args:
        top: height of the menu bar, pixels.
        open_sides: sides on which a panel is open.
        scale: of the text.
    """
    gap = GAP * scale
    roomy = width >= NARROW * scale and height >= LOW * scale
    low = height
    bottom = None
    if Side.BOTTOM in open_sides:
        tall = BOTTOM_HEIGHT * scale
        bottom = Box(gap, height - tall - gap, width - 2 * gap, tall)
        low = bottom.y
    left = right = None
    begin, end, high = 0.0, width, low - top - 2 * gap
    if roomy and Side.LEFT in open_sides:
        left = Box(gap, top + gap, LEFT_WIDTH * scale, high)
        begin = left.x + left.width
    if roomy and Side.RIGHT in open_sides:
        wide = min(RIGHT_WIDTH * scale, 0.42 * width)
        right = Box(width - wide - gap, top + gap, wide, high)
        end = right.x
    return Layout(left, right, bottom, Box(begin, top, end - begin, low - top))
