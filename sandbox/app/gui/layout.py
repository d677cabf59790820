"""Where panels stand: palette left, inspector right, time bar below, the rest floating; nothing where there is no room.

Screens have their origin at the upper left here, as Dear ImGui has it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

GAP = 8.0  # pixels between a panel and the edge


class Side(Enum):
    """Where a panel stands."""

    LEFT = "left"
    RIGHT = "right"
    BOTTOM = "bottom"
    FLOATING = "floating"


DOCKS = Side.LEFT, Side.RIGHT, Side.BOTTOM
MOST = 0.34  # of the width that a side may take
NARROW, LOW = 620.0, 360.0  # pixels: in a smaller window only the time bar shows
OVER_WORLD = 640.0  # pixels: where the middle is narrower, panels that float elsewhere stand at the right


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

    def is_narrow(self, scale: float) -> bool:
        """Whether a panel over the middle would leave next to nothing of the world; `scale`: of the text."""
        return self.middle.width < OVER_WORLD * scale

    def insets(self, width: float, height: float) -> tuple[float, float, float, float]:
        """How much of the left, lower, right and upper edge is covered, pixels."""
        middle = self.middle
        below, beside = height - middle.y - middle.height, width - middle.x - middle.width
        return middle.x, below, beside, middle.y


def layout(width: float, height: float, top: float, sizes: Mapping[Side, tuple[float, float]], scale: float) -> Layout:
    """Lay out a screen.

    Args:
        top: height of the menu bar, pixels.
        sizes: width and height, pixels, that the panel of a side wants; what it spans counts for nothing.
        scale: of the text.
    """
    gap = GAP * scale
    roomy = width >= NARROW * scale and height >= LOW * scale
    low = height
    bottom = None
    if Side.BOTTOM in sizes:
        tall = sizes[Side.BOTTOM][1] * scale
        bottom = Box(gap, height - tall - gap, width - 2 * gap, tall)
        low = bottom.y
    left = right = None
    begin, end, high = 0.0, width, low - top - 2 * gap
    if roomy and Side.LEFT in sizes:
        left = Box(gap, top + gap, min(sizes[Side.LEFT][0] * scale, MOST * width), high)
        begin = left.x + left.width
    if roomy and Side.RIGHT in sizes:
        wide = min(sizes[Side.RIGHT][0] * scale, MOST * width)
        right = Box(width - wide - gap, top + gap, wide, high)
        end = right.x
    return Layout(left, right, bottom, Box(begin, top, end - begin, low - top))
