"""Charts of measures: declared by systems or mods, drawn by the window."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class MeasureChart:
    """A chart of the Charts panel: measures of one system over time, on one scale; only in worlds that measure them.

    Attributes:
        system: the name of the system, of phase MEASURE, that computes the measures.
        measures: the names in `Measures.values`, each with the words that people read.
        top: the highest value of the scale; None: it fits the values.
        unit: shown behind numbers; "" for none.
        colours: "#rrggbb" of lines by the measure's name; the other lines get default colours in turn.
    """

    title: str
    system: str
    measures: Mapping[str, str]
    top: float | None = None
    unit: str = ""
    colours: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Raise ValueError if the chart could not be drawn."""
        given: dict[str, Any] = vars(self)
        pairs = given["measures"].items() if isinstance(given["measures"], Mapping) else ()
        if not pairs or not all(isinstance(words, str) for pair in pairs for words in pair):
            raise ValueError(f"chart {self.title!r}: measures must give each measure's name the words that people read")
        top = given["top"]
        if top is not None and not (isinstance(top, int | float) and 0 < top < math.inf):
            raise ValueError(f"chart {self.title!r}: top = {top!r}: must be a number above 0, or None")
        colours = given["colours"]
        if not isinstance(colours, Mapping) or not all(
            name in given["measures"] and re.fullmatch("#[0-9a-fA-F]{6}", str(colour))
            for name, colour in colours.items()
        ):
            raise ValueError(f"chart {self.title!r}: colours must give names of its measures colours like '#e8d9a0'")
        if not isinstance(given["system"], str) or not isinstance(given["unit"], str):
            raise ValueError(f"chart {self.title!r}: system and unit must be texts")
