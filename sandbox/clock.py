"""Converts real time into whole ticks and a fraction of the next one, in integers."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

SECOND = 1_000_000_000  # ns
LONGEST_FRAME = 250_000_000  # ns; a longer pause between frames (a sleeping laptop) is not caught up
BUDGET = 12_000_000  # ns of a frame that ticks may take
REMEMBERED = SECOND  # ns over which the reached speed is averaged
SPEEDS = (2, 5, 10, 25, 50, 100, 200, 400, 800, 1600)
"""The available speeds, in percent of real time."""


@dataclass
class Clock:
    """Decides when ticks are due.

    Real time adds to a debt of simulated time, at `speed` percent. A frame pays it in whole ticks until less than a
    tick is owed or, after at least one, the next would exceed the budget. Whole ticks that are still owed then are
    forgiven, so that a slow machine runs slower instead of falling ever further behind; `alpha` keeps its value of the
    frame before, so that the picture advances evenly, by whole ticks. The debt is counted in percent · tick rate ·
    ns, so that no tick length is rounded.

    Attributes:
        tick_rate: ticks per simulated second.
        speed: percent of real time.
        tick_ns: mean duration of a tick in the last frame that ran any, ns.
    """

    tick_rate: int = 60
    speed: int = 100
    paused: bool = False
    tick_ns: int = 0
    now: Callable[[], int] = time.perf_counter_ns
    _shown: float | None = None  # `alpha` while a tick runs over several frames
    _begun: float = 0.0  # `alpha` when it began
    _before: float = 0.0  # `alpha` of the frame before; 0 if the shown world is new
    _late: int = 0  # part of the debt: so long after its tick began the shown world came, which ran over several frames
    _single: bool = False  # a tick was asked for while paused
    _present: bool = False  # the present tick itself is shown
    _unfinished: bool = False  # the last tick goes on in later frames
    _passes: bool = False  # that tick is the next one, until whose end the present one is shown
    _debt: int = 0
    _frames: deque[tuple[int, int]] = field(default_factory=deque)  # real ns and ticks of the last second's frames
    _remembered: int = 0  # ns, the sum over `_frames`

    TICK = 100 * SECOND  # the cost of a tick, in the unit of the debt

    @property
    def alpha(self) -> float:
        """The fraction of the way from the previous tick to the current one, in [0, 1]."""
        if self._present:
            return 1.0
        return self._at(self._debt) if self._shown is None else self._shown

    def _at(self, debt: int) -> float:
        """Return `alpha` at a debt while no tick runs."""
        return min(max(debt - self._late, 0), self.TICK) / self.TICK

    def frame(self, elapsed: int, tick: Callable[[], object]) -> int:
        """Run the ticks that are due; return their number.

        Args:
            elapsed: real ns since the last frame that could run any.
            tick: runs one tick; returns False if it goes on in later frames, which call `during`.
        """
        self._before, self._shown = (self.alpha if self._shown is None else 0.0), None
        if self._passes:
            self._present = self._passes = False
        single, self._single = self._single, False
        if self.paused:
            if single:
                self._run(1, tick)
                self._present = True
            return int(single)
        if self._present:
            self._debt = self.TICK - 1  # so that the picture goes on from there; at TICK, a whole one would be due
        fraction = self._debt
        self._debt += min(max(elapsed, 0), LONGEST_FRAME) * self.speed * self.tick_rate
        self._begun = self._at(self._debt)
        ticks = self._run(self._debt // self.TICK, tick)
        self._debt -= ticks * self.TICK
        if ticks and not self._unfinished:
            self._late = 0
        if self._debt >= self.TICK:
            self._debt = fraction
        if ticks:
            self._present = self._passes = self._present and self._unfinished
        self._remember(max(elapsed, 0), ticks)
        return ticks

    def show_present(self) -> None:
        """While paused, show the present tick itself, and not a moment since the previous one."""
        self._present, self._passes = self.paused, False
        self._shown, self._begun, self._before = None, 0.0, 0.0

    def during(self, passed: int, took: int) -> None:
        """Set `alpha` in a frame in which a tick runs that was begun in an earlier one.

        Args:
            passed: real ns since it began.
            took: how long the tick before it took, ns.
        """
        if self._shown is None:  # it begins
            self._late = took * self.speed * self.tick_rate
            if self._late > self.TICK:  # the next one is due at its end: the world is shown until then
                self._begun, self._late = self._before, 0
        self._shown = self._begun + (1 - self._begun) * min(passed / max(took, 1), 1)

    def _run(self, due: int, tick: Callable[[], object]) -> int:
        """Run as many of the due ticks as fit into the budget; return their number.

        The next tick is expected to take the mean duration of this frame's or the last frame's ticks, whichever is
        less, so that one slow tick in either frame does not count for the others.
        """
        begin, ticks, spent, self._unfinished = self.now(), 0, 0, False
        while ticks < due and (ticks == 0 or spent + min(spent // ticks, self.tick_ns or spent) <= BUDGET):
            if tick() is False:
                self._unfinished = True
                return ticks + 1
            ticks += 1
            spent = self.now() - begin
        if ticks:
            self.tick_ns = spent // ticks
        return ticks

    def one_tick(self) -> None:
        """Pause, and let the next frame run a single tick, even if this is called several times before it."""
        self.paused = self._single = True

    def faster(self, steps: int = 1) -> None:
        """Change to the next of SPEEDS, or with -1 to the one before."""
        index = min(range(len(SPEEDS)), key=lambda k: abs(SPEEDS[k] - self.speed))
        self.go_at(SPEEDS[min(max(index + steps, 0), len(SPEEDS) - 1)])

    def go_at(self, speed: int) -> None:
        """Set the speed to one of SPEEDS."""
        self.speed = speed
        self._frames.clear()
        self._remembered = 0

    def reached(self) -> float:
        """Return simulated over real time in the last second that was not paused; the set speed until that is known."""
        if self._remembered < REMEMBERED // 2:
            return self.speed / 100
        return sum(ticks for _, ticks in self._frames) * SECOND / self.tick_rate / self._remembered

    def _remember(self, elapsed: int, ticks: int) -> None:
        self._frames.append((elapsed, ticks))
        self._remembered += elapsed
        while len(self._frames) > 1 and self._remembered > REMEMBERED:
            self._remembered -= self._frames.popleft()[0]


def time_in_words(tick: int, rate: int) -> str:
    """Return the simulated time of a tick: "2:05.3"."""
    tenths = 10 * tick // rate
    return f"{tenths // 600}:{tenths // 10 % 60:02}.{tenths % 10}"
