"""Measures the time that each stage of a frame takes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

TICKS, WORLD_ARRAYS, WORLD, PANELS = "ticks", "gather and upload", "draw", "panels"


@dataclass
class FrameTimes:
    """Sums since the window was opened.

    Attributes:
        frames: number of frames drawn.
        nanoseconds: wall-clock time by stage of a frame, in the order of their first use.
    """

    frames: int = 0
    nanoseconds: dict[str, int] = field(default_factory=dict)

    @contextmanager
    def of(self, stage: str) -> Iterator[None]:
        """Add the time spent inside this context to a stage."""
        begin = time.perf_counter_ns()
        try:
            yield
        finally:
            self.nanoseconds[stage] = self.nanoseconds.get(stage, 0) + time.perf_counter_ns() - begin
