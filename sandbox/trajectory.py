"""Trajectories: where everything that moves was, and when, with other values of it, as rows of a table.

There is a row for each entity with a Position and a Velocity at each time, by time, then by serial.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.motion import Position, Velocity
from components.store.fields import DEEP, FLAT, Kind
from components.store.world import World
from sandbox.design.field_rules import NO_DEPTH
from sandbox.edit.command import find
from sandbox.shown_values import shown_values
from sandbox.simulation import Simulation
from systems.engine.settings import Settings

Rows = dict[str, NDArray[Any]]
"""The columns of some rows by name, each of shape (n,); NaN, or an empty text, where an animal lacks the component."""

SHORT = {
    **{axis: f"Position.{axis}" for axis in DEEP},
    **{f"v{axis}": f"Velocity.{axis}" for axis in DEEP},
    "energy": "Energy.level",
    "age": "Life.age",
}
"""The fields that have a short name, too."""

TEXT = "text"
TYPES = {
    Kind.NUMBER: "float32",
    Kind.VECTOR: "float32",
    Kind.AMOUNT: "float64",
    Kind.INTEGER: "int32",
    Kind.SWITCH: "bool",
    Kind.CHOICE: TEXT,
    Kind.COLOUR: TEXT,
    Kind.PREFABS: TEXT,
}


@dataclass(frozen=True)
class Column:
    """A column of a trajectory.

    Attributes:
        name: as it was asked for: "x" or "Energy.hunger".
        type: what it is in files, one of TYPES or "int64".
        unit, meaning: of its values; "" if there is none.
        key: the column of the world's table; "" of those in FIXED.
    """

    name: str
    type: str
    unit: str
    meaning: str
    key: str = ""

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of its values in memory: that of float64 for whole numbers and switches, so that they can be NaN."""
        return np.dtype({TEXT: "U1", "float32": "f4"}.get(self.type, "i8" if self.type == "int64" else "f8"))


FIXED = (
    Column("tick", "int64", "", "ticks since the world began"),
    Column("time", "float64", "s", "simulated time since the world began"),
    Column("serial", "int64", "", "the number of the animal, which is its own"),
    Column("kind", TEXT, "", "its prefab"),
)
"""The first columns of every trajectory."""


def columns_of(world: World, names: Iterable[str] | None) -> tuple[Column, ...]:
    """Return the columns of a trajectory: FIXED, and those of these names; None: place and velocity.

    Raises:
        ValueError: a column is unknown (the message names the nearest), is there twice, or only worlds with depth have
            it.
    """
    axes, table = world.table.axes, world.table
    keys = {name: key for name, key in SHORT.items() if key in table.columns} | {key: key for key in table.columns}
    fields = ((name, table.field(key), key) for name, key in keys.items())
    known = {column.name: column for column in FIXED}
    known |= {name: Column(name, TYPES[field.kind], field.unit, field.help, key) for name, field, key in fields}
    columns = [*FIXED]
    for name in (*axes, *(f"v{axis}" for axis in axes)) if names is None else names:
        if axes == FLAT and name in ("z", "vz", SHORT["z"], SHORT["vz"]):
            raise ValueError(f"{name}: {NO_DEPTH}")
        column = find("column", name, known)
        if any((column.key or column.name) == (other.key or other.name) for other in columns):
            raise ValueError(f"the column {name!r} would be there twice")
        columns.append(column)
    return tuple(columns)


def samples(
    simulation: Simulation, columns: Iterable[Column], last: int, every: int, step: Callable[[int], object]
) -> Iterator[Rows]:
    """Yield the rows of the present tick, and those of each `every`-th tick after it, up to `last`.

    Args:
        step: runs so many ticks.
    """
    while True:
        yield rows_now(simulation, columns)
        if simulation.tick + every > last:
            return
        step(every)


def rows_now(simulation: Simulation, columns: Iterable[Column]) -> Rows:
    """Return the rows of the present tick."""
    world, table = simulation.world, simulation.world.table
    rows = table.rows_by_serial(Position, Velocity)
    found = {
        "tick": np.full(len(rows), world.tick, np.int64),
        "time": np.full(len(rows), world.tick / world.resource(Settings).tick_rate),
        "serial": table.serial[rows],
        "kind": np.array([*world.prefabs])[table.prefab[rows]],
    }
    return found | {column.name: _values(world, column, rows) for column in columns if column.key}


def _values(world: World, column: Column, rows: NDArray[np.int32]) -> NDArray[Any]:
    table = world.table
    missing = "" if column.type == TEXT else np.nan
    if column.key not in table.columns or TYPES[table.field(column.key).kind] != column.type:
        return np.full(len(rows), missing, column.dtype)  # a mod was switched off, or has changed
    there = table.has(rows, table.components[column.key.partition(".")[0]])
    shown = shown_values(world, column.key, rows[there])
    if shown.dtype == object:  # sets of prefabs
        shown = np.array([" ".join(names) for names in shown], str)
    values = np.full(len(rows), missing, shown.dtype if column.type == TEXT else column.dtype)
    values[there] = shown
    return values
