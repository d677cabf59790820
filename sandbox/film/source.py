"""The world that is filmed: a recording that is replayed, or a scene or snapshot that is run."""

from __future__ import annotations

from typing import Self

from sandbox.files import named
from sandbox.mods.load.library import Library
from sandbox.opening import is_recording, load
from sandbox.past.read_recording import open_recording
from sandbox.past.timeline import Timeline
from sandbox.past.views import Seen, seen_at
from sandbox.simulation import Simulation
from systems.engine.settings import Settings


class Source:
    """Goes forward through what happens, tick by tick.

    Attributes:
        first: the tick that it begins with.
        last: the tick that a recording ends with, None for what runs on.
        tick_rate: ticks in a second, as it begins.
    """

    def __init__(self, file: str, library: Library) -> None:
        """Open a file.

        Raises:
            ValueError, OSError: it can't be opened, or is a recording that this version can't run again.
        """
        self._timeline: Timeline | None = None
        if is_recording(file):
            self._timeline = open_recording(file, library)
            if not self._timeline.recording.runs:
                self.close()
                raise ValueError(
                    f"{named(file)}: was recorded by a version in which worlds ran otherwise: that one can film it"
                )
        else:
            self._simulation = load(file, mods=library)
        self.first = self.simulation.tick
        self.last = self._timeline.branch.last if self._timeline else None
        self.tick_rate = self.simulation.world.resource(Settings).tick_rate

    @property
    def simulation(self) -> Simulation:
        """The world now; after `go_to` it may be another one."""
        return self._timeline.simulation if self._timeline else self._simulation

    @property
    def problem(self) -> str:
        """Why what is seen is not all, or not what was recorded, a sentence; empty where nothing is wrong."""
        if self._timeline is None:
            return ""
        self._timeline.settle_digests()
        if self._timeline.differs:
            tick, why = self._timeline.differs
            return f"from tick {tick:,} on the film shows another world than was recorded: {why}"
        return self._timeline.cut

    def seen(self, time: float) -> Seen | None:
        """Where the camera looked at a time (ticks), if that was recorded."""
        if self._timeline is None:
            return None
        return seen_at(self._timeline.branch, time, self.simulation.world.resource(Settings).torus)

    def go_to(self, tick: int) -> None:
        """Go to a later tick."""
        if self._timeline:
            self._timeline.seek(tick)
        else:
            self._simulation.step(tick - self._simulation.tick)

    def step(self) -> None:
        """Go one tick further."""
        if self._timeline:
            self._timeline.step()
        else:
            self._simulation.step()

    def close(self) -> None:
        """Free the world."""
        (self._timeline or self._simulation).close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
