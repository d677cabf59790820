"""What the pictures of Explain are drawn with: places of the world turned to pixels, animals, arrows, cones."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from imgui_bundle import imgui
from numpy.typing import NDArray

from sandbox.app.drawing.colours import Rgb, number_of
from sandbox.app.gui.chart_lines import legible
from sandbox.app.gui.theme import Rgba, u32

Pixel = tuple[float, float]
Along = tuple[float, ...] | NDArray[np.float64]
ANIMAL = 4.7  # pixels: half its length
HALO = 2.4  # pixels of ground around an arrow


@dataclass
class Sheet:
    """Where a picture is drawn.

    Attributes:
        corner, size: pixel of its upper left corner, and pixels across and down.
        middle: pixel of the one explained; `half`: pixels to the nearest edge; `scale`: of the text.
        per_u: pixels in a u.
        up: cosine and sine by which the world is turned.
        ground: what it is drawn on; every colour is made dark or light enough to show there.
    """

    lines: imgui.ImDrawList
    corner: Pixel
    size: Pixel
    scale: float
    per_u: float
    up: Pixel
    ground: Rgba

    def ink(self, rgb: Rgb, alpha: float = 1.0) -> int:
        """A colour, as it shows on the ground, for Dear ImGui's draw lists."""
        return u32((*legible(number_of(rgb), self.ground)[:3], alpha))

    @property
    def middle(self) -> Pixel:
        return self.corner[0] + self.size[0] / 2, self.corner[1] + self.size[1] / 2

    @property
    def half(self) -> float:
        return min(self.size) / 2

    def way(self, vector: Along) -> Pixel:
        """A direction of the world as one of the screen, y down."""
        x, y = float(vector[0]), float(vector[1])
        return x * self.up[0] - y * self.up[1], -(x * self.up[1] + y * self.up[0])

    def place(self, offset: Along) -> Pixel:
        """The pixel of an offset from the one explained, u."""
        x, y = self.way(offset)
        return self.middle[0] + x * self.per_u, self.middle[1] + y * self.per_u

    def line(self, begin: Pixel, end: Pixel, rgb: Rgb, alpha: float = 1.0, width: float = 1.5) -> None:
        """A straight line; `width` in pixels at the usual size of text."""
        self.lines.add_line(imgui.ImVec2(*begin), imgui.ImVec2(*end), self.ink(rgb, alpha), width * self.scale)

    def text(self, words: str, rgb: Rgb, low: bool = False) -> None:
        """Words in the upper left corner, or the lower."""
        down = self.size[1] - 20 * self.scale if low else 4 * self.scale
        place = imgui.ImVec2(self.corner[0] + 6 * self.scale, self.corner[1] + down)
        self.lines.add_text(place, self.ink(rgb), words)

    def disc(self, place: Pixel, radius: float, rgb: Rgb, alpha: float) -> None:
        self.lines.add_circle_filled(imgui.ImVec2(*place), radius, self.ink(rgb, alpha))

    def cone(
        self, heading: Along, fov: float, radius: float, line: tuple[Rgb, float], fill: tuple[Rgb, float] | None = None
    ) -> None:
        """As much of a circle of `radius` (u) as lies in a field of view (degrees); without a heading all of it."""
        lines, middle, radius = self.lines, imgui.ImVec2(*self.middle), radius * self.per_u
        edge, ground = self.ink(*line), self.ink(*fill) if fill else 0
        x, y = self.way(heading)
        if fov >= 360 or (x == 0 and y == 0):
            lines.add_circle_filled(middle, radius, ground)
            lines.add_circle(middle, radius, edge, 0, 1.5 * self.scale)
            return
        ahead, half = math.atan2(y, x), math.radians(fov / 2)
        for fills in (True, False):
            lines.path_line_to(middle)
            lines.path_arc_to(middle, radius, ahead - half, ahead + half, 48)
            if fills:
                lines.path_fill_concave(ground)
            else:
                lines.path_stroke(edge, 1.5 * self.scale, imgui.ImDrawFlags_.closed)

    def animal(self, place: Pixel, velocity: Along, rgb: Rgb, alpha: float = 1.0, larger: float = 1.0) -> None:
        """A triangle along its heading; at rest, and what never moves, a dot."""
        half = larger * ANIMAL * self.scale
        x, y = self.way(velocity)
        size = math.hypot(x, y)
        if size == 0:
            self.disc(place, 0.75 * half, rgb, alpha)
            return
        x, y = half * x / size, half * y / size
        self.lines.add_triangle_filled(
            imgui.ImVec2(place[0] + 1.2 * x, place[1] + 1.2 * y),
            imgui.ImVec2(place[0] - x - 0.62 * y, place[1] - y + 0.62 * x),
            imgui.ImVec2(place[0] - x + 0.62 * y, place[1] - y - 0.62 * x),
            self.ink(rgb, alpha),
        )

    def arrow(
        self, vector: Along, length: float, rgb: Rgb, alpha: float = 1.0, head: float = 13, width: float = 4
    ) -> None:
        """An arrow of `length` pixels from the middle; one that can't be seen through has a dark edge."""
        x, y = self.way(vector)
        size = math.hypot(x, y)
        if size == 0:
            return
        way, head = (x / size, y / size), min(head * self.scale, 0.6 * length)
        if alpha == 1:
            self._pointer(way, length, head, width * self.scale, HALO * self.scale, u32(self.ground))
        self._pointer(way, length, head, width * self.scale, 0.0, self.ink(rgb, alpha))

    def _pointer(self, way: Pixel, length: float, head: float, width: float, extra: float, ink: int) -> None:
        (left, top), (x, y) = self.middle, way
        neck_x, neck_y = left + (length - head) * x, top + (length - head) * y
        side, back = 0.55 * head + 0.8 * extra, 0.4 * extra
        self.lines.add_line(imgui.ImVec2(left, top), imgui.ImVec2(neck_x, neck_y), ink, width + extra)
        self.lines.add_triangle_filled(
            imgui.ImVec2(left + (length + extra) * x, top + (length + extra) * y),
            imgui.ImVec2(neck_x - back * x - side * y, neck_y - back * y + side * x),
            imgui.ImVec2(neck_x - back * x + side * y, neck_y - back * y - side * x),
            ink,
        )
