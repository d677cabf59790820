"""Plots in panels, drawn with ImPlot: axes with words, lines, bands, dots and coloured maps."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from imgui_bundle import imgui, implot
from numpy.typing import NDArray

from sandbox.app.gui.theme import Rgba, Theme, u32

Values = NDArray[np.float64]
PLOT = int(implot.Flags_.no_legend | implot.Flags_.no_menus | implot.Flags_.no_box_select | implot.Flags_.no_mouse_text)
AXIS = implot.AxisFlags_.no_menus | implot.AxisFlags_.no_highlight | implot.AxisFlags_.no_tick_marks
X, Y = implot.ImAxis_.x1, implot.ImAxis_.y1
COLOURS = implot.Colormap_.viridis  # its lightness is monotonic, so that it works for colour-blind people
APART = 1.3  # spacing of the words of an axis, times their size


class PlotStyle:
    """The look of all plots, from `with` on until its end."""

    def __init__(self, theme: Theme, scale: float, padding: float = 2.0, least: float = 60.0) -> None:
        """`padding`: above and below a plot; `least`: its minimum height; both in pixels at the usual text size."""
        of = implot.Col_
        self._colours: dict[int, Rgba] = {
            of.frame_bg: (0.0, 0.0, 0.0, 0.0),
            of.plot_bg: theme.well,
            of.plot_border: theme.line,
            of.axis_text: theme.faint,
            of.axis_grid: (*theme.line[:3], 0.5),
        }
        self._sizes = {
            implot.StyleVar_.plot_padding: (2 * scale, padding * scale),
            implot.StyleVar_.label_padding: (6 * scale, 3 * scale),
            implot.StyleVar_.plot_min_size: (60, least),
        }

    def __enter__(self) -> None:
        for colour, value in self._colours.items():
            implot.push_style_color(colour, value)
        for size, pixels in self._sizes.items():
            implot.push_style_var(size, pixels)
        implot.push_colormap(COLOURS)

    def __exit__(self, *_: object) -> None:
        implot.pop_colormap()
        implot.pop_style_var(len(self._sizes))
        implot.pop_style_color(len(self._colours))


class Plot:
    """A plot, from `with` on until its end; false where it is not shown, and then it can't be drawn on.

    Set up the axes first.
    """

    def __init__(self, name: str, theme: Theme, scale: float, size: tuple[float, float]) -> None:
        """`size`: pixels; less than 0 leaves so much of the room."""
        self._name, self._theme, self._scale, self._size = name, theme, scale, size
        self._style = PlotStyle(theme, scale, padding=imgui.get_text_line_height() / 2 / scale)
        self._shown = self._begun = False

    def __bool__(self) -> bool:
        return self._shown

    def __enter__(self) -> Plot:
        self._style.__enter__()
        self._begun = True
        self._shown = implot.begin_plot(f"##{self._name}", self._size, PLOT)
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self) -> None:
        """End it. Ending twice does no harm."""
        if self._shown:
            implot.end_plot()
        if self._begun:
            self._style.__exit__()
        self._shown = self._begun = False

    def axis(
        self, upright: bool, label: str, span: tuple[float, float], words: Sequence[str] = (), *, lines: bool = True
    ) -> None:
        """Set up the horizontal or the upright axis.

        Args:
            span: its lowest and highest value.
            words: what stands at 0, 1, 2 ...: as many of them as there is room for. Without, numbers stand there.
            lines: draw lines across the plot, too.
        """
        axis = Y if upright else X
        implot.setup_axis(axis, label, AXIS | (0 if lines else implot.AxisFlags_.no_grid_lines))
        implot.setup_axis_limits(axis, *span, implot.Cond_.always)
        if words:
            room = self._size[1] if upright else imgui.get_content_region_avail().x + min(self._size[0], 0)
            size = imgui.get_text_line_height() if upright else max(imgui.calc_text_size(each).x for each in words)
            every = max(-(-len(words) * APART * size // (0.8 * room)), 1) if room > 0 else 1
            indices = range(0, len(words), int(every))
            implot.setup_axis_ticks(axis, [float(index) for index in indices], [words[index] for index in indices])

    def line(self, x: Values, y: Values, colour: Rgba, thick: float = 1.5) -> None:
        """Draw a line through points; `thick`: pixels at the usual text size. NaN is a gap."""
        implot.plot_line(f"##line {colour}", x, y, implot.Spec(colour, thick * self._scale))

    def band(self, x: Values, low: Values, high: Values, colour: Rgba) -> None:
        """Fill what lies between two lines."""
        spec = implot.Spec()
        spec.fill_color, spec.fill_alpha = imgui.ImVec4(*colour), 1.0
        implot.plot_shaded(f"##band {colour}", x, low, high, spec)

    def dots(self, x: Values, y: Values, colour: Rgba, radius: float = 3.5) -> None:
        """Draw dots; `radius`: pixels at the usual text size."""
        spec = implot.Spec(colour, marker=0, marker_size=radius * self._scale, flags=implot.ScatterFlags_.no_clip)
        spec.marker_fill_color = imgui.ImVec4(*colour)
        implot.plot_scatter(f"##dots {colour} {radius}", x, y, spec)

    def map(self, values: Values, low: float, high: float) -> None:
        """Colour a cell for each value; the middle of cell [column, row] is at (column, row). NaN leaves it empty.

        Args:
            values: shape (columns, rows).
            low, high: the values that have the first and the last colour.
        """
        there, (across, up) = ~np.isnan(values), values.shape
        drawn = np.ascontiguousarray(np.where(there, values, low).T[::-1])
        ends = implot.Point(-0.5, -0.5), implot.Point(across - 0.5, up - 0.5)
        implot.plot_heatmap("##map", drawn, low, high, "", *ends)
        for row, begin, end in _gaps(there.T):
            self._box(row, begin, end, None)

    def mark(self, column: int, row: int) -> None:
        """Draw a border around a square of a map."""
        self._box(row, column, column + 1, 4.0)

    def _box(self, row: int, begin: int, end: int, border: float | None) -> None:
        """Empty the squares of a row from column `begin` to before column `end`, or draw a border around them."""
        corners = implot.plot_to_pixels(begin - 0.5, row + 0.5), implot.plot_to_pixels(end - 0.5, row - 0.5)
        brush = implot.get_plot_draw_list()
        implot.push_plot_clip_rect()
        if border is None:
            brush.add_rect_filled(*corners, u32(self._theme.well))
        else:
            brush.add_rect(*corners, u32(self._theme.panel), 0.0, border)
            brush.add_rect(*corners, u32(self._theme.ink), 0.0, border / 2)
        implot.pop_plot_clip_rect()

    @property
    def clicked(self) -> bool:
        """Whether the plot is clicked in this border; the mouse looks like a hand over what a click would choose."""
        imgui.set_mouse_cursor(imgui.MouseCursor_.hand)
        return bool(imgui.is_mouse_clicked(0))

    @property
    def height(self) -> float:
        """The height of the plot with its padding, without its axes, pixels."""
        return float(implot.get_plot_size().y + 2 * implot.get_style().plot_padding.y)

    @property
    def mouse(self) -> tuple[float, float] | None:
        """Where the mouse is, in units of the axes; None if it is elsewhere."""
        if not implot.is_plot_hovered():
            return None
        place = implot.get_plot_mouse_pos()
        return place.x, place.y


def draw_scale(low: float, high: float, size: tuple[float, float], decimals: int, theme: Theme, scale: float) -> None:
    """Draw the scale of a map's colours; `size`: pixels."""
    with PlotStyle(theme, scale):
        implot.colormap_scale("##scale", low, high, size, f"%.{decimals}f")


def _gaps(there: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> list[tuple[int, int, int]]:
    """Return the runs of missing cells as (row, first column, column after the last)."""
    edges = np.diff(np.pad(~there, ((0, 0), (1, 1))).astype(np.int8), axis=1)
    rows, begins = np.nonzero(edges == 1)
    return [*zip(rows.tolist(), begins.tolist(), np.nonzero(edges == -1)[1].tolist(), strict=True)]
