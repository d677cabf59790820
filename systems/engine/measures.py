"""The resource that holds measured values; no system reads it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from systems.engine.app import App

CHEAP = "population", "order", "tally"  # measuring systems that may run all the time; the others are too expensive
POPULATION = "population."  # before the name of a prefab: the measure that counts its living entities

ANISOTROPY = "anisotropy."  # before n: the measure of the n-th neighbours


@dataclass
class Measures:
    """The measures of the last tick by name.

    Attributes:
        wanted: names of the measuring systems that are to run; some measures are expensive.
        values: a number for each measure; a system of phase MEASURE sets its own if its name is in `wanted`.
    """

    wanted: Collection[str] = ()
    values: dict[str, float] = field(default_factory=dict)


def install(app: App) -> None:
    app.add_resource(Measures)
