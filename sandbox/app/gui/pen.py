"""Draws lines, areas, words and pictures on a panel, at pixels of the screen from its upper left."""

from __future__ import annotations

from typing import Any

from imgui_bundle import imgui

from sandbox.app.gui.blocks import Size
from sandbox.app.gui.theme import Rgba, u32

WHITE = 0xFFFFFFFF


class Pen:
    """Draws over what the panel shows so far; widths and radii are pixels."""

    def __init__(self) -> None:
        self._drawn = imgui.get_window_draw_list()

    def end(self) -> None:
        """Draw no more: after the frame, Dear ImGui would crash the program."""
        del self._drawn

    def line(self, begin: Size, end: Size, colour: Rgba, width: float = 1.0) -> None:
        """Draw a line."""
        self._drawn.add_line(begin, end, u32(colour), width)

    def curve(self, begin: Size, one: Size, other: Size, end: Size, colour: Rgba, width: float = 1.0) -> None:
        """Draw a Bezier curve that leaves `begin` towards `one`, and comes to `end` from `other`."""
        self._drawn.add_bezier_cubic(begin, one, other, end, u32(colour), width)

    def box(self, low: Size, high: Size, colour: Rgba, rounding: float = 0.0) -> None:
        """Fill a rectangle."""
        self._drawn.add_rect_filled(low, high, u32(colour), rounding)

    def border(self, low: Size, high: Size, colour: Rgba, rounding: float = 0.0, width: float = 1.0) -> None:
        """Draw the edges of a rectangle."""
        self._drawn.add_rect(low, high, u32(colour), rounding, width)

    def disc(self, centre: Size, radius: float, colour: Rgba) -> None:
        """Fill a circle."""
        self._drawn.add_circle_filled(centre, radius, u32(colour))

    def circle(self, centre: Size, radius: float, colour: Rgba, width: float = 1.0) -> None:
        """Draw a circle."""
        self._drawn.add_circle(centre, radius, u32(colour), 0, width)

    def triangle(self, one: Size, two: Size, three: Size, colour: Rgba) -> None:
        """Fill a triangle."""
        self._drawn.add_triangle_filled(one, two, three, u32(colour))

    def text(self, at: Size, colour: Rgba, text: str) -> None:
        """Write a line of text, which is not translated."""
        self._drawn.add_text(at, u32(colour), text)

    def picture(self, picture: Any, low: Size, high: Size, rounding: float = 0.0, *, upside_down: bool = False) -> None:
        """Draw a texture."""
        top, below = (1.0, 0.0) if upside_down else (0.0, 1.0)
        self._drawn.add_image_rounded(picture, low, high, (0, top), (1, below), WHITE, rounding)
