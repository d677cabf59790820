"""A study being edited in the window: one or two fields, each with a range of values."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field, replace
from itertools import islice, product

import numpy as np

from components.store.declare import integer, number
from components.store.fields import LARGEST, Field, Kind
from sandbox.app.shown import shown
from sandbox.language import capitalised, translate

MOST_VARIED = 2
RANGE_FACTOR = 2.0  # a field's first range is from its value / RANGE_FACTOR to its value * RANGE_FACTOR
STATISTICS = "mean", "last", "max", "min", "sd"


@dataclass
class Varied:
    """A field that a study varies.

    Attributes:
        key: its key in study files; `words`: its name in the window.
        field: its declaration, with unit and bounds.
        low, high: the ends of its range.
    """

    key: str
    words: str
    field: Field
    low: float
    high: float
    steps: int = shown(integer(5, "", 2, 50, "number of values, both ends included"))

    @property
    def values(self) -> list[float]:
        """All values, ascending; for an integer field rounded, without duplicates."""
        values = np.linspace(self.low, self.high, self.steps)
        if self.field.kind is Kind.INTEGER:
            return [int(value) for value in np.unique(np.rint(values))]
        return values.tolist()  # type: ignore[no-any-return]

    @property
    def as_toml(self) -> str:
        """The values in the syntax of study files."""
        if self.field.kind is Kind.INTEGER:
            return str(self.values)
        return f"{{ from = {self.low!r}, to = {self.high!r}, steps = {self.steps} }}"


def varied(key: str, words: str, declared: Field, value: float) -> Varied:
    """Return a field with an initial range around `value`, which is in the unit of scene files."""
    low, high = max(declared.low, -LARGEST), min(declared.high, LARGEST)
    if declared.kind is Kind.AMOUNT:
        declared = replace(declared, kind=Kind.NUMBER, default=value)
    ends = sorted((value / RANGE_FACTOR, value * RANGE_FACTOR)) if value else (0.0, min(high, 1.0) if high > 0 else 0.0)
    first, last = (min(max(end, low), high) for end in ends)
    if declared.kind is Kind.INTEGER:
        return Varied(key, words, declared, math.floor(first), math.ceil(last))
    return Varied(key, words, declared, float(f"{first:.6g}"), float(f"{last:.6g}"))


@dataclass
class EditedStudy:
    """An editable study.

    Attributes:
        varied: the varied fields, at most two.
        measure, statistic: the measure, and the statistic that summarizes it over a run.
    """

    varied: list[Varied] = field(default_factory=list)
    measure: str = "polarization"
    statistic: str = STATISTICS[0]
    seconds: float = shown(number(20.0, "s", 0.1, 1e6, "simulated length of each run"))
    seeds: int = shown(integer(4, "", 1, 1000, "number of runs of each point, each with its own seed"))

    @property
    def points(self) -> int:
        """The number of pairs of values."""
        return math.prod(len(one.values) for one in self.varied)

    def at(self, point: int) -> tuple[float, ...]:
        """Return the values at a point; the values of the last field change fastest."""
        return next(islice(product(*(one.values for one in self.varied)), point, None))

    @property
    def column(self) -> str:
        """The name of the summary's column in result tables."""
        return f"{self.measure} {self.statistic}"

    @property
    def wrong(self) -> str:
        """Why it is not a valid study, a sentence; or ""."""
        if not self.varied:
            return "Right-click a field of a prefab or a system in the inspector, then “Vary in a study”."
        for one in self.varied:
            if not one.low < one.high:
                return translate("{words} must go from a lower to a higher value.", words=capitalised(one.words))
        return ""

    def text(self, scene: str, tick_rate: int) -> str:
        """Return the contents of the study file; `scene`: the name of the scene file beside it."""
        ticks = max(round(self.seconds * tick_rate), 1)
        lines = ["format = 1", f'scene = "{scene}"', f"ticks = {ticks}", f"seeds = {self.seeds}", "", "[vary]"]
        lines += [f"{_quoted(one.key)} = {one.as_toml}" for one in self.varied]
        measure = _quoted(self.measure)
        lines += ["", "[measure]", f"every = {min(tick_rate, ticks)}", f"columns = [{measure}]"]
        return "\n".join([*lines, f'summary = {{ {measure} = ["{self.statistic}"] }}', ""])


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
