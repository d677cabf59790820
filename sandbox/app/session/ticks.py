"""Runs ticks in a thread of their own; meanwhile all others read copies of the worlds."""

from __future__ import annotations

import ctypes
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from threading import Event, Thread

from components.store.world import World
from sandbox.edit.queue import CommandQueue
from sandbox.mods.find.fault import EndlessError, inside
from sandbox.mods.run.guard import Guard
from sandbox.past.timeline import Timeline
from sandbox.simulation import Simulation

ENDLESS = 3_000_000_000  # ns


class Ticks:
    """A tick of one or more worlds that share their time.

    Attributes:
        runs: whether a tick has begun whose end was not seen yet.
        began: when the last tick began; ns.
        ran: how long it took; `took`: with what was prepared after it; ns.
    """

    def __init__(
        self, then: Callable[[Sequence[Timeline]], object], prepare: Callable[[Simulation, World], object]
    ) -> None:
        """Start the thread.

        Args:
            then: called after each tick, when the worlds are back.
            prepare: called in the thread after a long tick, with a copy of each world that will be shown.
        """
        self.runs = False
        self.began = self.ran = self.took = self._patient_since = 0
        self._then, self._prepare = then, prepare
        self._lent: list[tuple[Timeline, Simulation, World]] = []
        self._ended = Event()
        self._error: BaseException | None = None
        self._worlds: SimpleQueue[tuple[list[tuple[Timeline, Simulation, World]], bool] | None] = SimpleQueue()
        self._thread = Thread(target=self._work, name="ticks", daemon=True)
        self._thread.start()  # only one: OpenMP keeps a team for each thread

    @property
    def timelines(self) -> list[Timeline]:
        """Those whose worlds are lent."""
        return [timeline for timeline, _, _ in self._lent]

    def lend(self, timelines: Sequence[Timeline]) -> None:
        """Lend these worlds, unless some are lent: until the end of the next tick, readers see copies of them."""
        if self._lent:
            return
        for timeline in timelines:
            if timeline.begin_step():
                simulation = timeline.simulation
                self._lent.append((timeline, simulation, simulation.lend(self.finish)))

    def begin(self, *, is_long: bool) -> None:
        """Begin a tick of the worlds that are lent, if any; after a long one, what will be shown is prepared."""
        if self._lent:
            self.runs = True
            self.began = self._patient_since = time.perf_counter_ns()
            self._ended.clear()
            self._worlds.put((self._lent, is_long))

    def wait(self, seconds: float) -> None:
        """Wait at most this long for the end of the tick that `runs`; if it has ended, reclaim the worlds.

        Raises:
            Exception: any exception of the tick.
        """
        if not self.runs or self._ended.wait(seconds):
            self.finish()

    def finish(self) -> None:
        """Wait for the end of the tick that `runs`, and reclaim the worlds.

        Raises:
            Exception: any exception of the tick.
        """
        if self.runs:
            self._ended.wait()
        runs, self.runs = self.runs, False
        lent, self._lent = self._lent, []
        error, self._error = self._error, None
        submitted = [simulation.reclaim() for _, simulation, _ in lent]
        try:
            if error is not None:
                raise error
            for timeline, _, _ in lent if runs else ():
                timeline.end_step()
        finally:
            for (_, simulation, _), commands in zip(lent, submitted, strict=True):
                simulation.world.resource(CommandQueue).waiting += commands  # after those that `end_step` replays
        if runs:
            self._then([timeline for timeline, _, _ in lent])

    @property
    def endless(self) -> str:
        """The mod that keeps the tick that runs from ending for some seconds already; "" if there is none.

        The time in which its kernels compile does not count.
        """
        late, working = self.runs and time.perf_counter_ns() - self._patient_since > ENDLESS, Guard.working
        if late and self._compiles():
            self.be_patient()
            return ""
        return working.mod if late and working is not None else ""

    def _compiles(self) -> bool:
        """Return whether numba is at work in the thread of the ticks, not what it has compiled."""
        calls = traceback.walk_stack(sys._current_frames().get(self._thread.ident or 0))
        return any(call.f_globals.get("__name__", "").startswith("numba.") for call, _ in calls)

    def be_patient(self) -> None:
        """Count the seconds of `endless` from now on."""
        self._patient_since = time.perf_counter_ns()

    def stop_mod(self, mod: str = "") -> str:
        """Stop the mod that is at work on the tick: its guard gets an error, as if a line of the mod raised it.

        Args:
            mod: only this one; "": any.
        Returns:
            the mod and its line, "magnet: magnet.py:14"; "" if no mod is at work.
        """
        self.be_patient()
        working, ident = Guard.working, self._thread.ident
        if not self.runs or working is None or ident is None or mod not in ("", working.mod):
            return ""
        calls = traceback.extract_stack(sys._current_frames()[ident])
        lines = [line for call in calls if (line := inside(call.filename, call.lineno or 0, working.folder))]
        raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc
        raise_in(ctypes.c_ulong(ident), ctypes.py_object(EndlessError))
        return ": ".join([working.mod, *lines[-1:]])

    def close(self) -> None:
        """End the thread, after the tick that runs."""
        self._worlds.put(None)

    def _work(self) -> None:
        while self._tick():
            pass

    def _tick(self) -> bool:
        """Wait for worlds, and run their tick; return False at the end.

        While the thread waits for the next ones, no variable of it keeps these in memory.
        """
        asked = self._worlds.get()
        if asked is None:
            return False
        worlds, is_long = asked
        try:
            for _, simulation, world in worlds:
                simulation.step_lent(world)
            self.ran = time.perf_counter_ns() - self.began
            for timeline, simulation, world in worlds if is_long else ():
                copied = simulation.copy_lent(world)
                timeline.prepare_keyframe(copied)
                self._prepare(simulation, copied)
        except BaseException as error:
            self._error = error
        self.took = time.perf_counter_ns() - self.began
        self._ended.set()
        return True
