"""Plots the results of a study so far: a heat map over two fields, or a line with a band over one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sandbox.api import imgui, implot
from sandbox.app.fields.lines import line
from sandbox.app.gui.chart import AXIS, PLOT, plot_colours
from sandbox.app.gui.theme import Theme, u32
from sandbox.extras.studies.panels import decimals, shown
from sandbox.extras.studies.window.edited_study import EditedStudy, Varied
from sandbox.language import translate

if TYPE_CHECKING:
    from sandbox.extras.studies.window.so_far import SoFar

LOWEST = 170.0  # pixels
SCALE = 66.0  # pixels: the width of the colour scale
APART = 1.3  # spacing of tick labels, times their width
COLOURS = implot.Colormap_.viridis  # its lightness is monotonic, so that it works for colour-blind people


def draw_map(draft: EditedStudy, so_far: SoFar, height: float, theme: Theme) -> int | None:
    """Draw the plot; return the point that was clicked, or None. `height`: pixels."""
    style, scale = imgui.get_style(), imgui.get_style().font_scale_main
    size = imgui.ImVec2(
        -1 - (SCALE * scale + style.item_spacing.x) * (len(draft.varied) - 1), max(height, LOWEST * scale)
    )
    for colour, value in plot_colours(theme).items():
        implot.push_style_color(colour, imgui.ImVec4(*value))
    implot.push_style_var(implot.StyleVar_.plot_padding, imgui.ImVec2(2 * scale, imgui.get_text_line_height() / 2))
    implot.push_style_var(implot.StyleVar_.plot_min_size, imgui.ImVec2(60, 60))
    implot.push_colormap(COLOURS)
    under = (_map if len(draft.varied) > 1 else _line)(draft, so_far, size, theme)
    implot.pop_colormap()
    implot.pop_style_var(2)
    implot.pop_style_color(len(plot_colours(theme)))
    if under is None:
        return None
    _tell(draft, so_far, under)
    imgui.set_mouse_cursor(imgui.MouseCursor_.hand)
    return under if imgui.is_mouse_clicked(0) else None


def _map(draft: EditedStudy, so_far: SoFar, size: imgui.ImVec2, theme: Theme) -> int | None:
    """Draw the heat map and its scale; return the point under the mouse, or None."""
    across, up = (len(one.values) for one in draft.varied)
    z = so_far.mean.reshape(across, up)
    there = ~np.isnan(z)
    low, high = (float(z[there].min()), float(z[there].max())) if there.any() else (0.0, 1.0)
    if low == high:
        low, high = low - 0.5, high + 0.5
    under = None
    if implot.begin_plot("##map", size, PLOT):
        _axis(implot.ImAxis_.x1, draft.varied[0], size)
        _axis(implot.ImAxis_.y1, draft.varied[1], size)
        drawn = np.ascontiguousarray(np.where(there, z, low).T[::-1])
        ends = implot.Point(-0.5, -0.5), implot.Point(across - 0.5, up - 0.5)
        implot.plot_heatmap("##means", drawn, low, high, "", *ends)
        brush = implot.get_plot_draw_list()
        implot.push_plot_clip_rect()
        for row, begin, end in _gaps(there.T):
            brush.add_rect_filled(*_corners(row, begin, end), u32(theme.field))
        if implot.is_plot_hovered():
            mouse = implot.get_plot_mouse_pos()
            column, row = round(mouse.x), round(mouse.y)
            if 0 <= column < across and 0 <= row < up:
                under = column * up + row
                brush.add_rect(*_corners(row, column, column + 1), u32(theme.panel), 0.0, 4.0)
                brush.add_rect(*_corners(row, column, column + 1), u32(theme.ink), 0.0, 2.0)
        implot.pop_plot_clip_rect()
        size.y = implot.get_plot_size().y + 2 * implot.get_style().plot_padding.y
        implot.end_plot()
    if there.any():
        imgui.same_line()
        implot.colormap_scale("##scale", low, high, imgui.ImVec2(-1, size.y), f"%.{decimals(low, high)}f")
    return under


def _corners(row: int, begin: int, end: int) -> tuple[imgui.ImVec2, imgui.ImVec2]:
    """Return the corners (pixels) of the cells of a row from column `begin` to before column `end`."""
    return implot.plot_to_pixels(begin - 0.5, row + 0.5), implot.plot_to_pixels(end - 0.5, row - 0.5)


def _gaps(there: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> list[tuple[int, int, int]]:
    """Return the runs of missing cells as (row, first column, column after the last)."""
    edges = np.diff(np.pad(~there, ((0, 0), (1, 1))).astype(np.int8), axis=1)
    rows, begins = np.nonzero(edges == 1)
    return [*zip(rows.tolist(), begins.tolist(), np.nonzero(edges == -1)[1].tolist(), strict=True)]


def _line(draft: EditedStudy, so_far: SoFar, size: imgui.ImVec2, theme: Theme) -> int | None:
    """Draw the means with their band; return the point under the mouse, or None."""
    there, under = ~np.isnan(so_far.mean), None
    x, mean, half = np.flatnonzero(there).astype(float), so_far.mean[there], np.nan_to_num(so_far.half[there])
    low, high = (float((mean - half).min()), float((mean + half).max())) if there.any() else (0.0, 1.0)
    room = 0.08 * (high - low) or 0.5
    if not implot.begin_plot("##line", size, PLOT):
        return None
    _axis(implot.ImAxis_.x1, draft.varied[0], size)
    implot.setup_axis(implot.ImAxis_.y1, draft.measure, AXIS)
    implot.setup_axis_limits(implot.ImAxis_.y1, low - room, high + room, implot.Cond_.always)
    spec = implot.Spec()
    spec.fill_color, spec.fill_alpha = imgui.ImVec4(*theme.tinted(0.3)), 1.0
    implot.plot_shaded("##band", x, mean - half, mean + half, spec)
    spec = implot.Spec()
    spec.line_color, spec.line_weight = imgui.ImVec4(*theme.accent), 2.0 * imgui.get_style().font_scale_main
    implot.plot_line("##mean", x, mean, spec)
    column = round(implot.get_plot_mouse_pos().x)
    if implot.is_plot_hovered() and 0 <= column < len(so_far.mean):
        under = column
    brush, dot = implot.get_plot_draw_list(), 3.5 * imgui.get_style().font_scale_main
    for place, value in zip(x.tolist(), mean.tolist(), strict=True):
        brush.add_circle_filled(
            implot.plot_to_pixels(place, value), dot * (1.6 if place == under else 1), u32(theme.accent)
        )
    implot.end_plot()
    return under


def _axis(axis: int, one: Varied, size: imgui.ImVec2) -> None:
    """Set up an axis with equally spaced values of a field; label as many as there is room for."""
    values = [shown(value) for value in one.values]
    implot.setup_axis(axis, _label(one), AXIS | implot.AxisFlags_.no_grid_lines)
    implot.setup_axis_limits(axis, -0.5, len(values) - 0.5, implot.Cond_.always)
    if axis == implot.ImAxis_.x1:
        room = imgui.get_content_region_avail().x + min(size.x, 0)
        needed = APART * max(imgui.calc_text_size(value).x for value in values)
    else:
        room, needed = size.y, APART * imgui.get_text_line_height()
    every = max(-(-len(values) * needed // (0.8 * room)), 1) if room > 0 else 1
    places = range(0, len(values), int(every))
    implot.setup_axis_ticks(axis, [float(place) for place in places], [values[place] for place in places])


def _unit(one: Varied) -> str:
    """Return the unit of a varied field, if it is short."""
    return line(one.field).unit.strip().replace("%%", "%")


def _label(one: Varied) -> str:
    return f"{one.words} ({unit})" if (unit := _unit(one)) else one.words


def _tell(draft: EditedStudy, so_far: SoFar, point: int) -> None:
    """Draw a tooltip with the results of a point."""
    if not imgui.begin_tooltip():
        return
    for one, value in zip(draft.varied, draft.at(point), strict=True):
        imgui.text_unformatted(f"{one.words}: {shown(value)} {_unit(one)}".rstrip())
    mean, half, count = so_far.mean[point], so_far.half[point], so_far.count[point]
    band = f" ± {half:.3g}" if half == half else ""
    imgui.text_unformatted(
        f"{draft.measure}: {mean:.4g}{band}"
        if mean == mean
        else translate("{measure}: not known yet", measure=draft.measure)
    )
    imgui.text_disabled(translate("{done:,} of {count:,} runs are done.", done=count, count=draft.seeds))
    imgui.end_tooltip()
