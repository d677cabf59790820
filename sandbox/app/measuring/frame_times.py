"""What each part of a frame costs."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

TICKS, WORLD_ARRAYS, WORLD, PANELS = "ticks", "gather and upload", "draw", "panels"


@dataclass
class FrameTimes:
    """Sums since the window opened.

    Attributes:
        frames: how many were drawn.
        nanoseconds: by the part of a frame, in the order in which parts first came.
    """

    frames: int = 0
    nanoseconds: dict[str, int] = field(default_factory=dict)

    @contextmanager
    def of(self, part: str) -> Iterator[None]:
        """Count what happens within as this part's."""
        begin = time.perf_counter_ns()
        try:
            yield
        finally:
            self.nanoseconds[part] = self.nanoseconds.get(part, 0) + time.perf_counter_ns() - begin
