"""The data of a study's pictures; draw.py draws them.

A picture has a panel for each number of the summary; its kind depends on how many keys are varied.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from sandbox.extras.studies.study import Value

Floats: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True)
class Panel:
    """The title of a panel, and the label of its x axis, with units."""

    title: str
    x_label: str


@dataclass(frozen=True)
class Line(Panel):
    """A mean along x, with its 95 % confidence interval as a band.

    Attributes:
        x: numbers, or words (categories), shape (n,).
        mean: the mean, shape (n,).
        half: half the width of the band, NaN if there is none, shape (n,).
        lines: the x and y of single runs as lines behind it.
        dots: the x and y of single runs as dots.
    """

    x: Sequence[Value]
    mean: Floats
    half: Floats
    lines: Sequence[tuple[Floats, Floats]] = ()
    dots: tuple[Sequence[Value], Floats] = ((), np.zeros(0))


@dataclass(frozen=True)
class Plane(Panel):
    """Colours over two axes.

    Attributes:
        scale: the values of the lowest and the highest colour, the same for all panels of a number.
    """

    y_label: str
    scale: tuple[float, float]


@dataclass(frozen=True)
class Heat(Plane):
    """A heat map: a colour for each pair of values.

    Attributes:
        z: the means, NaN if no run is done, shape (ys, xs).
        half: half the widths of their confidence intervals, NaN if there is one run, of the same shape.
    """

    xs: Sequence[Value]
    ys: Sequence[Value]
    z: Floats
    half: Floats


@dataclass(frozen=True)
class Cloud(Plane):
    """A scatter plot: a coloured dot for each pair of values; all have shape (n,)."""

    x: Sequence[Value]
    y: Sequence[Value]
    z: Floats


@dataclass(frozen=True)
class Bars(Panel):
    """Horizontal bars with names; `half`: half the width of their confidence intervals."""

    names: Sequence[str]
    length: Floats
    half: Floats


@dataclass(frozen=True)
class Picture:
    """Panels in rows of `columns` panels.

    Attributes:
        name: the name of its file.
        title, note: what it shows, and how to read it.
    """

    name: str
    title: str
    note: str
    columns: int
    panels: Sequence[Panel]


def is_scale(values: Sequence[Value]) -> bool:
    """Return whether all values are numbers, not words or booleans."""
    return all(type(value) in (int, float) for value in values)


def shown(value: Value | None) -> str:
    """Return a value as axes and tables show it; NaN is the mean of no runs."""
    if isinstance(value, float):
        return "–" if math.isnan(value) else f"{value:.4g}"
    return str(value).lower() if isinstance(value, bool) else str(value)


def limits(values: Floats) -> tuple[float, float]:
    """Return the lowest and highest value, ignoring NaN; (0, 1) if there are none."""
    known = values[~np.isnan(values)]
    return (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)


def told(mean: float, half: float) -> str:
    """Return a mean as a cell of a map shows it, with half the width of its confidence interval below it, if any."""
    digits = f"{mean:.0f}" if abs(mean) >= 1000 else f"{mean:.3g}"
    if math.isnan(half):
        return digits
    return f"{digits}\n±{half:.0f}" if half >= 100 else f"{digits}\n±{half:.2g}"


def decimals(low: float, high: float) -> int:
    """Return the number of decimals needed to distinguish numbers in this range."""
    wide = high - low
    return min(max(1 - math.floor(math.log10(wide)), 0), 8) if wide > 0 else 2
