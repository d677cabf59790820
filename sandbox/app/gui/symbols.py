"""Draws the symbols of lines of charts, and the marks below one of them where flocks joined and parted."""

from __future__ import annotations

import numpy as np
from imgui_bundle import imgui, implot

from sandbox.app.gui.theme import Rgba, u32
from sandbox.app.gui.ui import Ui
from sandbox.app.measuring.measures_log import MeasuresLog
from sandbox.language import translate
from sandbox.render.followed import Change

KINDS, RING = 6, 5  # the number of symbols, and the last one
SYMBOLS = {True: 4, False: 3}  # joined: a triangle that points down; parted: up
NAMES = {True: "flocks joined", False: "parted"}
TOLD = {True: "two flocks joined at {second:.1f} s", False: "a flock parted at {second:.1f} s"}
RADIUS, NEAR = 4.5, 6.0  # pixels
MOST_TOLD = 4


def draw_symbol(drawing: imgui.ImDrawList, symbol: int, x: float, y: float, radius: float, colour: int) -> None:
    """Draw a disc, square, diamond, triangle up or down, or ring; the number is taken modulo KINDS."""
    kind = symbol % KINDS
    if kind == 0:
        drawing.add_circle_filled((x, y), radius, colour, 16)
    elif kind == 1:
        side = 0.85 * radius
        drawing.add_rect_filled((x - side, y - side), (x + side, y + side), colour)
    elif kind == 2:
        drawing.add_ngon_filled((x, y), 1.2 * radius, colour, 4)
    elif kind == RING:
        drawing.add_circle((x, y), 0.8 * radius, colour, 16, 0.5 * radius)
    else:
        up = 1.15 * radius if kind == 3 else -1.15 * radius
        corners = (x, y - up), (x - 1.15 * radius, y + 0.8 * up), (x + 1.15 * radius, y + 0.8 * up)
        drawing.add_triangle_filled(*corners, colour)


def marker(symbol: int, colour: Rgba, radius: float) -> implot.Spec:
    """Return how ImPlot draws a symbol: its markers are numbered like our symbols, but there is no ring."""
    kind = symbol % KINDS
    spec = implot.Spec(colour, marker_size=radius, flags=implot.ScatterFlags_.no_clip)
    if kind == RING:
        spec.marker, spec.marker_fill_color, spec.line_weight = 0, imgui.ImVec4(0, 0, 0, 0), 0.5 * radius
    else:
        spec.marker, spec.marker_fill_color = kind, imgui.ImVec4(*colour)
    return spec


def draw_legend_entry(symbol: int, colour: int, words: str, number: str = "") -> None:
    """Draw a symbol with its meaning as one item, on the same line if there is room, else on the next one."""
    imgui.same_line(0, 14 * imgui.get_style().font_scale_main)
    if imgui.calc_text_size(f"WW {words} {number}").x > imgui.get_content_region_avail().x:
        imgui.new_line()
    line, corner = imgui.get_text_line_height(), imgui.get_cursor_screen_pos()
    radius = 0.27 * line
    draw_symbol(imgui.get_window_draw_list(), symbol, corner.x + radius * 1.2, corner.y + 0.52 * line, radius, colour)
    imgui.begin_group()
    imgui.dummy((2.4 * radius, line))
    if words:
        imgui.same_line(0, 5)
        imgui.text_disabled(words)
    if number:
        imgui.same_line(0, 5)
        imgui.text_unformatted(number)
    imgui.end_group()


def changes_between(log: MeasuresLog, begin: float, end: float) -> list[tuple[float, Change]]:
    """Return when (s) and how flocks joined and parted between two times (s)."""
    timed = zip(log.seconds_at([change.tick for change in log.changes]).tolist(), log.changes, strict=True)
    return [(second, change) for second, change in timed if begin <= second <= end]


def draw_marks(changes: list[tuple[float, Change]], height: float, ui: Ui) -> None:
    """Draw the marks in the current ImPlot plot at this height; hovered ones are explained in a tooltip."""
    scale, mouse, under = ui.scale, imgui.get_mouse_pos(), []
    for joined, symbol in SYMBOLS.items():
        seconds = np.array([second for second, change in changes if change.joined is joined])
        implot.plot_scatter(
            f"##{NAMES[joined]}", seconds, np.full(len(seconds), height), marker(symbol, ui.theme.ink, RADIUS * scale)
        )
    for second, change in changes:
        place = implot.plot_to_pixels(second, height)
        if max(abs(mouse.x - place.x), abs(mouse.y - place.y)) <= NEAR * scale:
            under.append(translate(TOLD[change.joined], second=second))
    if under and implot.is_plot_hovered():
        more = [translate("and {count} more", count=len(under) - MOST_TOLD)] if len(under) > MOST_TOLD else []
        imgui.set_tooltip("\n".join(under[:MOST_TOLD] + more))


def list_marks(changes: list[tuple[float, Change]], ui: Ui) -> None:
    """Add the meaning of the marks to the chart's legend."""
    for joined in sorted({change.joined for _, change in changes}, reverse=True):
        draw_legend_entry(SYMBOLS[joined], u32(ui.theme.ink), translate(NAMES[joined]))
