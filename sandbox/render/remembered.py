"""The flocks of earlier ticks, so that each has the colour of then after a jump in time."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

APART = 0.1  # s from one remembered tick to the next, at least
SAMPLE = 20_000  # animals that are remembered of a tick, at most
REMEMBERED = 1_000_000  # animals of all ticks
COST = 200  # of a tick, counted in animals


@dataclass(frozen=True)
class Moment:
    """The flocks of a tick; arrays by animal, see `FollowedFlocks`.

    Attributes:
        serials: of animals, int64, ascending; in a large world not of all.
        home, lately: the number of the flock of each, int32; since: a tick, int32.
        colour: of each flock's number, int64.
    """

    serials: NDArray[np.int64]
    home: NDArray[np.int32]
    lately: NDArray[np.int32]
    since: NDArray[np.int32]
    colour: NDArray[np.int64]


class Remembered:
    """Moments by tick; where there are too many, every second one is forgotten."""

    def __init__(self) -> None:
        self._ticks: list[int] = []  # ascending
        self._moments: list[Moment] = []
        self._apart, self._cost = APART, 0

    def __len__(self) -> int:
        return len(self._ticks)

    def last(self, tick: int) -> tuple[int, Moment] | None:
        """Return the last moment up to a tick, if there is one, and its tick."""
        index = bisect_right(self._ticks, tick) - 1
        return (self._ticks[index], self._moments[index]) if index >= 0 else None

    def add(self, tick: int, rate: int, *arrays: NDArray[np.int64]) -> None:
        """Remember the arrays of a `Moment`, in its order, unless those of a near tick are remembered.

        Args:
            rate: ticks per second.
        """
        index = bisect_left(self._ticks, tick)
        apart = self._apart * rate
        if any(abs(near - tick) < apart for near in self._ticks[max(index - 1, 0) : index + 1]):
            return
        some = slice(None, None, 1 + len(arrays[0]) // SAMPLE)
        home, lately, since = (array[some].astype(np.int32) for array in arrays[1:4])
        self._ticks.insert(index, tick)
        self._moments.insert(index, Moment(arrays[0][some].copy(), home, lately, since, arrays[4].copy()))
        self._cost += COST + len(self._moments[index].serials)
        if self._cost > REMEMBERED:
            self._keep(slice(None, None, 2))
            self._apart *= 2

    def forget_after(self, tick: int) -> None:
        """Forget the moments of later ticks."""
        self._keep(slice(bisect_right(self._ticks, tick)))

    def copy(self) -> Remembered:
        """Return the same moments, to be added to independently."""
        twin = Remembered()
        twin._ticks, twin._moments = [*self._ticks], [*self._moments]
        twin._apart, twin._cost = self._apart, self._cost
        return twin

    def _keep(self, kept: slice) -> None:
        self._ticks, self._moments = self._ticks[kept], self._moments[kept]
        self._cost = sum(COST + len(moment.serials) for moment in self._moments)
