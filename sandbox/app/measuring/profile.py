"""How long each system takes in a tick and each part in a frame, averaged over the last second."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence

from sandbox.app.measuring.frame_times import FrameTimes
from sandbox.simulation import Simulation
from systems.engine.pipeline import Phase, Pipeline

SECOND = 1_000_000_000  # ns over which is averaged
STEP = SECOND // 10  # between two looks


class Average:
    """Sums that grow by the tick, or by the frame: how much they grew by each of late."""

    def __init__(self) -> None:
        self._looks: deque[tuple[int, int, Sequence[int]]] = deque()  # when, how many ticks or frames, sums

    def note(self, at: int, count: int, sums: Sequence[int]) -> None:
        """Look at the sums; while none is added, what was true stays.

        Args:
            at: the time, ns.
            count: how many ticks or frames there were.
        """
        if self._looks and count == self._looks[-1][1]:
            return
        if self._looks and len(sums) != len(self._looks[-1][2]):
            self._looks.clear()
        self._looks.append((at, count, sums))
        while len(self._looks) > 2 and at - self._looks[1][0] >= SECOND:
            self._looks.popleft()

    @property
    def milliseconds(self) -> list[float]:
        """Of each sum, by the tick or frame; empty before the second look."""
        if len(self._looks) < 2:
            return []
        (_, before, old), (_, now, new) = self._looks[0], self._looks[-1]
        return [(b - a) / 1e6 / (now - before) for a, b in zip(old, new, strict=True)]


class Profile:
    """Watches a simulation in a window.

    Attributes:
        systems: ms of each system that runs in a tick; of one that draws, of a frame.
        parts: ms of each part of a frame.
    """

    def __init__(self) -> None:
        self.systems: dict[str, float] = {}
        self.parts: dict[str, float] = {}
        self._pipeline: Pipeline | None = None
        self._looked = 0
        self._ticks = self._frames = Average()

    def watch(self, simulation: Simulation, times: FrameTimes) -> None:
        """Look, if it is time to."""
        now = time.perf_counter_ns()
        pipeline = simulation.pipeline
        if pipeline is not self._pipeline:
            self._pipeline, self._looked = pipeline, 0
            self._ticks, self._frames = Average(), Average()
            self.systems, self.parts = {}, {}
        if now - self._looked < STEP:
            return
        self._looked = now
        in_ticks = [system for system in pipeline.systems if system.phase is not Phase.RENDER]
        in_frames = [system for system in pipeline.systems if system.phase is Phase.RENDER]
        self._ticks.note(now, simulation.tick, [system.nanoseconds for system in in_ticks])
        sums = [*(system.nanoseconds for system in in_frames), *times.nanoseconds.values()]
        self._frames.note(now, times.frames, sums)
        self.systems = {s.name: ms for s, ms in zip(in_ticks, self._ticks.milliseconds)}
        by_frame = self._frames.milliseconds
        self.systems |= {s.name: ms for s, ms in zip(in_frames, by_frame)}
        self.parts = dict(zip(times.nanoseconds, by_frame[len(in_frames) :]))
