"""Plots the results of a study so far: a heat map over two fields, or a line with a band over one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sandbox.api import Ui
from sandbox.app.fields.lines import line
from sandbox.extras.studies.panels import decimals, shown
from sandbox.extras.studies.window.edited_study import EditedStudy, Varied

if TYPE_CHECKING:
    from sandbox.api import Plot
    from sandbox.extras.studies.window.so_far import SoFar

LOWEST = 170.0  # pixels
SCALE = 66.0  # pixels: the width of the colour scale
GAP = 8.0  # pixels between the map and the scale


def draw_map(study: EditedStudy, so_far: SoFar, height: float, ui: Ui) -> int | None:
    """Draw the plot; return the point that was clicked, or None. `height`: pixels."""
    size = -1 - (SCALE + GAP) * ui.scale * (len(study.varied) - 1), max(height, LOWEST * ui.scale)
    under, clicked = (_map if len(study.varied) > 1 else _line)(study, so_far, size, ui)
    if under is None:
        return None
    _tell(study, so_far, under, ui)
    return under if clicked else None


def _map(study: EditedStudy, so_far: SoFar, size: tuple[float, float], ui: Ui) -> tuple[int | None, bool]:
    """Draw the heat map and its scale; return the point under the mouse, or None, and whether it is clicked."""
    across, up = (len(one.values) for one in study.varied)
    values = so_far.mean.reshape(across, up)
    there = values[~np.isnan(values)]
    low, high = (float(there.min()), float(there.max())) if len(there) else (0.0, 1.0)
    if low == high:
        low, high = low - 0.5, high + 0.5
    under, clicked = None, False
    with ui.plot("map", size) as plot:
        if plot:
            for upright, one in enumerate(study.varied):
                _axis(plot, bool(upright), one)
            plot.map(values, low, high)
            if plot.mouse is not None:
                column, row = map(round, plot.mouse)
                if 0 <= column < across and 0 <= row < up:
                    under, clicked = column * up + row, plot.clicked
                    plot.mark(column, row)
            size = size[0], plot.height
    if len(there):
        ui.beside()
        ui.colour_scale(low, high, (-1, size[1]), decimals(low, high))
    return under, clicked


def _line(study: EditedStudy, so_far: SoFar, size: tuple[float, float], ui: Ui) -> tuple[int | None, bool]:
    """Draw the means with their band; return the point under the mouse, or None, and whether it is clicked."""
    there, under, clicked = ~np.isnan(so_far.mean), None, False
    x, mean, half = np.flatnonzero(there).astype(float), so_far.mean[there], np.nan_to_num(so_far.half[there])
    low, high = (float((mean - half).min()), float((mean + half).max())) if there.any() else (0.0, 1.0)
    room = 0.08 * (high - low) or 0.5
    with ui.plot("line", size) as plot:
        if plot:
            _axis(plot, False, study.varied[0])
            plot.axis(True, study.measure, (low - room, high + room))
            plot.band(x, mean - half, mean + half, ui.theme.tinted(0.3))
            plot.line(x, mean, ui.theme.accent, 2.0)
            plot.dots(x, mean, ui.theme.accent)
            if plot.mouse is not None and 0 <= (column := round(plot.mouse[0])) < len(so_far.mean):
                under, clicked = column, plot.clicked
                plot.dots(x[x == under], mean[x == under], ui.theme.accent, 5.6)
    return under, clicked


def _axis(plot: Plot, upright: bool, one: Varied) -> None:
    """Set up an axis with equally spaced values of a field."""
    values = [shown(value) for value in one.values]
    plot.axis(upright, _label(one), (-0.5, len(values) - 0.5), values, lines=False)


def _unit(one: Varied) -> str:
    """Return the unit of a varied field, if it is short."""
    return line(one.field).unit.strip().replace("%%", "%")


def _label(one: Varied) -> str:
    return f"{one.words} ({unit})" if (unit := _unit(one)) else one.words


def _tell(study: EditedStudy, so_far: SoFar, point: int, ui: Ui) -> None:
    """Draw a tooltip with the results of a point."""
    with ui.tooltip():
        for one, value in zip(study.varied, study.at(point), strict=True):
            ui.verbatim(f"{one.words}: {shown(value)} {_unit(one)}".rstrip())
        mean, half, count = so_far.mean[point], so_far.half[point], so_far.count[point]
        if mean == mean:
            ui.verbatim(f"{study.measure}: {mean:.4g}" + (f" ± {half:.3g}" if half == half else ""))
        else:
            ui.text("{measure}: not known yet", measure=study.measure)
        ui.faint("{done:,} of {count:,} runs are done.", done=count, count=study.seeds)
