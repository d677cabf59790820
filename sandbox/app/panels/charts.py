"""Charts: how many live, how ordered the flock is, how fast and how well fed, over time."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui, implot
from numpy.typing import NDArray
from platformdirs import user_documents_path

from sandbox.app.chart_lines import Chart, charts_of, chosen_rows, nice_top
from sandbox.app.gui.layout import Side
from sandbox.app.gui.symbols import draw_legend_symbol, draw_line, draw_symbol
from sandbox.app.gui.theme import Theme, u32
from sandbox.app.measures_log import MeasuresLog
from sandbox.app.session import Session
from sandbox.files import free_name, plain_name
from sandbox.report import write_measures
from systems.core.install import App

SPANS = (10.0, 30.0, 120.0, 600.0, 1200.0)  # s
SHORTEST = 2.0  # s
ZOOM_STEP = 1.2  # for a notch of the wheel
MARKS = 4  # of the symbol along a line
MOST_POINTS = 200  # of a line, so that each is some pixels from the next
LOWEST_PLOT = 36.0  # pixels
SYMBOLS = (
    (implot.Marker_.circle, icons.ICON_FA_CIRCLE),
    (implot.Marker_.square, icons.ICON_FA_SQUARE),
    (implot.Marker_.diamond, icons.ICON_FA_DIAMOND),
    (implot.Marker_.up, icons.ICON_FA_CARET_UP),
    (implot.Marker_.down, icons.ICON_FA_CARET_DOWN),
    (implot.Marker_.cross, icons.ICON_FA_XMARK),
    (implot.Marker_.plus, icons.ICON_FA_PLUS),
)
PLOT = int(implot.Flags_.no_legend | implot.Flags_.no_menus | implot.Flags_.no_box_select | implot.Flags_.no_mouse_text)
AXIS = implot.AxisFlags_.no_menus | implot.AxisFlags_.no_highlight | implot.AxisFlags_.no_tick_marks


@dataclass(frozen=True)
class Shown:
    """What all charts share in a frame.

    Attributes:
        rows: those of the log that are drawn, at these `seconds`.
        marks: which of them bear a symbol.
        read: the one whose numbers are told: under the mouse, else the last.
        cursor: the time under the mouse, s.
    """

    begin: float
    end: float
    rows: NDArray[np.intp]
    seconds: NDArray[np.float64]
    marks: list[int]
    read: int
    cursor: float | None


class Charts:
    """The charts of the session's simulation; measured only while the panel is open.

    Attributes:
        folder: where "CSV" writes to.
        span: how much time is shown, s.
        end: until when, s; None: the present.
    """

    name = "charts"
    title = "Charts"
    side = Side.FLOATING
    size = 560.0, 520.0

    def __init__(self) -> None:
        self.folder = user_documents_path() / "boids"
        self.log = MeasuresLog()
        self.span = 30.0
        self.end: float | None = None
        self._under_mouse: float | None = None  # the time there, s

    def watch(self, session: Session) -> None:
        """Every frame while the panel is open: measure, if it is time to."""
        self.log.gather(session.simulation, session.frame_times.frames)

    def draw(self, session: Session, theme: Theme) -> None:
        if not len(self.log):
            return
        self._bar(session)
        charts = charts_of(self.log, session.simulation.world, theme)
        shown = self._shown()
        self._under_mouse = None
        style, scale = imgui.get_style(), imgui.get_style().font_scale_main
        shares = [2 if chart.title == "Populations" else 1 for chart in charts]
        legends = imgui.get_text_line_height_with_spacing() * len(charts)
        axis = imgui.get_text_line_height_with_spacing()
        room = imgui.get_content_region_avail().y - legends - axis - style.item_spacing.y * len(charts)
        for colour, value in _colours(theme).items():
            implot.push_style_color(colour, imgui.ImVec4(*value))
        implot.push_style_var(implot.StyleVar_.plot_padding, imgui.ImVec2(0, 2 * scale))
        implot.push_style_var(implot.StyleVar_.label_padding, imgui.ImVec2(6 * scale, 3 * scale))
        implot.push_style_var(implot.StyleVar_.plot_min_size, imgui.ImVec2(60, 20))
        if implot.begin_aligned_plots("##charts"):
            for chart, share in zip(charts, shares, strict=True):
                height = max(room * share / sum(shares), LOWEST_PLOT * scale)
                last = chart is charts[-1]
                self._chart(chart, shown, height + (axis if last else 0), last, theme)
            implot.end_aligned_plots()
        implot.pop_style_var(3)
        implot.pop_style_color(len(_colours(theme)))

    # ---- what is shown

    def _shown(self) -> Shown:
        """What has just begun fills the charts from the left."""
        first, now = self.log.seconds[0], self.log.now
        end = self.end if self.end is not None else max(now, first + self.span)
        begin = end - self.span
        rows = chosen_rows(self.log, begin, end, MOST_POINTS)
        seconds, step = self.log.seconds[rows], self.span / MARKS
        marks = np.arange(np.ceil(seconds[0] / step), np.floor(seconds[-1] / step + 0.8)) * step
        places = [*np.searchsorted(seconds, marks).tolist(), len(rows) - 1]
        cursor = self._under_mouse
        read = len(rows) - 1 if cursor is None else min(int(np.searchsorted(seconds, cursor)), len(rows) - 1)
        return Shown(begin, end, rows, seconds, places, read, cursor)

    def _bar(self, session: Session) -> None:
        imgui.align_text_to_frame_padding()
        imgui.text_unformatted("Show")
        imgui.same_line()
        imgui.set_next_item_width(imgui.calc_text_size("20 minutes").x + 44 * imgui.get_style().font_scale_main)
        if imgui.begin_combo("##span", _in_words(self.span)):
            for span in SPANS:
                if imgui.selectable(_in_words(span), span == self.span)[0]:
                    self.span = span
            imgui.end_combo()
        imgui.set_item_tooltip("how much time is shown; the wheel over a chart changes it too")
        imgui.same_line()
        imgui.begin_disabled(self.end is None)
        if imgui.button(f"{icons.ICON_FA_FORWARD_FAST}##now"):
            self.end = None
        imgui.end_disabled()
        imgui.set_item_tooltip("back to the present; drag a chart to look back")
        words = f"{icons.ICON_FA_FILE_ARROW_DOWN}  CSV##charts"
        width = imgui.calc_text_size(words, hide_text_after_double_hash=True).x + 2 * imgui.get_style().frame_padding.x
        imgui.same_line(imgui.get_window_width() - imgui.get_style().window_padding.x - width)
        if imgui.button(words):
            self.save(session)
        imgui.set_item_tooltip(f"write all that was measured as a table into\n{self.folder}")

    def _chart(self, chart: Chart, shown: Shown, height: float, last: bool, theme: Theme) -> None:
        values = [self.log.column(line.measure)[shown.rows].astype(float) for line in chart.lines]
        _legend(chart, [float(column[shown.read]) for column in values], theme)
        scale = imgui.get_style().font_scale_main
        width = -12 * scale  # the last number of the axis stands half outside
        if not implot.begin_plot(f"##{chart.title}", imgui.ImVec2(width, height), PLOT):
            return
        top = chart.top or nice_top(max(float(np.nanmax(column, initial=0.0)) for column in values))
        x_flags = AXIS if last else AXIS | implot.AxisFlags_.no_tick_labels
        implot.setup_axis(implot.ImAxis_.x1, None, x_flags)
        implot.setup_axis(implot.ImAxis_.y1, None, AXIS)
        implot.setup_axis_limits(implot.ImAxis_.x1, shown.begin, shown.end, implot.Cond_.always)
        implot.setup_axis_limits(implot.ImAxis_.y1, -0.03 * top, 1.03 * top, implot.Cond_.always)
        implot.setup_axis_format(implot.ImAxis_.x1, "%g s")
        implot.setup_axis_ticks(implot.ImAxis_.y1, [0.0, top / 2, top], [f"{n:,.10g}" for n in (0.0, top / 2, top)])
        origin, one, drawing = implot.plot_to_pixels(0, 0), implot.plot_to_pixels(1, 1), implot.get_plot_draw_list()
        x = origin.x + (one.x - origin.x) * shown.seconds
        implot.push_plot_clip_rect(4 * scale)
        if shown.cursor is not None:
            at, low = origin.x + (one.x - origin.x) * shown.cursor, implot.get_plot_pos().y
            ends = imgui.ImVec2(at, low), imgui.ImVec2(at, low + implot.get_plot_size().y)
            drawing.add_line(*ends, u32(theme.faint), 1.0)
        for line, column in zip(chart.lines, values, strict=True):
            y, colour = origin.y + (one.y - origin.y) * column, u32(line.colour)
            draw_line(drawing, x, y, colour, 1.5 * scale)
            for place in shown.marks:
                if y[place] == y[place]:
                    draw_symbol(drawing, line.symbol, float(x[place]), float(y[place]), 3.5 * scale, colour)
        implot.pop_plot_clip_rect()
        if implot.is_plot_hovered():
            self._touch(shown.end)
        implot.end_plot()

    def _touch(self, end: float) -> None:
        """The mouse over a chart: drag to look back, wheel for more or less time, double click for the present."""
        here, now = implot.get_plot_mouse_pos().x, self.log.now
        self._under_mouse = here
        io = imgui.get_io()
        imgui.internal.set_key_owner(imgui.Key.mouse_wheel_y, imgui.get_id("##wheel"))
        if imgui.is_mouse_double_clicked(imgui.MouseButton_.left):
            self.end = None
        elif imgui.is_mouse_dragging(imgui.MouseButton_.left, 0) and io.mouse_delta.x:
            self.end = end - io.mouse_delta.x * self.span / implot.get_plot_size().x
        elif io.mouse_wheel:
            span = min(max(self.span / ZOOM_STEP**io.mouse_wheel, SHORTEST), SPANS[-1])
            if self.end is not None:
                self.end = here + (end - here) * span / self.span
            self.span = span
        if self.end is not None:
            first = float(self.log.seconds[0])
            self.end = max(self.end, min(first + self.span, now))
            if self.end >= now:
                self.end = None

    def save(self, session: Session) -> Path | None:
        """Write all rows as a table; returns where, or None and says why not."""
        simulation = session.simulation
        path = free_name(self.folder / f"{plain_name(simulation.scene.name)}-{simulation.tick}.csv")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_measures(path, self.log.rows())
        except OSError as error:
            session.messages.warn(f"the charts were not saved: {error}")
            return None
        session.messages.say(f"saved the charts as {path}")
        return path


def _legend(chart: Chart, values: list[float], theme: Theme) -> None:
    """The chart's title and, of each line, its symbol, name and value; as many as find room."""
    imgui.text_unformatted(chart.title)
    faint = imgui.ImVec4(*theme.faint)
    for line, value in zip(chart.lines, values, strict=True):
        number = _number(value, line.whole) + (f" {chart.unit}" if chart.unit else "")
        words = line.words if len(values) > 1 or line.words.lower() != chart.title.lower() else ""
        imgui.same_line(0, 16 * imgui.get_style().font_scale_main)
        if imgui.calc_text_size(f"WW {words} {number}").x > imgui.get_content_region_avail().x:
            imgui.text_colored(faint, "…")
            break
        draw_legend_symbol(line.symbol, u32(line.colour))
        if words:
            imgui.same_line(0, 5)
            imgui.text_colored(faint, words)
        imgui.same_line(0, 5)
        imgui.text_unformatted(number)


def _number(value: float, whole: bool) -> str:
    if value != value:
        return "–"
    return f"{value:,.0f}" if whole or value >= 1000 else f"{value:.2f}"


def _in_words(span: float) -> str:
    return f"{span:.0f} s" if span < 100 else f"{span / 60:.3g} minutes"


def _colours(theme: Theme) -> dict[int, tuple[float, float, float, float]]:
    of = implot.Col_
    return {
        of.frame_bg: (0.0, 0.0, 0.0, 0.0),
        of.plot_bg: theme.field,
        of.plot_border: theme.line,
        of.axis_text: theme.faint,
        of.axis_grid: (*theme.line[:3], 0.5),
    }


def install(app: App) -> None:
    app.add_panel(Charts())
