"""The description of a film: the file, the time of each frame, the camera and the overlays."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from sandbox.extras.film.cameras import View


@dataclass(frozen=True)
class Film:
    """Everything that determines the frames of a film.

    Attributes:
        file: a recording, scene or snapshot.
        mods: the folders of named mods (`--mod`).
        begin: the time of the first frame in ticks.
        ticks_per_frame: the time from one frame to the next.
        count: the number of frames.
        size: width and height in pixels.
        view: where the camera looks.
        overlays: the names of the overlays to draw.
        glow: whether backdrops of night and space glow; None: as usual with this driver.
    """

    file: str
    mods: tuple[Path, ...]
    begin: Fraction
    ticks_per_frame: Fraction
    count: int
    size: tuple[int, int]
    view: View
    overlays: tuple[str, ...] = ()
    glow: bool | None = None

    def moment(self, number: int) -> tuple[int, float]:
        """Return the tick at or after a frame, and how far the frame is from the previous tick to it, above 0 to 1."""
        time = self.begin + number * self.ticks_per_frame
        tick = math.ceil(time)
        return tick, float(time - (tick - 1))


def count_of(begin: Fraction, end: Fraction, ticks_per_frame: Fraction) -> int:
    """Return the number of frames that begin from `begin` to before `end`."""
    return math.ceil((end - begin) / ticks_per_frame)
