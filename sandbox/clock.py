"""Real time becomes whole ticks and a fraction of the next one, in integers."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

SECOND = 1_000_000_000  # ns
LONGEST_FRAME = 250_000_000  # ns; a longer pause between frames (a sleeping laptop) is not made up for
BUDGET = 12_000_000  # ns of a frame that ticks may take
REMEMBERED = SECOND  # ns over which the speed reached is measured
SPEEDS = (2, 5, 10, 25, 50, 100, 200, 400, 800, 1600)
"""The speeds to choose from, in percent of real time."""


@dataclass
class Clock:
    """Says when ticks are due.

    Simulated time is owed as real time passes, `speed` percent of it. A frame pays whole ticks until the debt is
    less than a tick or the next tick would exceed the budget, one tick at least. What it can't pay is forgiven, so that
    a slow machine runs slower instead of ever later; the fraction `alpha` is then that of the frame before, so that
    what is shown moves on by whole ticks, evenly. The debt is counted in percent · tick rate · ns: no tick length is
    rounded.

    Attributes:
        tick_rate: ticks per simulated second.
        speed: percent of real time.
        tick_ns: how long a tick took of late, ns.
    """

    tick_rate: int = 60
    speed: int = 100
    paused: bool = False
    tick_ns: int = 0
    now: Callable[[], int] = time.perf_counter_ns
    _single: bool = False  # a tick was asked for while paused
    _debt: int = 0
    _frames: deque[tuple[int, int]] = field(default_factory=deque)  # real ns and ticks of the last second's frames
    _remembered: int = 0  # ns, the sum of those

    TICK = 100 * SECOND  # what a tick costs, in the unit of the debt

    @property
    def alpha(self) -> float:
        """How far the world is from the previous tick to the current one, in [0, 1)."""
        return self._debt / self.TICK

    def frame(self, elapsed: int, tick: Callable[[], None]) -> int:
        """Run the ticks that are due; returns how many.

        Args:
            elapsed: real ns since the last frame.
            tick: runs one.
        """
        single, self._single = self._single, False
        if self.paused:
            if single:
                self._run(1, tick)
            return int(single)
        fraction = self._debt
        self._debt += min(max(elapsed, 0), LONGEST_FRAME) * self.speed * self.tick_rate
        ticks = self._run(self._debt // self.TICK, tick)
        self._debt -= ticks * self.TICK
        if self._debt >= self.TICK:
            self._debt = fraction
        self._remember(max(elapsed, 0), ticks)
        return ticks

    def _run(self, due: int, tick: Callable[[], None]) -> int:
        """Run as many of the due ticks as fit into the budget; returns how many.

        The next is expected to take as long as the mean of this frame or of the last one, whichever is less: a single
        slow tick, in either, says nothing about the others.
        """
        begin, ticks, spent = self.now(), 0, 0
        while ticks < due and (ticks == 0 or spent + min(spent // ticks, self.tick_ns or spent) <= BUDGET):
            tick()
            ticks += 1
            spent = self.now() - begin
        if ticks:
            self.tick_ns = spent // ticks
        return ticks

    def one_tick(self) -> None:
        """Pause, and have the next frame run a single tick, however often it was asked for."""
        self.paused = self._single = True

    def faster(self, steps: int = 1) -> None:
        """Go to the next of SPEEDS, or with -1 to the one before."""
        place = min(range(len(SPEEDS)), key=lambda index: abs(SPEEDS[index] - self.speed))
        self.go_at(SPEEDS[min(max(place + steps, 0), len(SPEEDS) - 1)])

    def go_at(self, speed: int) -> None:
        """Go at one of SPEEDS."""
        self.speed = speed
        self._frames.clear()
        self._remembered = 0

    def reached(self) -> float:
        """Simulated time over real time, of the last second while not paused; the speed itself at first."""
        if self._remembered < REMEMBERED // 2:
            return self.speed / 100
        return sum(ticks for _, ticks in self._frames) * SECOND / self.tick_rate / self._remembered

    def _remember(self, elapsed: int, ticks: int) -> None:
        self._frames.append((elapsed, ticks))
        self._remembered += elapsed
        while len(self._frames) > 1 and self._remembered > REMEMBERED:
            self._remembered -= self._frames.popleft()[0]
