"""Charts that a part of the program asks for: declared here, drawn by a window if there is one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class MeasureChart:
    """Measures of one system over time, on one scale: a chart of the Charts panel, where a world measures them.

    Attributes:
        title: what people read.
        system: the name of the system, of phase MEASURE, that notes them.
        measures: their names in `Measures.values`, each with the words that people read.
        top: the highest value of the scale; None: as high as they go.
        unit: ready to stand behind a number; "" for none.
    """

    title: str
    system: str
    measures: Mapping[str, str]
    top: float | None = None
    unit: str = ""
