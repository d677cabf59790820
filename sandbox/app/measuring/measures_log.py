"""A log of measures for charts: some rows for each simulated second, of which older ones are thinned out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.store.world import World
from sandbox.edit.queue import CommandQueue
from sandbox.past.branch import Branch
from sandbox.past.timeline import Timeline
from sandbox.render.followed import Change, FollowedFlocks
from sandbox.simulation import Simulation
from systems.engine.measures import CHEAP, POPULATION
from systems.engine.settings import Settings

PER_SECOND = 10  # rows per simulated second, at most
KEPT = 12_000  # rows: twenty minutes at the full rate


class MeasuresLog:
    """Rows of measures of one simulation, by tick. If it is full, every second row of the older half is removed.

    While the past is shown, rows of later ticks are kept.

    Attributes:
        changes: when flocks joined and split, for the ticks in which flocks were followed.
    """

    def __init__(self, branch: Branch | None = None) -> None:
        """Begin a log; `branch`: that of its rows."""
        self.changes: list[Change] = []
        self._branch = branch
        self._count = 0
        self._now = 0.0  # s; a running sum, because the tick rate may change
        self._tick = 0
        self._mark = 0, 0, 0
        self._wanted: tuple[str, ...] = CHEAP
        self._due = 0.0  # the tick of the next row
        self._prepared: tuple[tuple[object, ...], Mapping[str, float]] = (), {}
        self._seconds = np.zeros(KEPT)
        self._ticks = np.zeros(KEPT, np.int64)
        self._columns: dict[str, NDArray[np.float32]] = {}
        self._highest: dict[str, float] = {}
        self._nonzero: set[str] = set()

    def __len__(self) -> int:
        return self._count

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all measures, in the order of their first row."""
        return tuple(self._columns)

    @property
    def seconds(self) -> NDArray[np.float64]:
        """Simulated time of each row, s."""
        return self._seconds[: self._count]

    @property
    def now(self) -> float:
        """Simulated time of the present tick, s."""
        return self._now

    def highest(self, name: str) -> float:
        """Return the highest value of a measure so far, also in removed rows."""
        return self._highest.get(name, 0.0)

    def is_some(self, name: str) -> bool:
        """Return whether a measure was ever a number other than 0."""
        return name in self._nonzero

    def column(self, name: str) -> NDArray[np.float32]:
        """Return the values of a measure in all rows; NaN if it was not measured."""
        return self._columns[name][: self._count]

    def seconds_at(self, ticks: Sequence[int]) -> NDArray[np.float64]:
        """Return the simulated time of some ticks, s, interpolated between rows."""
        return np.interp(ticks, self._ticks[: self._count], self.seconds)

    def prepare(self, simulation: Simulation, world: World) -> None:
        """Take the measures of the next row if it is due, in the thread that has run a tick.

        Args:
            world: a copy of the simulation's world, which it will show.
        """
        if world.tick >= self._due:
            wanted = self._wanted
            self._prepared = _mark_of(world, wanted), simulation.measure_lent(world, wanted)

    def gather(self, simulation: Simulation, more: Collection[str] = ()) -> None:
        """Add a row if one is due, of what was prepared if it is of this state.

        Args:
            more: names of further systems whose measures are wanted.
        """
        world, self._wanted = simulation.world, tuple(dict.fromkeys((*CHEAP, *more)))
        if (flocks := world.resources.get(FollowedFlocks)) is not None:
            others = [change for change in self.changes if not flocks.begin < change.tick <= flocks.tick]
            self.changes = others + flocks.changes
        rate = world.resource(Settings).tick_rate
        before, self._mark = self._mark, (world.tick, world.table.size, world.next_serial)
        if self._count == KEPT:
            self._thin_out()
        ticks = self._ticks[: self._count]
        index = int(np.searchsorted(ticks, world.tick, side="right"))
        known = index > 0 and ticks[index - 1] == world.tick
        if not self._count:
            self._now = world.tick / rate
        elif index < self._count or world.tick < self._tick:
            row = max(index - 1, 0)  # the row before, or the first one
            self._now = self._seconds[row] + (world.tick - ticks[row]) / rate
        else:
            self._now += (world.tick - self._tick) / rate
        self._tick = world.tick
        if known and (before[0] != world.tick or before == self._mark):
            return
        near = [abs(world.tick - int(tick)) for tick in ticks[max(index - 1, 0) : index + 1]]
        if known:  # the world was edited while paused: replace the row
            index -= 1
        elif near and min(near) * PER_SECOND < rate:
            return
        mark, values = self._prepared
        self._put(index, values if mark == _mark_of(world, self._wanted) else simulation.measures(self._wanted), known)
        self._due = int(self._ticks[self._count - 1]) + rate / PER_SECOND

    def follow(self, timeline: Timeline) -> None:
        """If another branch is shown, forget the measures and flocks that belong only to the previous one."""
        before, self._branch = self._branch, timeline.branch
        if before is None or before is self._branch:
            return
        parting = before.parting(self._branch)
        self.forget_after(parting)
        if (flocks := timeline.simulation.world.resources.get(FollowedFlocks)) is not None:
            flocks.forget_after(parting)

    def forget_after(self, tick: int) -> None:
        """Remove the rows and changes after a tick."""
        self.changes = [change for change in self.changes if change.tick <= tick]
        self._count = int(np.searchsorted(self._ticks[: self._count], tick, side="right"))

    def rows(self) -> list[dict[str, Any]]:
        """Return all rows for writing a table; values that were not measured are None."""
        columns: dict[str, list[Any]] = {
            "tick": self._ticks[: self._count].tolist(),
            "seconds": np.round(self.seconds, 6).tolist(),
        }
        for name in self._columns:
            kept = self.column(name).astype(np.float64)
            whole = name == "entities" or name.startswith(POPULATION)
            columns[name] = [None if n != n else int(n) if whole else float(f"{n:.7g}") for n in kept.tolist()]
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]

    def _put(self, row: int, values: Mapping[str, float], known: bool) -> None:
        """Write the row of the present tick at index `row`: replace it if `known`, else insert it."""
        for name in values:
            if name not in self._columns:
                self._columns[name] = np.full(KEPT, np.nan, np.float32)
        arrays: list[NDArray[Any]] = [self._seconds, self._ticks, *self._columns.values()]
        for array in arrays if not known else ():
            array[row + 1 : self._count + 1] = array[row : self._count].copy()
        self._count += not known
        self._seconds[row], self._ticks[row] = self._now, self._tick
        for name, column in self._columns.items():
            column[row] = values.get(name, np.nan)
        for name, value in values.items():
            self._highest[name] = max(self._highest.get(name, 0.0), value)
            if value and value == value:
                self._nonzero.add(name)

    def _thin_out(self) -> None:
        row = np.arange(KEPT)
        kept = np.flatnonzero((row >= KEPT // 2) | (row % 2 == 0))
        arrays: list[NDArray[Any]] = [self._seconds, self._ticks, *self._columns.values()]
        for values in arrays:
            values[: len(kept)] = values[kept]
            values[len(kept) :] = 0
        self._count = len(kept)


def _mark_of(world: World, wanted: tuple[str, ...]) -> tuple[object, ...]:
    """Return a mark that is equal as long as these measures are the same."""
    return world.tick, world.resource(CommandQueue).count, wanted
