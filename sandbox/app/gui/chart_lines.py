"""Decides which charts to draw, with which lines, names, colours, symbols and scales; thins out their values."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import cycle

import numpy as np
from numpy.typing import NDArray

from components.store.world import World
from sandbox.app.drawing.colours import Rgb, rgb_of
from sandbox.app.gui.theme import Rgba, Theme
from sandbox.app.measuring.measures_log import MeasuresLog
from sandbox.meanings import about_measure
from sandbox.window_part import MeasureChart
from systems.engine.measures import POPULATION
from systems.engine.pipeline import Pipeline

MOST_POINTS = 200  # per line, so that points are some pixels apart
MOST_LINES = 10  # per chart: those of the prefabs with the highest maximum
CONTRAST = 3.0  # minimum contrast ratio of a line to its background
BLUE, ORANGE, GREEN, PURPLE = 0x5CA8E8, 0xE0863C, 0x5FB66B, 0xB48AD8
LIVING = "Velocity", "Energy", "Life"  # an entity with one of these components is alive
FLAT = 0.2  # of a chart's height: a line that stays below it has the scale at the right
NICE = (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)


@dataclass(frozen=True)
class Line:
    """A line of a chart: one measure over time.

    Attributes:
        measure: its name in the log.
        words: its name in the legend.
        symbol: the number of its symbol, so that lines can be told apart without their colours.
        whole: its values are whole numbers.
        about: what it is, a sentence; "" if its name says it.
    """

    measure: str
    words: str
    colour: Rgba
    symbol: int = 0
    whole: bool = False
    about: str = ""


@dataclass(frozen=True)
class Chart:
    """A chart: some lines on one scale.

    Attributes:
        top: the upper end of the scale; None: it follows the highest value.
        marked: it also marks when flocks joined and parted.
    """

    title: str
    lines: tuple[Line, ...]
    top: float | None = None
    unit: str = ""
    marked: bool = False


def charts_of(log: MeasuresLog, world: World, theme: Theme, declared: Iterable[MeasureChart] = ()) -> list[Chart]:
    """Return the charts that have data: the populations of all prefabs, and the declared charts."""
    lived = [name for name in log.names if name.startswith(POPULATION) and log.is_some(name) and _lives(name, world)]
    if len(lived) > MOST_LINES:
        lived = sorted(lived, key=log.highest, reverse=True)[:MOST_LINES]
    lived.sort(key=log.names.index)
    populations = tuple(
        Line(name, name.removeprefix(POPULATION), legible(rgb_of(_colour(name, world)), theme.well), index, whole=True)
        for index, name in enumerate(lived)
    )
    charts = [Chart("Populations", populations)]
    charts += [_chart(chart, log, world, theme) for chart in declared if any(map(log.is_some, chart.measures))]
    return [chart for chart in charts if chart.lines]


def _chart(declared: MeasureChart, log: MeasuresLog, world: World, theme: Theme) -> Chart:
    colours = dict(zip(declared.measures, cycle((BLUE, ORANGE, GREEN, PURPLE))))
    colours |= {name: int(colour[1:], 16) for name, colour in declared.colours.items()}
    lines = tuple(
        Line(
            name,
            declared.measures[name],
            legible(rgb_of(colour), theme.well),
            index,
            _whole(log, name),
            about_measure(world.resource(Pipeline), declared.system, name),
        )
        for index, (name, colour) in enumerate(colours.items())
        if name in log.names
    )
    return Chart(declared.title, lines, declared.top, declared.unit, marked="flocks" in declared.measures)


def _whole(log: MeasuresLog, measure: str) -> bool:
    """Return whether all values of a measure are whole numbers."""
    values = log.column(measure)
    return bool((np.isnan(values) | (values % 1 == 0)).all())


def _lives(measure: str, world: World) -> bool:
    """Return whether a measure counts animals or a deleted prefab; trees and stones are not charted."""
    prefab = world.prefabs.get(measure.removeprefix(POPULATION))
    return prefab is None or not prefab.components.keys().isdisjoint(LIVING)


def _colour(measure: str, world: World) -> int:
    prefab = world.prefabs.get(measure.removeprefix(POPULATION))
    look = prefab.components.get("Look", {}) if prefab else {}
    return int(look.get("colour", world.table.components["Look"].fields["colour"].default))


@lru_cache(256)
def legible(colour: Rgb, ground: Rgba) -> Rgba:
    """Return a colour made lighter or darker until its contrast to a background is at least CONTRAST."""
    rgb = np.array(colour) / 255
    below = _luminance(np.array(ground[:3]))
    away = np.full(3, 1.0 if below < 0.3 else 0.0)
    for share in np.linspace(0, 1, 21):
        mixed = rgb + (away - rgb) * share
        low, high = sorted((_luminance(mixed), below))
        if (high + 0.05) / (low + 0.05) >= CONTRAST:
            break
    red, green, blue = (float(part) for part in mixed)
    return red, green, blue, 1.0


def _luminance(rgb: NDArray[np.float64]) -> float:
    """Return the relative luminance of an sRGB colour (WCAG 2), 0 to 1."""
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def nice_top(highest: float) -> float:
    """Return a round number above the highest value; it changes seldom while the value grows."""
    if not highest > 0:
        return 1.0
    wanted = 1.05 * highest
    power = 10.0 ** np.floor(np.log10(wanted))
    return float(next(step for step in (*NICE, 12) if step * power >= wanted * (1 - 1e-9)) * power)


def on_the_right(highest: float, top: float) -> bool:
    """Return whether a line stays in the lowest fifth of its chart, so that it needs a scale of its own."""
    return 0 < highest <= FLAT * top


def symbol_indices(seconds: NDArray[np.float64], apart: float, share: float) -> list[int]:
    """Return the indices of the values that get a symbol: every `apart` seconds, and the last one.

    Args:
        seconds: the times of the values.
        share: of `apart`, by which the symbols of this line are later than those of the first, 0 to 1: lines on each
            other are thus both seen.
    """
    first, last = seconds[0] / apart - share, seconds[-1] / apart - share
    marks = (np.arange(np.ceil(first), np.floor(last + 0.8)) + share) * apart
    return [*np.searchsorted(seconds, marks).tolist(), len(seconds) - 1]


def chosen_rows(log: MeasuresLog, begin: float, end: float, most: int) -> NDArray[np.intp]:
    """Return the rows to draw between two times (s): at most about `most`, always the same ones."""
    low, high = np.searchsorted(log.seconds, (begin, end))
    low, high = max(int(low) - 1, 0), min(int(high) + 1, len(log))
    stride = 1
    while (high - low) / stride > most:
        stride *= 2  # a power of two, counted from the first row: lines do not flicker while they scroll
    drawn = np.zeros(high - low, bool)
    drawn[-low % stride :: stride] = drawn[:1] = drawn[-1:] = True
    return low + np.flatnonzero(drawn)
