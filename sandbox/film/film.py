"""What is filmed: which file, which moments of it, from where and with which overlays."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from sandbox.film.views import View


@dataclass(frozen=True)
class Film:
    """Everything that makes the frames of a film what they are.

    Attributes:
        file: a recording, scene or snapshot.
        mods: folders of mods that are on.
        begin: the time of the first frame, ticks.
        ticks_per_frame: the time from one frame to the next.
        count: of frames.
        size: width and height, pixels.
        overlays: names of those that are drawn.
    """

    file: str
    mods: tuple[Path, ...]
    begin: Fraction
    ticks_per_frame: Fraction
    count: int
    size: tuple[int, int]
    view: View
    overlays: tuple[str, ...] = ()

    def moment(self, number: int) -> tuple[int, float]:
        """When a frame is: the tick at or after it, and the way there from the tick before, above 0 to 1."""
        time = self.begin + number * self.ticks_per_frame
        tick = math.ceil(time)
        return tick, float(time - (tick - 1))


def count_of(begin: Fraction, end: Fraction, ticks_per_frame: Fraction) -> int:
    """How many frames begin within a stretch of time, its end not among them."""
    return math.ceil((end - begin) / ticks_per_frame)
