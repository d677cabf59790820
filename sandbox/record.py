"""Takes measures of a simulation by name: once, or repeatedly during a run."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.store.words import did_you_mean
from sandbox.edit.command import find
from sandbox.simulation import Simulation
from systems.engine.measures import POPULATION
from systems.engine.settings import Settings
from systems.engine.system import Phase


class Record:
    """The measurements of a run, or its trajectories: an array for each name, all of the same length.

    "tick" is int64, "time" (s) and all measures are float64; all arrays are read-only. `to_pandas()` makes a data frame
    of them, `dict(record)` a dict.
    """

    def __init__(self, columns: dict[str, NDArray[Any]]) -> None:
        self._columns = columns
        for column in columns.values():
            column.flags.writeable = False

    def __getitem__(self, name: str) -> NDArray[Any]:
        """Return the values of one name, shape (rows,)."""
        if name not in self._columns:
            raise KeyError(f"{name!r} was not recorded{did_you_mean(name, self._columns)}")
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self._columns["tick"])

    def __repr__(self) -> str:
        return f"<Record of {len(self)} rows: {', '.join(self)}>"

    def keys(self) -> Sequence[str]:
        """Return the names: "tick", "time" and what was recorded."""
        return tuple(self._columns)

    def to_pandas(self) -> Any:
        """Return a `pandas.DataFrame` of these rows, with "tick" as its index.

        Raises:
            ImportError: pandas is not installed.
        """
        try:
            pandas = import_module("pandas")
        except ImportError:
            raise ImportError("pandas is not installed: install it, or use the arrays, record[name]") from None
        return pandas.DataFrame(dict(self)).set_index("tick")


class Recorder:
    """Records rows of some measures; it runs only the systems that provide them."""

    def __init__(self, simulation: Simulation, names: Sequence[str]) -> None:
        """Record these measures.

        Raises:
            ValueError: one is unknown; the message names the nearest.
        """
        self._simulation, self._names = simulation, names
        _, self._systems = measured(simulation, names)
        self._rows: list[tuple[int, float, Mapping[str, float]]] = []

    def take(self) -> None:
        """Measure, and add a row."""
        simulation = self._simulation
        values = simulation.measures(self._systems) if self._systems else {}
        seconds = simulation.tick / simulation.world.resource(Settings).tick_rate
        self._rows.append((simulation.tick, seconds, values))

    @property
    def newest(self) -> Mapping[str, float]:
        """The values of the last row."""
        return self._rows[-1][2]

    def record(self) -> Record:
        """Return all rows so far."""
        ticks, seconds, rows = zip(*self._rows) if self._rows else ((), (), ())
        columns: dict[str, NDArray[Any]] = {"tick": np.array(ticks, np.int64), "time": np.array(seconds, np.float64)}
        for name in self._names:
            columns[name] = np.array([row.get(name, np.nan) for row in rows], np.float64)
        return Record(columns)


def measured(simulation: Simulation, names: Collection[str]) -> tuple[dict[str, float], list[str]]:
    """Return the current values of these measures, perhaps with others, and the systems that provide them.

    The systems of MEASURE run one by one until all names are found; the expensive ones come last.

    Raises:
        ValueError: a measure is unknown; the message names the nearest.
    """
    for name in names:
        if not isinstance(name, str):
            find("measure", name, {})
    values: dict[str, float] = {}
    systems: list[str] = []
    for system in simulation.pipeline.systems:
        if system.phase is Phase.MEASURE and (wanted := set(names) - values.keys()):
            found = simulation.measures([system.name])
            if not found.keys().isdisjoint(wanted):
                systems.append(system.name)
            values |= found
    for name in names:
        find("measure", name, values)
    return values, systems


def of_somebody(name: str, values: Iterable[float]) -> bool:
    """Return whether a list should have the measure with these values: not the population of a prefab nobody was."""
    return not name.startswith(POPULATION) or any(values)
