"""The screen of a camera: what panels leave free of it, and its halves in Compare."""

from __future__ import annotations

LEAST_FREE = 40.0  # pixels


class Screen:
    """A screen with its origin at the lower left, y up.

    Attributes:
        screen: width and height of the window, pixels.
        insets: pixels covered by panels at the left, lower, right and upper edge.
    """

    screen: tuple[int, int]
    insets: tuple[float, float, float, float]

    @property
    def free(self) -> tuple[float, float]:
        """Width and height of the area that panels leave free, pixels; at least LEAST_FREE."""
        left, low, right, top = self.insets
        return max(self.screen[0] - left - right, LEAST_FREE), max(self.screen[1] - low - top, LEAST_FREE)

    @property
    def free_screen(self) -> tuple[int, int]:
        """Width and height of the area that panels leave free, whole pixels."""
        width, height = self.free
        return round(width), round(height)

    def uncovered(self, off: tuple[float, float] = (0.0, 0.0)) -> tuple[int, int, int, int]:
        """Return the area that panels leave free: left and lower edge, width, height, in whole pixels.

        Args:
            off: how far off it the area is, as the second world's in Compare.
        """
        (width, height), (left, low, right, top) = self.screen, self.insets
        begin, end = (min(max(round(x + off[0]), 0), width) for x in (left, width - right))
        below, above = (min(max(round(y + off[1]), 0), height) for y in (low, height - top))
        return begin, below, max(end - begin, 0), max(above - below, 0)

    def seam(self, second: bool, stacked: bool) -> int:
        """Return where the two halves of the screen meet in Compare: an x, or a y if they are stacked.

        Args:
            second: whether this view is the right or the lower half.
            stacked: whether the halves lie one above the other.
        """
        (width, height), (left, low, right, top) = self.screen, self.insets
        if stacked:
            return min(max(round(height - top if second else low), 0), height)
        return min(max(round(left if second else width - right), 0), width)

    def to_other_half(self, second: bool, stacked: bool) -> tuple[float, float]:
        """Return the way from a pixel of this view's half to the same place in the other half, pixels."""
        wide, high = self.free
        if stacked:
            return 0.0, high if second else -high
        return -wide if second else wide, 0.0

    def in_own_half(self, x: float, y: float, second: bool, stacked: bool) -> tuple[float, float]:
        """Return the pixel of this view's half in Compare that shows the place under a pixel of either half."""
        seam = self.seam(second, stacked)
        is_second = y < seam if stacked else x >= seam
        away = self.to_other_half(second, stacked) if is_second != second else (0.0, 0.0)
        return x - away[0], y - away[1]
