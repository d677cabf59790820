"""Lines and their symbols: ImPlot draws each piece of a line by itself, which leaves holes between short ones."""

from __future__ import annotations

from typing import Any

import numpy as np
from imgui_bundle import imgui
from numpy.typing import NDArray

SYMBOLS = 6


def draw_symbol(drawing: imgui.ImDrawList, symbol: int, x: float, y: float, radius: float, colour: int) -> None:
    """A disc, square, diamond, triangle up or down, or ring; numbers beyond begin again."""
    kind = symbol % SYMBOLS
    if kind == 0:
        drawing.add_circle_filled((x, y), radius, colour, 16)
    elif kind == 1:
        side = 0.85 * radius
        drawing.add_rect_filled((x - side, y - side), (x + side, y + side), colour)
    elif kind == 2:
        drawing.add_ngon_filled((x, y), 1.2 * radius, colour, 4)
    elif kind == 5:
        drawing.add_circle((x, y), 0.8 * radius, colour, 16, 0.5 * radius)
    else:
        up = 1.15 * radius if kind == 3 else -1.15 * radius
        corners = (x, y - up), (x - 1.15 * radius, y + 0.8 * up), (x + 1.15 * radius, y + 0.8 * up)
        drawing.add_triangle_filled(*corners, colour)


def draw_line(
    drawing: imgui.ImDrawList, x: NDArray[np.float64], y: NDArray[np.float64], colour: int, thickness: float
) -> None:
    """A line through points, pixels; where `y` is NaN it is broken."""
    holes = np.flatnonzero(np.isnan(y))
    for begin, end in zip([0, *(holes + 1).tolist()], [*holes.tolist(), len(y)], strict=True):
        if end - begin > 1:
            points: list[Any] = list(map(imgui.ImVec2, x[begin:end].tolist(), y[begin:end].tolist()))
            drawing.add_polyline(points, colour, thickness, imgui.ImDrawFlags_.none)


def draw_legend_symbol(symbol: int, colour: int) -> None:
    """A symbol in a line of text."""
    line, place = imgui.get_text_line_height(), imgui.get_cursor_screen_pos()
    radius = 0.27 * line
    draw_symbol(imgui.get_window_draw_list(), symbol, place.x + radius * 1.2, place.y + 0.52 * line, radius, colour)
    imgui.dummy((2.4 * radius, line))
