"""What a picture of a study shows, in numbers; draw.py and report.py draw it.

A picture is panels, one for each number that sums up a run, of a kind that follows from how many things are varied.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from sandbox.studies.study import Value

Floats: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True)
class Panel:
    """What it is called, and its axis along, with units."""

    title: str
    x_label: str


@dataclass(frozen=True)
class Line(Panel):
    """A mean along x, with a band: its 95 % confidence interval.

    Attributes:
        x: numbers, or words, which stand side by side, shape (n,).
        mean, half: and half the width of the band, NaN where there is none, shape (n,).
        lines: single runs behind it, each x and y; `dots`: as dots.
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
        scale: the lowest and the highest colour, the same for all panels of a number.
    """

    y_label: str
    scale: tuple[float, float]


@dataclass(frozen=True)
class Heat(Plane):
    """A colour for each pair of values.

    Attributes:
        z: NaN where no run is done, shape (ys, xs).
        runs: how many are done, the same shape.
    """

    xs: Sequence[Value]
    ys: Sequence[Value]
    z: Floats
    runs: NDArray[np.int64]


@dataclass(frozen=True)
class Cloud(Plane):
    """A coloured dot for each pair of values, all of shape (n,)."""

    x: Sequence[Value]
    y: Sequence[Value]
    z: Floats


@dataclass(frozen=True)
class Bars(Panel):
    """Lying bars with names; `half`: of their intervals of confidence."""

    names: Sequence[str]
    length: Floats
    half: Floats


@dataclass(frozen=True)
class Picture:
    """Panels in rows of so many columns.

    Attributes:
        name: of its file.
        title, note: what it shows, and how to read it.
    """

    name: str
    title: str
    note: str
    columns: int
    panels: Sequence[Panel]


def is_scale(values: Sequence[Value]) -> bool:
    """Whether these are numbers, and no words or switches."""
    return all(type(value) in (int, float) for value in values)


def shown(value: Value | None) -> str:
    """A value as an axis or a table shows it; a mean of no runs is NaN."""
    if isinstance(value, float):
        return "–" if math.isnan(value) else f"{value:.4g}"
    return str(value).lower() if isinstance(value, bool) else str(value)


def limits(values: Floats) -> tuple[float, float]:
    """The lowest and highest of these, NaN aside."""
    known = values[~np.isnan(values)]
    return (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)


def decimals(low: float, high: float) -> int:
    """How many decimals tell numbers between these apart."""
    wide = high - low
    return min(max(1 - math.floor(math.log10(wide)), 0), 8) if wide > 0 else 2
