"""The last seconds, kept as plain arrays, so that a picture of them that moves can be made when one was worth it."""

from __future__ import annotations

from collections import deque
from copy import copy
from dataclasses import dataclass

from sandbox.app.drawing.camera import Camera
from sandbox.app.drawing.still import Still, still_of
from sandbox.simulation import Simulation

SECONDS = 4.0  # that are kept, while they fit
FRAME = 0.08  # s between two of them: GIFs count in 0.01 s
LONGEST_FRAME = 0.16  # s, of a world so large that few fit
MOST_BYTES = 48 << 20


@dataclass(frozen=True)
class Moment:
    """What was seen, by which camera, and when: s that the world ran since the first one."""

    still: Still
    camera: Camera
    at: float


class Recent:
    """Keeps what was seen of late.

    Attributes:
        moments: the oldest first, none older than SECONDS, together no larger than MOST_BYTES.
    """

    def __init__(self) -> None:
        self.moments: deque[Moment] = deque()
        self._of = ""  # the name of a world: one that is left goes
        self._now = self._due = 0.0
        self._bytes = 0

    def take(self, simulation: Simulation, camera: Camera, seconds: float) -> None:
        """After a frame in which the world changed, and RENDER ran: keep it, when it is time to.

        Args:
            seconds: real time since the last frame.
        """
        if simulation.world.name != self._of:
            self.moments.clear()
            self._of, self._bytes, self._now, self._due = simulation.world.name, 0, 0.0, 0.0
        self._now += seconds
        if self._now < self._due:
            return
        still = still_of(simulation).kept()
        self.moments.append(Moment(still, copy(camera), self._now))
        self._bytes += still.nbytes
        while self._bytes > MOST_BYTES or self._now - self.moments[0].at > SECONDS:
            self._bytes -= self.moments.popleft().still.nbytes
        fitting = SECONDS / max(MOST_BYTES // still.nbytes, 1)
        # From when it was due, so that frames that come a little late don't make it slower.
        self._due = max(self._due, self._now - FRAME) + min(max(FRAME, fitting), LONGEST_FRAME)
