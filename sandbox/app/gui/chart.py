"""Draws charts with ImPlot: axes, ticks, lines and markers; the legend of each is a line of text above it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from imgui_bundle import imgui, implot
from numpy.typing import NDArray

from sandbox.app.gui.blocks import Block
from sandbox.app.gui.chart_lines import MOST_POINTS, Chart, Line, chosen_rows, nice_top, on_the_right, symbol_indices
from sandbox.app.gui.plots import AXIS, PLOT, PlotStyle
from sandbox.app.gui.symbols import changes_between, draw_legend_entry, draw_marks, list_marks, marker
from sandbox.app.gui.theme import Rgba, u32
from sandbox.app.gui.ui import Ui
from sandbox.app.measuring.measures_log import MeasuresLog
from sandbox.language import capitalised, translate

INSIDE = implot.AxisFlags_.no_grid_lines | implot.AxisFlags_.no_tick_labels  # of the second scale
LEFT, RIGHT = implot.ImAxis_.y1, implot.ImAxis_.y2
LOWEST = 60.0  # pixels: the minimum height of a plot
CLOSE = 2.4  # times the font size: in a lower plot a scale has no number in its middle
ROOMY = 4.0  # times the font size: in a lower plot only the highest number of the second scale is written
SHORTEST, LONGEST = 2.0, 1200.0  # s: the time range
MARKS = 4  # approximate number of symbols along a line
STRIP = 14.0  # pixels: below 0, for the marks


@dataclass(frozen=True)
class Shown:
    """The part of the log that all charts of a frame show.

    Attributes:
        begin, end: the time range, s; ImPlot changes it when a person drags a chart or turns the wheel over it.
        rows: the rows of the log that are drawn, at these `seconds`.
        apart: the time between two symbols of a line, s.
        read: index into `rows` of the values that the legend shows: those under the mouse, else the last ones.
        cursor: the time under the mouse, s; None if the mouse is elsewhere.
        wrapped: how much higher the legends were in the last frame than one line each, pixels.
    """

    begin: implot.BoxedValue
    end: implot.BoxedValue
    rows: NDArray[np.intp]
    seconds: NDArray[np.float64]
    apart: float
    read: int
    cursor: float | None
    wrapped: float

    @classmethod
    def of(cls, log: MeasuresLog, begin: float, end: float, cursor: float | None, wrapped: float) -> Shown:
        """Choose the rows between two times, s."""
        rows = chosen_rows(log, begin, end, MOST_POINTS)
        seconds = log.seconds[rows]
        read = len(rows) - 1 if cursor is None else min(int(np.searchsorted(seconds, cursor)), len(rows) - 1)
        edges = implot.BoxedValue(begin), implot.BoxedValue(end)
        return cls(*edges, rows, seconds, (end - begin) / MARKS, read, cursor, wrapped)


def draw_charts(
    charts: list[Chart], log: MeasuresLog, shown: Shown, ui: Ui, other: MeasuresLog | None = None
) -> tuple[float | None, float]:
    """Draw charts below each other, equally high, with one time axis.

    Return the time under the mouse, s, or None, and how much higher the legends are than one line each, pixels.

    Args:
        other: the log of a second world, whose lines are drawn thin and pale.
    """
    spaces, line = imgui.get_style().item_spacing.y * len(charts), imgui.get_text_line_height_with_spacing()
    room = ui.room[1] - line * (len(charts) + 1) - spaces - shown.wrapped
    aligned = Block(lambda: implot.begin_aligned_plots("##charts"), implot.end_aligned_plots)
    under, wrapped = None, 0.0
    with PlotStyle(ui.theme, ui.scale, least=20), aligned:
        for number, chart in enumerate(charts):
            last = chart is charts[-1]
            height = max(room / len(charts), LOWEST * ui.scale) + (line if last else 0)
            with ui.named(number):
                time, more = _draw_chart(chart, log, shown, height, last, ui, other)
            under, wrapped = time if under is None else under, wrapped + more
    return under, wrapped


def _draw_chart(
    chart: Chart, log: MeasuresLog, shown: Shown, height: float, last: bool, ui: Ui, other: MeasuresLog | None
) -> tuple[float | None, float]:
    """Draw a chart; return the time under the mouse, s, or None if the mouse is elsewhere.

    Return also how much higher its legend is than one line, pixels.

    Args:
        height: the height of the plot in pixels; includes the time axis if `last`.
        last: this is the lowest chart, which has the time axis.
    """
    values = [log.column(line.measure)[shown.rows].astype(float) for line in chart.lines]
    beside = _other_values(chart, other, shown) if other is not None else []
    both = [*zip(values, beside, strict=True)] if beside else [(column,) for column in values]
    highest = [max(float(np.nanmax(column, initial=0.0)) for column in columns) for columns in both]
    top = chart.top or nice_top(max(highest))
    right = [chart.top is None and on_the_right(high, top) for high in highest]
    scale, before = ui.scale, imgui.get_cursor_pos_y()
    _legend(chart, [float(column[shown.read]) for column in values], right)
    begin, end = shown.begin.value, shown.end.value
    marks = changes_between(log, begin, end) if chart.marked else []
    list_marks(marks, ui)
    more = imgui.get_cursor_pos_y() - before - imgui.get_text_line_height_with_spacing()
    below = STRIP * scale if marks else 0.0
    width = -12 * scale  # half of the last number of the axis extends beyond the plot
    if not implot.begin_plot(f"##{chart.title}", (width, height), PLOT):
        return None, more
    implot.setup_axis(implot.ImAxis_.x1, None, AXIS if last else AXIS | implot.AxisFlags_.no_tick_labels)
    implot.setup_axis_links(implot.ImAxis_.x1, shown.begin, shown.end)
    implot.setup_axis_zoom_constraints(implot.ImAxis_.x1, SHORTEST, LONGEST)
    implot.setup_axis_format(implot.ImAxis_.x1, "%g s")
    strip = below / (height - below)
    axis = below + (imgui.get_text_line_height_with_spacing() if last else 0)
    _scale(LEFT, top, strip=strip, halves=height - axis > CLOSE * imgui.get_font_size())
    small_ones = [(high, line) for high, line, small in zip(highest, chart.lines, right, strict=True) if small]
    if small_ones:
        small_top = nice_top(max(high for high, _ in small_ones))
        _scale(RIGHT, small_top, INSIDE)
        _write_inside(small_top, end, small_ones[0][1].colour if len(small_ones) == 1 else ui.theme.faint)
    if shown.cursor is not None:
        implot.plot_inf_lines("##cursor", np.array([shown.cursor]), implot.Spec(ui.theme.faint))
    if other is not None:
        seconds = other.seconds[chosen_rows(other, begin, end, MOST_POINTS)]
        for line, column, small in zip(chart.lines, beside, right, strict=True):
            implot.set_axes(implot.ImAxis_.x1, RIGHT if small else LEFT)
            implot.plot_line(f"##{line.measure} beside", seconds, column, implot.Spec((*line.colour[:3], 0.5), scale))
    for number, (line, column, small) in enumerate(zip(chart.lines, values, right, strict=True)):
        implot.set_axes(implot.ImAxis_.x1, RIGHT if small else LEFT)
        implot.plot_line(f"##{line.measure}", shown.seconds, column, implot.Spec(line.colour, 1.5 * scale))
        indices = symbol_indices(shown.seconds, shown.apart, number / len(chart.lines))
        spec = marker(line.symbol, line.colour, 3.5 * scale)
        implot.plot_scatter(f"##{line.measure} symbols", shown.seconds[indices], column[indices], spec)
    implot.set_axes(implot.ImAxis_.x1, LEFT)
    draw_marks(marks, -strip / 2 * top, ui)
    under = implot.get_plot_mouse_pos().x if implot.is_plot_hovered() else None
    implot.end_plot()
    return under, more


def _scale(axis: implot.ImAxis_, top: float, flags: int = 0, *, strip: float = 0.0, halves: bool = False) -> None:
    """Set up a vertical axis from 0 to `top`, with two or three numbers: ImPlot's own overlap in a low plot.

    Args:
        strip: the height of the strip below 0 for marks, as a share of that above.
        halves: whether there is room for a number in the middle.
    """
    implot.setup_axis(axis, None, AXIS | flags)
    implot.setup_axis_limits(axis, -(0.03 + strip) * top, 1.03 * top, implot.Cond_.always)
    numbers = [0.0, top / 2, top] if halves else [0.0, top]
    implot.setup_axis_ticks(axis, numbers, [f"{n:,.10g}" for n in numbers])


def _write_inside(top: float, end: float, colour: Rgba) -> None:
    """Write the numbers of the second scale inside the plot at its right edge, so that all plots are equally wide."""
    implot.set_axes(implot.ImAxis_.x1, RIGHT)
    implot.push_style_color(implot.Col_.inlay_text, colour)
    for value in (top, top / 2) if implot.get_plot_size().y > ROOMY * imgui.get_font_size() else (top,):
        words = f"{value:,.10g}"
        size = imgui.calc_text_size(words)
        implot.plot_text(words, end, value, (-0.5 * size.x - 4, 0.5 * size.y if value == top else 0))
    implot.pop_style_color()


def _other_values(chart: Chart, other: MeasuresLog, shown: Shown) -> list[NDArray[np.float64]]:
    """Return the values of the second world in the time that is shown, one array per line."""
    rows = chosen_rows(other, shown.begin.value, shown.end.value, MOST_POINTS)
    known = (other.column(line.measure) if line.measure in other.names else None for line in chart.lines)
    return [np.full(len(rows), np.nan) if column is None else column[rows].astype(float) for column in known]


def _legend(chart: Chart, values: list[float], right: list[bool]) -> None:
    """Draw the chart's title and the symbol, name and value of each line; wrap if the line is full."""
    imgui.text_unformatted(translate(chart.title))
    if len(chart.lines) == 1:
        _explain(chart.lines[0])
    for line, value, small in zip(chart.lines, values, right, strict=True):
        draw_legend_entry(line.symbol, u32(line.colour), *_words(chart, line, value, small))
        _explain(line)


def _explain(line: Line) -> None:
    """Say what a line is while the mouse rests on its name: "Milling: how much ..."."""
    if line.about and imgui.is_item_hovered(imgui.HoveredFlags_.for_tooltip):
        imgui.set_tooltip(f"{capitalised(translate(line.words))}: {translate(line.about).rstrip('.')}.")


def _words(chart: Chart, line: Line, value: float, small: bool) -> tuple[str, str]:
    """Return a line's name ("" if the title says it), and its value and scale."""
    told = len(chart.lines) > 1 or line.words.lower() != chart.title.lower()
    words = "" if not told else translate(line.words)
    number = _number(value, line.whole) + (f" {chart.unit}" if chart.unit else "")
    return words, translate("{number} (right scale)", number=number) if small else number


def _number(value: float, whole: bool) -> str:
    if value != value:
        return "–"
    return f"{value:,.0f}" if whole or value >= 1000 else f"{value:.2f}"
