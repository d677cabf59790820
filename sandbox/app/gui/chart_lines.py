"""Which charts there are, and their lines: what each is called, its colour and its symbol."""

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
from sandbox.app.measuring.measures_log import POPULATION, MeasuresLog
from systems.engine.charts import MeasureChart

MOST_POINTS = 200  # of a line, so that each is some pixels from the next
MOST_LINES = 10  # of a chart: the prefabs that were most numerous at some time
CONTRAST = 3.0  # of a line with what it is drawn on, at least
BLUE, ORANGE, GREEN, PURPLE = 0x5CA8E8, 0xE0863C, 0x5FB66B, 0xB48AD8
LIVING = "Velocity", "Energy", "Life"  # components: whoever has one of them lives
FLAT = 0.2  # of a chart's height: a lower line tells nothing
NICE = (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)


@dataclass(frozen=True)
class Line:
    """A measure over time.

    Attributes:
        measure: its name in the log.
        words: what people read.
        symbol: the number of a symbol, so that colour alone tells nothing.
        whole: it counts something.
    """

    measure: str
    words: str
    colour: Rgba
    symbol: int = 0
    whole: bool = False


@dataclass(frozen=True)
class Chart:
    """Some lines on one scale, from 0 to `top`, or as high as they go.

    Attributes:
        share: of the height that charts have.
        marked: it also shows when flocks joined and parted.
    """

    title: str
    lines: tuple[Line, ...]
    top: float | None = None
    unit: str = ""
    share: int = 1
    marked: bool = False


def charts_of(log: MeasuresLog, world: World, theme: Theme, declared: Iterable[MeasureChart] = ()) -> list[Chart]:
    """The charts that have something to show: how many there are of each prefab, and those that are declared."""
    lived = [name for name in log.names if name.startswith(POPULATION) and _lives(name, world)]
    if len(lived) > MOST_LINES:
        lived = sorted(lived, key=log.highest, reverse=True)[:MOST_LINES]
    lived.sort(key=log.names.index)
    populations = tuple(
        Line(name, name.removeprefix(POPULATION), legible(rgb_of(_colour(name, world)), theme.field), place, whole=True)
        for place, name in enumerate(lived)
    )
    charts = [Chart("Populations", populations, share=2)]
    charts += [_chart(chart, log, theme) for chart in declared if any(map(log.is_some, chart.measures))]
    return [chart for chart in charts if chart.lines]


def _chart(declared: MeasureChart, log: MeasuresLog, theme: Theme) -> Chart:
    colours = dict(zip(declared.measures, cycle((BLUE, ORANGE, GREEN, PURPLE))))
    colours |= {name: int(colour[1:], 16) for name, colour in declared.colours.items()}
    lines = tuple(
        Line(name, declared.measures[name], legible(rgb_of(colour), theme.field), place, _whole(log, name))
        for place, (name, colour) in enumerate(colours.items())
        if name in log.names
    )
    return Chart(declared.title, lines, declared.top, declared.unit, marked="polarization" in declared.measures)


def _whole(log: MeasuresLog, measure: str) -> bool:
    """Whether it was a whole number whenever it was measured."""
    values = log.column(measure)
    return bool((np.isnan(values) | (values % 1 == 0)).all())


def _lives(measure: str, world: World) -> bool:
    """Whether it counts animals, or a prefab that is no more; trees and stones are no population."""
    prefab = world.prefabs.get(measure.removeprefix(POPULATION))
    return prefab is None or not prefab.components.keys().isdisjoint(LIVING)


def _colour(measure: str, world: World) -> int:
    prefab = world.prefabs.get(measure.removeprefix(POPULATION))
    look = prefab.components.get("Look", {}) if prefab else {}
    return int(look.get("colour", world.table.components["Look"].fields["colour"].default))


@lru_cache(256)
def legible(colour: Rgb, ground: Rgba) -> Rgba:
    """A colour as light or dark as it must be to show on a ground."""
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
    """As the eye weighs colours, 0 to 1."""
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def nice_top(highest: float) -> float:
    """A round number above the highest value, which changes seldom while that one does."""
    if not highest > 0:
        return 1.0
    wanted = 1.05 * highest
    power = 10.0 ** np.floor(np.log10(wanted))
    return float(next(step for step in (*NICE, 12) if step * power >= wanted * (1 - 1e-9)) * power)


def enlargement(highest: float, top: float) -> int:
    """How many times as high a line is drawn that stays in the lowest fifth of its chart: 1, 5, 10, 50, 100 ..."""
    if not 0 < highest <= FLAT * top:
        return 1
    power = int(10 ** np.floor(np.log10(top / highest)))
    return next(times for times in (5 * power, power, power // 2) if times * highest <= top)


def apart(lines: Iterable[NDArray[np.float64]], gap: float) -> list[NDArray[np.float64]]:
    """The heights of lines, pixels; one that would cover another before it lies beside that."""
    found: list[NDArray[np.float64]] = []
    for line in lines:
        while any((np.abs(line - other) < gap / 2).mean() > 0.5 for other in found):
            line = line - gap
        found.append(line)
    return found


def chosen_rows(log: MeasuresLog, begin: float, end: float, most: int) -> NDArray[np.intp]:
    """The rows to draw between two times (s), about `most` of them, always the same ones."""
    low, high = np.searchsorted(log.seconds, (begin, end))
    low, high = max(int(low) - 1, 0), min(int(high) + 1, len(log))
    stride = 1
    while (high - low) / stride > most:
        stride *= 2  # a power of two, counted from the first row: lines keep their shape as they move on
    drawn = np.zeros(high - low, bool)
    drawn[-low % stride :: stride] = drawn[:1] = drawn[-1:] = True
    return low + np.flatnonzero(drawn)
