"""A study as a person puts it together in the window: one or two fields, each over a range."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field, replace
from itertools import islice, product

import numpy as np

from components.store.declare import integer, number
from components.store.fields import LARGEST, Field, Kind, declared
from sandbox.language import capitalised, said

MOST_VARIED = 2
UP_TO = 2.0  # times its value, and down to the value by it: a field's first range
STATISTICS = "mean", "last", "max", "min", "sd"


class _Numbers:
    """What else a study needs to know."""

    steps: int = integer(5, "", 2, 50, "how many values, both ends among them")
    seconds: float = number(20, "s", 0.1, 1e6, "how long each run is, simulated")
    seeds: int = integer(4, "", 1, 1000, "how many runs each cell has, each with a seed of its own")


NUMBERS = declared(_Numbers)


@dataclass
class Varied:
    """A field that takes several values.

    Attributes:
        key: of study files; `words`: what people read.
        field: says its unit and bounds.
        low, high: the ends of its range; `steps`: how many values.
    """

    key: str
    words: str
    field: Field
    low: float
    high: float
    steps: int = NUMBERS["steps"].default

    @property
    def values(self) -> list[float]:
        """All values, rising; of a field of whole numbers those next to them, each once."""
        values = np.linspace(self.low, self.high, self.steps)
        if self.field.kind is Kind.INTEGER:
            return [int(value) for value in np.unique(np.rint(values))]
        return values.tolist()  # type: ignore[no-any-return]

    @property
    def said(self) -> str:
        """The values as study files write them."""
        if self.field.kind is Kind.INTEGER:
            return str(self.values)
        return f"{{ from = {self.low!r}, to = {self.high!r}, steps = {self.steps} }}"


def varied(key: str, words: str, declared: Field, value: float) -> Varied:
    """A field over a first range around its value, as files write it."""
    low, high = max(declared.low, -LARGEST), min(declared.high, LARGEST)
    if declared.kind is Kind.AMOUNT:
        declared = replace(declared, kind=Kind.NUMBER, default=value)
    ends = sorted((value / UP_TO, value * UP_TO)) if value else (0.0, min(high, 1.0) if high > 0 else 0.0)
    first, last = (min(max(end, low), high) for end in ends)
    if declared.kind is Kind.INTEGER:
        return Varied(key, words, declared, math.floor(first), math.ceil(last))
    return Varied(key, words, declared, float(f"{first:.6g}"), float(f"{last:.6g}"))


@dataclass
class Draft:
    """A study that can be changed.

    Attributes:
        varied: one or two fields.
        measure, statistic: the number that sums up a run.
        seconds: how long a run is, simulated; `seeds`: runs of each pair of values.
    """

    varied: list[Varied] = field(default_factory=list)
    measure: str = "polarization"
    statistic: str = STATISTICS[0]
    seconds: float = NUMBERS["seconds"].default
    seeds: int = NUMBERS["seeds"].default

    @property
    def points(self) -> int:
        """How many pairs of values there are."""
        return math.prod(len(one.values) for one in self.varied)

    def at(self, point: int) -> tuple[float, ...]:
        """The values at a point; those of the last field change fastest."""
        return next(islice(product(*(one.values for one in self.varied)), point, None))

    @property
    def column(self) -> str:
        """What the number is called in tables."""
        return f"{self.measure} {self.statistic}"

    @property
    def wrong(self) -> str:
        """Why it is no study yet, a sentence; or ""."""
        if not self.varied:
            return "Right-click a field of a prefab or a system in the inspector, then “Vary in a study”."
        for one in self.varied:
            if not one.low < one.high:
                return said("{words} must go from a lower to a higher value.", words=capitalised(one.words))
        return ""

    def text(self, scene: str, tick_rate: int) -> str:
        """The study file; `scene`: the file of its scene, beside it."""
        ticks = max(round(self.seconds * tick_rate), 1)
        lines = ["format = 1", f'scene = "{scene}"', f"ticks = {ticks}", f"seeds = {self.seeds}", "", "[vary]"]
        lines += [f"{_quoted(one.key)} = {one.said}" for one in self.varied]
        measure = _quoted(self.measure)
        lines += ["", "[measure]", f"every = {min(tick_rate, ticks)}", f"columns = [{measure}]"]
        return "\n".join([*lines, f'summary = {{ {measure} = ["{self.statistic}"] }}', ""])


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
