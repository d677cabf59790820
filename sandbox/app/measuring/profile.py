"""Measures the time of each system per tick and of each stage per frame, averaged over the last second."""

from __future__ import annotations

import time
from collections import deque

from sandbox.app.measuring.frame_times import FrameTimes
from sandbox.simulation import Simulation
from systems.engine.pipeline import Pipeline
from systems.engine.system import Phase

SECOND = 1_000_000_000  # ns: the averaging window
STEP = SECOND // 10  # between two samples


class Average:
    """A moving average per tick or per frame, computed from samples of growing sums."""

    def __init__(self) -> None:
        self._samples: deque[tuple[int, int, dict[str, int]]] = deque()  # time, number of ticks or frames, sums

    def note(self, at: int, count: int, sums: dict[str, int]) -> dict[str, float]:
        """Add a sample; return the average of each sum, ms per tick or frame, unchanged as long as `count` is.

        Args:
            at: the time, ns.
            count: the number of ticks or frames so far.
            sums: time spent so far by name, ns.
        """
        samples = self._samples
        if not samples or count != samples[-1][1]:
            if samples and (sums.keys() != samples[-1][2].keys() or count < samples[-1][1]):
                samples.clear()
            samples.append((at, count, sums))
            while len(samples) > 2 and at - samples[1][0] >= SECOND:
                samples.popleft()
        (_, before, old), (_, now, new) = samples[0], samples[-1]
        return {name: (new[name] - old[name]) / 1e6 / (now - before) for name in new if now != before}


class Profile:
    """The profile of a simulation in a window.

    Attributes:
        systems: ms per tick of each system; for systems of RENDER, ms per frame.
        stages: ms per frame of each stage.
    """

    def __init__(self) -> None:
        self._pipeline: Pipeline | None = None
        self._reset()

    def _reset(self) -> None:
        self.systems: dict[str, float] = {}
        self.stages: dict[str, float] = {}
        self._sampled_at = 0
        self._ticks, self._drawing, self._stages = Average(), Average(), Average()

    def update(self, simulation: Simulation, times: FrameTimes) -> None:
        """Take a sample if one is due."""
        now, pipeline = time.perf_counter_ns(), simulation.pipeline
        if pipeline is not self._pipeline:
            self._pipeline = pipeline
            self._reset()
        if now - self._sampled_at < STEP:
            return
        self._sampled_at = now
        drawing = {s.name: s.nanoseconds for s in pipeline.systems if s.phase is Phase.RENDER}
        in_ticks = {s.name: s.nanoseconds for s in pipeline.systems if s.phase is not Phase.RENDER}
        self.systems = self._ticks.note(now, simulation.tick, in_ticks)
        self.systems |= self._drawing.note(now, times.frames, drawing)
        self.stages = self._stages.note(now, times.frames, times.nanoseconds.copy())
