"""Carries out births and deaths in COMMIT, and tells systems that run later, sounds and overlays of them.

The state does not contain them: no snapshot has them, and a world that was opened or went back in time has none
until its next tick. So systems can read them only in the rest of the tick in which they happened.
"""

from __future__ import annotations

from collections import deque
from copy import copy
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from components.motion import Position
from components.store.world import World
from systems.engine.app import App

REMEMBERED = 20_000  # births and deaths in `recent`


@dataclass(frozen=True, eq=False)
class Happened:
    """Births, deaths or catches, by ascending serial. All arrays are read-only and have one element for each.

    Attributes:
        serials: who was born, died or was caught, int64 (n,).
        by: the serial of its parent, or of who caught it; 0 if there is none or it is unknown, int64 (n,).
        prefabs: its prefab, an index into `world.prefabs`, int32 (n,).
        places: where it was, u; NaN without a Position, float32 (n, 2), with depth (n, 3).
    """

    serials: NDArray[np.int64]
    by: NDArray[np.int64]
    prefabs: NDArray[np.int32]
    places: NDArray[np.float32]

    def __post_init__(self) -> None:
        for values in vars(self).values():
            values.flags.writeable = False

    def __len__(self) -> int:
        return len(self.serials)

    def only(self, which: NDArray[Any]) -> Happened:
        """Return some of them: a mask, or their indexes."""
        return Happened(*(values[which] for values in vars(self).values()))

    def placed(self, axes: str) -> Happened:
        """Return those that were somewhere; none if these are not the axes that their world had then."""
        return self.only(np.isfinite(self.places[:, 0]) & (self.places.shape[1] == len(axes)))

    def with_more(self, more: Happened) -> Happened:
        """Return these and others."""
        if not len(more) or not len(self):
            return more if len(more) else self
        pairs = zip(vars(self).values(), vars(more).values(), strict=True)
        both = Happened(*(np.concatenate(pair) for pair in pairs))
        return both.only(np.argsort(both.serials))


NOTHING = Happened(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.int32), np.zeros((0, 2), np.float32))


class TickEvents(NamedTuple):
    """What happened in one tick; edits by people do not count."""

    tick: int = -1
    births: Happened = NOTHING
    deaths: Happened = NOTHING

    @property
    def catches(self) -> Happened:
        """The deaths of prey that was caught."""
        return self.deaths.only(self.deaths.by > 0)


class Events:
    """The births, deaths and catches of the last tick.

    Attributes:
        recent: the latest ticks in which something happened, with at most 20,000 births and deaths.
    """

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Forget everything, because the world has another past now."""
        self.recent: deque[TickEvents] = deque()
        self._remembered = 0
        self.go_to(0)

    def go_to(self, tick: int) -> None:
        """Forget the last tick, and all from this one on, because the world went to another moment of its past."""
        self._last = TickEvents()
        self._caught = self._hunters = NOTHING.serials
        while self.recent and self.recent[-1].tick >= tick:
            self._drop(self.recent.pop())

    def for_readers(self) -> Events:
        """Return a copy that stays as it is."""
        made = copy(self)
        made.recent = self.recent.copy()
        return made

    @property
    def births(self) -> Happened:
        """Who was born, and `by` whom."""
        return self._last.births

    @property
    def deaths(self) -> Happened:
        """Who died, of whatever cause, and `by` whom if it was caught."""
        return self._last.deaths

    @property
    def catches(self) -> Happened:
        """Who was caught, and `by` whom."""
        return self._last.catches

    def add_catches(self, prey: NDArray[np.int64], hunters: NDArray[np.int64]) -> None:
        """Note who of those that will die in this tick was caught, and by whom: serials."""
        self._caught, self._hunters = prey, hunters

    def add(self, tick: int, births: Happened, deaths: Happened) -> None:
        """Add what happened in a tick, which may be the last one."""
        last = self._last if self._last.tick == tick else TickEvents(tick)
        self._last = last
        count = len(births.serials) + len(deaths.serials)
        if not count and not len(self._caught):
            return
        if count and len(last.births) + len(last.deaths):
            self.recent.pop()
        if len(self._caught):
            by = deaths.by.copy()
            _, at, whose = np.intersect1d(deaths.serials, self._caught, assume_unique=True, return_indices=True)
            by[at] = self._hunters[whose]
            deaths = Happened(deaths.serials, by, deaths.prefabs, deaths.places)
            self._caught = NOTHING.serials
        self._last = TickEvents(tick, last.births.with_more(births), last.deaths.with_more(deaths))
        if count:
            self.recent.append(self._last)
            self._remembered += count
        while self._remembered > REMEMBERED and len(self.recent) > 1:
            self._drop(self.recent.popleft())

    def _drop(self, gone: TickEvents) -> None:
        self._remembered -= len(gone.births) + len(gone.deaths)


def carry_out(world: World) -> None:
    """Carry out the queued changes of a world; births and deaths among them are added to its events."""
    events, births, deaths = world.resources.get(Events), NOTHING, NOTHING
    if world.waiting:
        dying, (born, parents) = world.dying, world.waiting.births
        deaths = _happened(world, dying, np.zeros(len(dying), np.int64))
        world.commit()
        if len(born):
            rows = world.table.rows_of(born)
            births = _happened(world, rows[rows >= 0], parents[rows >= 0])
    else:
        world.commit()
    if events is not None:
        events.add(world.tick, births, deaths)


def _happened(world: World, rows: NDArray[np.int64], by: NDArray[np.int64]) -> Happened:
    if not len(rows):
        return NOTHING
    table = world.table
    order = np.argsort(table.serial[rows])
    rows, by = rows[order], by[order]
    places = np.full((len(rows), len(table.axes)), np.nan, np.float32)
    if Position in table.bit_of:
        placed = table.has(rows, Position)
        places[placed] = table.stacked("Position", rows[placed])
    return Happened(table.serial[rows], by, table.prefab[rows], places)


def install(app: App) -> None:
    app.add_resource(Events)
