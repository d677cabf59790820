"""Marks at the foot of a chart: where flocks joined and parted, which is known while animals are coloured by flock."""

from __future__ import annotations

from imgui_bundle import imgui, implot

from sandbox.app.gui.symbols import draw_legend_symbol, draw_symbol
from sandbox.app.gui.theme import Theme, u32
from sandbox.app.measuring.measures_log import MeasuresLog
from sandbox.language import said
from systems.view.followed import Change

SYMBOLS = {True: 4, False: 3}  # where two joined a triangle that points down, where one parted up
NAMES = {True: "flocks joined", False: "parted"}
TOLD = {True: "two flocks joined at {second:.1f} s", False: "a flock parted at {second:.1f} s"}
RADIUS, NEAR = 4.5, 6.0  # pixels
MOST_TOLD = 4


def changes_between(log: MeasuresLog, begin: float, end: float) -> list[tuple[float, Change]]:
    """What flocks did between two times, s, with its time."""
    timed = zip(log.seconds_at([change.tick for change in log.changes]).tolist(), log.changes, strict=True)
    return [(second, change) for second, change in timed if begin <= second <= end]


def draw_marks(changes: list[tuple[float, Change]], theme: Theme) -> None:
    """Draw them within ImPlot's plot; the mouse over some has them told."""
    scale, drawing = imgui.get_style().font_scale_main, implot.get_plot_draw_list()
    foot = implot.get_plot_pos().y + implot.get_plot_size().y - RADIUS * scale
    mouse, under = imgui.get_mouse_pos(), []
    for second, change in changes:
        x = implot.plot_to_pixels(second, 0).x
        draw_symbol(drawing, SYMBOLS[change.joined], x, foot, RADIUS * scale, u32(theme.ink))
        if max(abs(mouse.x - x), abs(mouse.y - foot)) <= NEAR * scale:
            under.append(said(TOLD[change.joined], second=second))
    if under and implot.is_plot_hovered():
        more = [said("and {count} more", count=len(under) - MOST_TOLD)] if len(under) > MOST_TOLD else []
        imgui.set_tooltip("\n".join(under[:MOST_TOLD] + more))


def list_marks(changes: list[tuple[float, Change]], theme: Theme) -> None:
    """Say in the chart's legend what the marks stand for."""
    for joined in sorted({change.joined for _, change in changes}, reverse=True):
        imgui.same_line(0, 14 * imgui.get_style().font_scale_main)
        if imgui.calc_text_size(f"WW {said(NAMES[joined])}").x > imgui.get_content_region_avail().x:
            imgui.new_line()
        draw_legend_symbol(SYMBOLS[joined], u32(theme.ink))
        imgui.same_line(0, 5)
        imgui.text_disabled(said(NAMES[joined]))
