"""Draws a chart: ImPlot draws the axes, `symbols.py` the lines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from imgui_bundle import imgui, implot
from numpy.typing import NDArray

from sandbox.app.gui.chart_lines import MOST_POINTS, Chart, Line, chosen_rows, enlargement, nice_top, symbol_places
from sandbox.app.gui.symbols import changes_between, draw_legend_entry, draw_line, draw_marks, draw_symbol, list_marks
from sandbox.app.gui.theme import Rgba, Theme, u32
from sandbox.app.measuring.measures_log import MeasuresLog
from sandbox.language import translate

PLOT = int(implot.Flags_.no_legend | implot.Flags_.no_menus | implot.Flags_.no_box_select | implot.Flags_.no_mouse_text)
AXIS = implot.AxisFlags_.no_menus | implot.AxisFlags_.no_highlight | implot.AxisFlags_.no_tick_marks
LOWEST = 36.0  # pixels: the minimum height of a plot
AFTER_END = 0.012  # margin after the last value, as a share of the time shown, so that its symbol is not clipped


@dataclass(frozen=True)
class Shown:
    """The part of the log that all charts of a frame show.

    Attributes:
        begin, end: the time range, s.
        rows: the rows of the log that are drawn, at these `seconds`.
        apart: the time between two symbols of a line, s.
        read: index into `rows` of the values that the legend shows: those under the mouse, else the last ones.
        cursor: the time under the mouse, s; None if the mouse is elsewhere.
    """

    begin: float
    end: float
    rows: NDArray[np.intp]
    seconds: NDArray[np.float64]
    apart: float
    read: int
    cursor: float | None


def draw_chart(
    chart: Chart,
    log: MeasuresLog,
    shown: Shown,
    height: float,
    last: bool,
    touch: Callable[[], None],
    theme: Theme,
    other: MeasuresLog | None = None,
) -> None:
    """Draw a chart.

    Args:
        height: the height of the plot in pixels if the legend takes one line; includes the time axis if `last`.
        last: this is the lowest chart, which has the time axis.
        touch: called while the mouse is over the plot, between `begin_plot` and `end_plot`.
        other: the log of a second world, whose lines are drawn thin and pale.
    """
    values = [log.column(line.measure)[shown.rows].astype(float) for line in chart.lines]
    beside = _other_values(chart, other, shown) if other is not None else []
    both = [*zip(values, beside, strict=True)] if beside else [(column,) for column in values]
    highest = [max(float(np.nanmax(column, initial=0.0)) for column in columns) for columns in both]
    top = chart.top or nice_top(max(highest))
    times = [1 if chart.top else enlargement(high, top) for high in highest]
    scale, before = imgui.get_style().font_scale_main, imgui.get_cursor_pos_y()
    _legend(chart, [float(column[shown.read]) for column in values], times)
    marks = changes_between(log, shown.begin, shown.end) if chart.marked else []
    list_marks(marks, theme)
    more = imgui.get_cursor_pos_y() - before - imgui.get_text_line_height_with_spacing()
    height = max(height - more, LOWEST * scale)
    width = -12 * scale  # half of the last number of the axis extends beyond the plot
    if not implot.begin_plot(f"##{chart.title}", (width, height), PLOT):
        return
    x_flags = AXIS if last else AXIS | implot.AxisFlags_.no_tick_labels
    implot.setup_axis(implot.ImAxis_.x1, None, x_flags)
    implot.setup_axis(implot.ImAxis_.y1, None, AXIS)
    implot.setup_axis_limits(
        implot.ImAxis_.x1, shown.begin, shown.end + AFTER_END * (shown.end - shown.begin), implot.Cond_.always
    )
    implot.setup_axis_limits(implot.ImAxis_.y1, -0.03 * top, 1.03 * top, implot.Cond_.always)
    implot.setup_axis_format(implot.ImAxis_.x1, "%g s")
    implot.setup_axis_ticks(implot.ImAxis_.y1, [0.0, top / 2, top], [f"{n:,.10g}" for n in (0.0, top / 2, top)])
    origin, one, drawing = implot.plot_to_pixels(0, 0), implot.plot_to_pixels(1, 1), implot.get_plot_draw_list()
    x = origin.x + (one.x - origin.x) * shown.seconds
    implot.push_plot_clip_rect(4 * scale)
    if shown.cursor is not None:
        at, low = origin.x + (one.x - origin.x) * shown.cursor, implot.get_plot_pos().y
        ends = (at, low), (at, low + implot.get_plot_size().y)
        drawing.add_line(*ends, u32(theme.faint), 1.0)
    heights = [origin.y + (one.y - origin.y) * column * factor for column, factor in zip(values, times, strict=True)]
    if other is not None:
        seconds = other.seconds[chosen_rows(other, shown.begin, shown.end, MOST_POINTS)]
        for line, column, factor in zip(chart.lines, beside, times, strict=True):
            y = origin.y + (one.y - origin.y) * column * factor
            draw_line(drawing, origin.x + (one.x - origin.x) * seconds, y, u32((*line.colour[:3], 0.5)), scale)
    for number, (line, y) in enumerate(zip(chart.lines, heights, strict=True)):
        colour = u32(line.colour)
        draw_line(drawing, x, y, colour, 1.5 * scale)
        for place in symbol_places(shown.seconds, shown.apart, number / len(chart.lines)):
            if y[place] == y[place]:
                draw_symbol(drawing, line.symbol, float(x[place]), float(y[place]), 3.5 * scale, colour)
    draw_marks(marks, theme)
    implot.pop_plot_clip_rect()
    if implot.is_plot_hovered():
        touch()
    implot.end_plot()


def _other_values(chart: Chart, other: MeasuresLog, shown: Shown) -> list[NDArray[np.float64]]:
    """Return the values of the second world in the time that is shown, one array per line."""
    rows = chosen_rows(other, shown.begin, shown.end, MOST_POINTS)
    known = (other.column(line.measure) if line.measure in other.names else None for line in chart.lines)
    return [np.full(len(rows), np.nan) if column is None else column[rows].astype(float) for column in known]


def _legend(chart: Chart, values: list[float], times: list[int]) -> None:
    """Draw the chart's title and the symbol, name and value of each line; wrap if the line is full."""
    imgui.text_unformatted(translate(chart.title))
    for line, value, factor in zip(chart.lines, values, times, strict=True):
        draw_legend_entry(line.symbol, u32(line.colour), *_words(chart, line, value, factor))


def _words(chart: Chart, line: Line, value: float, times: int) -> tuple[str, str]:
    """Return a line's name ("" if the title says it) and its value, with the enlargement if it is not 1."""
    told = len(chart.lines) > 1 or line.words.lower() != chart.title.lower()
    words = "" if not told else translate(line.words)
    number = _number(value, line.whole) + (f" {chart.unit}" if chart.unit else "")
    return words, number if times == 1 else translate("{number} (drawn x{times})", number=number, times=times)


def _number(value: float, whole: bool) -> str:
    if value != value:
        return "–"
    return f"{value:,.0f}" if whole or value >= 1000 else f"{value:.2f}"


def plot_colours(theme: Theme) -> dict[int, Rgba]:
    """Return ImPlot's style colours for a theme."""
    of = implot.Col_
    return {
        of.frame_bg: (0.0, 0.0, 0.0, 0.0),
        of.plot_bg: theme.field,
        of.plot_border: theme.line,
        of.axis_text: theme.faint,
        of.axis_grid: (*theme.line[:3], 0.5),
    }
