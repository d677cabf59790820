"""Which part of the world is seen, and where on the screen: plain arithmetic, no graphics."""

from __future__ import annotations

import math
from copy import copy
from dataclasses import dataclass

CLOSEST = 64.0  # pixels per u
NEARLY = 0.999  # of the zoom at which a world fits: it may have been computed by another way
LEAST_FREE = 40.0  # pixels
CENTRED = 0.5  # of that zoom: from there out the world stays in the middle


@dataclass
class Camera:
    """Looks at a point of the world. Screens and worlds both have their origin at the lower left, y up.

    Attributes:
        world: width and height of the world, u.
        screen: width and height of the window, pixels.
        insets: pixels at the left, lower, right and upper edge that panels cover: a fitted world keeps clear of them.
        x, y: what is in the middle of the screen, u.
        zoom: pixels per u.
        fitted: nobody has moved it since it showed the whole world.
        wraps: the world is a torus: it goes on beyond its edges.
    """

    world: tuple[float, float]
    screen: tuple[int, int]
    insets: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    x: float = 0.0
    y: float = 0.0
    zoom: float = 1.0
    fitted: bool = True
    wraps: bool = False

    def __post_init__(self) -> None:
        self.fit()

    def fit(self) -> None:
        """Show the whole world, as large as it goes."""
        self.zoom = self._fitting()
        self.look_at(self.world[0] / 2, self.world[1] / 2)
        self.fitted = True

    def look_at(self, x: float, y: float) -> None:
        """Have a place in the middle of what panels leave free.

        For a place outside the world the nearest inside; in one that goes on there, the same place inside. Where more
        than the world is seen it is drawn towards the middle.
        """
        left, low, right, top = self.insets
        self.fitted = False
        if self.tiles:
            x, y = x % self.world[0], y % self.world[1]
        reach = self._reach()
        x, y = (
            min(max(place, size / 2 * (1 - reach)), size / 2 * (1 + reach))
            for place, size in zip((x, y), self.world, strict=True)
        )
        self.x, self.y = x + (right - left) / 2 / self.zoom, y + (top - low) / 2 / self.zoom

    def without_panels(self) -> Camera:
        """What panels leave free of this view, over the whole screen."""
        other, place, fitting = copy(self), self.looks_at, self._fitting()
        other.insets = 0.0, 0.0, 0.0, 0.0
        if other.fitted:
            other.fit()
        else:
            other.zoom *= other._fitting() / fitting
            other.look_at(*place)
        return other

    def keep_clear(self, insets: tuple[float, float, float, float], *, moves: bool = False) -> None:
        """Panels cover other edges now: a fitted view is fitted anew.

        Args:
            moves: what was in the middle is to be in the middle of what is free now.
        """
        if insets != self.insets:
            place = self.looks_at
            self.insets = insets
            if moves and not self.fitted:
                self.look_at(*place)
            else:
                self._settle()

    def halves(self, right: bool) -> tuple[tuple[int, int, int, int], tuple[int, int, int, int]]:
        """The left and the right part of the screen where this view is one half: left and lower edge, width, height.

        Args:
            right: it is the right half.
        """
        width, height = self.screen
        seam = min(max(round(self.insets[0] if right else width - self.insets[2]), 0), width)
        return (0, 0, seam, height), (seam, 0, width - seam, height)

    def look_over(self, world: tuple[float, float], wraps: bool = False) -> None:
        """The world has this size now, and is a torus or not: a fitted view is fitted anew."""
        if (world, wraps) != (self.world, self.wraps):
            self.world, self.wraps = world, wraps
            self._settle()

    @property
    def tiles(self) -> bool:
        """Whether copies of the world are seen beyond its edges; one that is seen whole is seen once."""
        return self.wraps and not self.fitted and self.zoom >= NEARLY * self._fitting()

    def copies(self) -> list[tuple[float, float]]:
        """How far (u) from the world each copy of it lies that is seen, itself among them."""
        if not self.tiles:
            return [(0.0, 0.0)]
        low, high = self.to_world(0, 0), self.to_world(*self.screen)
        first = [math.floor(place / size) for place, size in zip(low, self.world, strict=True)]
        last = [math.floor(place / size) for place, size in zip(high, self.world, strict=True)]
        columns, lines = (range(first[axis], last[axis] + 1) for axis in (0, 1))
        return [(column * self.world[0], line * self.world[1]) for column in columns for line in lines]

    def moved(self, x: float, y: float) -> Camera:
        """The view from so far beside it, u."""
        other = copy(self)
        other.x, other.y = self.x + x, self.y + y
        return other

    @property
    def scale(self) -> tuple[float, float]:
        """How much of clip space, which goes from -1 to 1, a u takes along x and y."""
        return 2 * self.zoom / self.screen[0], 2 * self.zoom / self.screen[1]

    @property
    def free(self) -> tuple[float, float]:
        """Width and height of what panels leave free, pixels; a little at least, also of a tiny window."""
        left, low, right, top = self.insets
        return max(self.screen[0] - left - right, LEAST_FREE), max(self.screen[1] - low - top, LEAST_FREE)

    @property
    def looks_at(self) -> tuple[float, float]:
        """The place (u) in the middle of what panels leave free."""
        left, low, right, top = self.insets
        return self.x + (left - right) / 2 / self.zoom, self.y + (low - top) / 2 / self.zoom

    @property
    def sees(self) -> tuple[float, float, float, float]:
        """What panels leave free of this view: its middle, width and height, u; where it is fitted, the world."""
        if self.fitted:
            return (self.world[0] / 2, self.world[1] / 2, *self.world)
        return (*self.looks_at, self.free[0] / self.zoom, self.free[1] / self.zoom)

    def to_world(self, x: float, y: float) -> tuple[float, float]:
        """The place (u) under a pixel."""
        return self.x + (x - self.screen[0] / 2) / self.zoom, self.y + (y - self.screen[1] / 2) / self.zoom

    def to_screen(self, x: float, y: float) -> tuple[float, float]:
        """The pixel that shows a place (u)."""
        return (x - self.x) * self.zoom + self.screen[0] / 2, (y - self.y) * self.zoom + self.screen[1] / 2

    def pan(self, dx: float, dy: float) -> None:
        """Drag the world along by so many pixels; the middle of what panels leave free stays within it."""
        x, y = self.looks_at
        self.look_at(x - dx / self.zoom, y - dy / self.zoom)

    def zoom_at(self, x: float, y: float, factor: float) -> None:
        """Come closer by a factor; the place under this pixel stays where it is, unless the world would be left."""
        place = self.to_world(x, y)
        farthest = self._fitting() / 4
        closest = max(CLOSEST, farthest)
        # The window may have been another: a zoom beyond these bounds goes no farther, nor back at once.
        self.zoom = min(max(self.zoom * factor, min(farthest, self.zoom)), max(closest, self.zoom))
        moved, (at_x, at_y) = self.to_world(x, y), self.looks_at
        self.look_at(at_x + place[0] - moved[0], at_y + place[1] - moved[1])

    def resize(self, width: int, height: int) -> None:
        """The window has another size: a fitted view stays fitted, another keeps its middle and its zoom."""
        self.screen = (max(width, 1), max(height, 1))
        self._settle()

    def _settle(self) -> None:
        """What is shown, or where, has changed."""
        if self.fitted:
            self.fit()
        else:
            self.look_at(*self.looks_at)

    def _reach(self) -> float:
        """How far off the middle of the world one may look: 0 for not at all, 1 as far as its edges."""
        share = self.zoom / self._fitting()
        if share >= NEARLY or self.tiles:
            return 1.0
        return 0.0 if self.wraps else max((share - CENTRED) / (NEARLY - CENTRED), 0.0)

    def _fitting(self) -> float:
        width, height = self.free
        return min(width / self.world[0], height / self.world[1])
