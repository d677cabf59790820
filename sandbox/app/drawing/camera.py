"""The camera: the view of the world, which maps its places to pixels of the screen. Plain arithmetic, no graphics."""

from __future__ import annotations

import math
from copy import copy
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sandbox.app.drawing.screen import Screen

CLOSEST = 64.0  # pixels per u
ROUNDING = 1e-6
NEARLY = 0.999  # share of the zoom that fits the world which counts as fitting, because of rounding
MOST_CUT = 1 / 6  # of the world's width or height that may be beyond the edges of a fitted view
MOST_COPIES = 6  # of a torus that the screen may be wide or high; with more it is drawn once
CENTRED = 0.5  # share of the fitting zoom at and below which the world stays in the middle


@dataclass
class Camera(Screen):
    """A view of the world. Screen and world both have their origin at the lower left, y up.

    Attributes:
        world_size: width and height of the world, u.
        screen: width and height of the window, pixels.
        insets: pixels covered by panels at the left, lower, right and upper edge; a fitted world avoids them.
        x, y: the place in the middle of the screen, u.
        zoom: pixels per u.
        fitted: whether it was fitted to the world, and has not been moved since.
        wraps: whether the world is a torus, which is repeated beyond its edges, to those of the screen.
        moved_by: the offset of this copy of a camera, u; see `moved`.
    """

    world_size: tuple[float, float]
    screen: tuple[int, int]
    insets: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    x: float = 0.0
    y: float = 0.0
    zoom: float = 1.0
    fitted: bool = True
    wraps: bool = False
    moved_by: tuple[float, float] = (0.0, 0.0)

    def __post_init__(self) -> None:
        self.fit()

    def fit(self) -> None:
        """Show the world in the area that panels leave free, which it fills if that hides MOST_CUT of it at most."""
        filling = max(self._ratios)
        self.zoom = filling if filling * (1 - MOST_CUT) <= self.fitting else self.fitting
        self.look_at(self.world_size[0] / 2, self.world_size[1] / 2)
        self.fitted = True

    def fill(self) -> None:
        """Show so much of the world, around its middle, that it fills the area that panels leave free."""
        self.zoom = max(self._ratios)
        self.look_at(self.world_size[0] / 2, self.world_size[1] / 2)

    def look_at(self, x: float, y: float) -> None:
        """Centre a place in the area that panels leave free.

        A place outside the world is clamped to its edges, or wrapped on a torus. If the view is larger than a world
        with edges, the place is limited to its middle, the more so the smaller the zoom.
        """
        self.centre(*self._limited(x, y))

    def centre(self, x: float, y: float) -> None:
        """Centre a place in the area that panels leave free, also one outside the world; on a torus it is wrapped."""
        left, low, right, top = self.insets
        self.fitted = False
        if self.wraps:
            x, y = x % self.world_size[0], y % self.world_size[1]
        self.x, self.y = x + (right - left) / 2 / self.zoom, y + (top - low) / 2 / self.zoom

    @property
    def strays(self) -> bool:
        """Whether it looks at a place to which `look_at` does not lead."""
        return math.dist(self.looks_at, self._limited(*self.looks_at)) * self.zoom > ROUNDING

    def without_panels(self) -> Camera:
        """Return a camera whose whole screen is the area that panels leave free, and which shows the same there."""
        other = copy(self)
        other.x, other.y = self.looks_at
        other.screen, other.insets = self.free_screen, (0.0, 0.0, 0.0, 0.0)
        return other

    def keep_clear(self, insets: tuple[float, float, float, float], *, moves: bool = False) -> None:
        """Set the insets that panels cover; a fitted view is fitted again.

        Args:
            moves: whether to move the place in the middle of the free area to the middle of the new one.
        """
        if insets != self.insets:
            place = self.looks_at
            self.insets = insets
            if moves and not self.fitted:
                self.look_at(*place)
            else:
                self._settle()

    def look_over(self, world_size: tuple[float, ...], wraps: bool = False) -> None:
        """Set the size of the world, and whether it is a torus; a fitted view is fitted again."""
        if (world_size, wraps) != (self.world_size, self.wraps):
            self.world_size, self.wraps = (world_size[0], world_size[1]), wraps
            self._settle()

    @property
    def tiles(self) -> bool:
        """Whether copies of a torus are drawn beyond its edges: always, unless the screen has room for too many."""
        most = MOST_COPIES * self.zoom
        return self.wraps and all(side <= most * size for side, size in zip(self.screen, self.world_size, strict=True))

    def copies(self) -> list[tuple[float, float]]:
        """Return the shifts (u) of all copies of the world in the area that panels leave free, itself included.

        A view that was moved shows there what it showed before.
        """
        if not self.tiles:
            return [(0.0, 0.0)]
        left, below, right, above = self.insets
        corners = self.to_world(left, below), self.to_world(self.screen[0] - right, self.screen[1] - above)
        low, high = ((x - self.moved_by[0], y - self.moved_by[1]) for x, y in corners)
        first = [math.floor(place / size + ROUNDING) for place, size in zip(low, self.world_size, strict=True)]
        last = [math.ceil(place / size - ROUNDING) - 1 for place, size in zip(high, self.world_size, strict=True)]
        columns, lines = (range(first[axis], last[axis] + 1) for axis in (0, 1))
        return [(column * self.world_size[0], line * self.world_size[1]) for column in columns for line in lines]

    def moved(self, x: float, y: float) -> Camera:
        """Return this camera moved by an offset, u, which shows the same elsewhere on the screen."""
        other = copy(self)
        other.x, other.y, other.moved_by = self.x + x, self.y + y, (self.moved_by[0] + x, self.moved_by[1] + y)
        return other

    def aside(self, right: float, up: float) -> Camera:
        """Return a camera that shows the same, moved by some pixels of the screen."""
        return self.moved(-right / self.zoom, -up / self.zoom)

    @property
    def matrix(self) -> NDArray[np.float64]:
        """What makes clip space (-1 to 1) of offsets from the middle, u: (x, y, 0, 1), as a column."""
        width, height = self.screen
        return np.diag([2 * self.zoom / width, 2 * self.zoom / height, 1.0, 1.0])

    def ray(self, x: float, y: float) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
        """Return where the line of sight through a pixel begins (u), and its direction, a unit vector."""
        width, height = self.screen
        return (self.x + (x - width / 2) / self.zoom, self.y + (y - height / 2) / self.zoom, 0.0), (0.0, 0.0, -1.0)

    def project(self, places: ArrayLike) -> NDArray[np.float64]:
        """Return the pixels that show places (u): both have the shape (..., 2)."""
        offsets = np.asarray(places, np.float64) - (self.x, self.y)
        shown = offsets @ self.matrix[:2, :2]
        return (shown + 1) / 2 * self.screen

    def size_at(self, x: float, y: float) -> float:
        """Return how many pixels show 1 u at a place."""
        return self.zoom

    @property
    def looks_at(self) -> tuple[float, float]:
        """The place (u) in the middle of the area that panels leave free."""
        left, low, right, top = self.insets
        return self.x + (left - right) / 2 / self.zoom, self.y + (low - top) / 2 / self.zoom

    @property
    def sees(self) -> tuple[float, float, float, float]:
        """Middle, width and height of the area that panels leave free, u; of the world if the view is fitted."""
        if self.fitted:
            return (self.world_size[0] / 2, self.world_size[1] / 2, *self.world_size)
        return (*self.looks_at, self.free[0] / self.zoom, self.free[1] / self.zoom)

    def to_world(self, x: float, y: float) -> tuple[float, float]:
        """Return the place (u) under a pixel, where its ray meets the plane of the world."""
        place, _ = self.ray(x, y)
        return place[:2]

    def pan(self, dx: float, dy: float) -> None:
        """Move the world by some pixels; the middle of the free area stays within the world."""
        x, y = self.looks_at
        self.look_at(x - dx / self.zoom, y - dy / self.zoom)

    def zoom_at(self, x: float, y: float, factor: float) -> None:
        """Zoom in by a factor; the place under this pixel stays there unless the view would leave the world."""
        place = self.to_world(x, y)
        farthest = self.fitting if self.wraps else self.fitting / 4
        closest = max(CLOSEST, farthest)
        # After a resize the zoom may be out of range: then it goes no farther, but is not clamped at once either.
        self.zoom = min(max(self.zoom * factor, min(farthest, self.zoom)), max(closest, self.zoom))
        moved, (at_x, at_y) = self.to_world(x, y), self.looks_at
        self.look_at(at_x + place[0] - moved[0], at_y + place[1] - moved[1])

    def resize(self, width: int, height: int) -> None:
        """Set the size of the window; a fitted view is fitted again, any other keeps its middle and zoom."""
        self.screen = (max(width, 1), max(height, 1))
        self._settle()

    def _settle(self) -> None:
        """Fit a fitted view again, or clamp any other, after world, screen or insets have changed."""
        if self.fitted:
            self.fit()
        else:
            self.look_at(*self.looks_at)

    def _limited(self, x: float, y: float) -> tuple[float, float]:
        """Return the place to which `look_at` leads, but for the wrapping on a torus."""
        if self.wraps:
            return x, y
        share = self.zoom / self.fitting
        freedom = 1.0 if share >= NEARLY else max((share - CENTRED) / (NEARLY - CENTRED), 0.0)
        x, y = (
            min(max(coordinate, size / 2 * (1 - freedom)), size / 2 * (1 + freedom))
            for coordinate, size in zip((x, y), self.world_size, strict=True)
        )
        return x, y

    @property
    def fitting(self) -> float:
        """The zoom at which the whole world fits the area that panels leave free."""
        return min(self._ratios)

    @property
    def _ratios(self) -> tuple[float, float]:
        """The zooms at which the world is as wide, and as high, as the area that panels leave free."""
        width, height = self.free
        return width / self.world_size[0], height / self.world_size[1]
