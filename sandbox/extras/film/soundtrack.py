"""The sound of a film, written as 16-bit stereo samples while its frames are drawn."""

from __future__ import annotations

import tempfile
from fractions import Fraction
from pathlib import Path

from sandbox.app.drawing.camera import Camera
from sandbox.app.sound.listener import listen
from sandbox.app.sound.synthesizer import Synthesizer, as_bytes
from sandbox.app.sound.voices import RATE
from sandbox.simulation import Simulation
from systems.engine.events import Events
from systems.engine.settings import Settings


class Soundtrack:
    """Follows what a film shows, in a temporary file; if a film is faster than the world, its sound is too."""

    def __init__(self, begin: Fraction, ticks_per_second: Fraction) -> None:
        """Begin at a tick, that of the first frame; `ticks_per_second`: of the film."""
        self._begin, self._ticks_per_second = begin, ticks_per_second
        self._synthesizer: Synthesizer | None = None
        self._folder = tempfile.TemporaryDirectory(prefix="boids-sound-", ignore_cleanup_errors=True)
        self._path = Path(self._folder.name, "samples")
        self._file = self._path.open("wb")

    def hear(self, simulation: Simulation, camera: Camera) -> None:
        """Take up a tick; call it after each, from that of the first frame on."""
        world = simulation.world
        if self._synthesizer is None:
            self._synthesizer = Synthesizer(world.seed)
        self._write(max(simulation.tick - self._begin, Fraction(0)) / self._ticks_per_second)
        pace = float(self._ticks_per_second) / world.resource(Settings).tick_rate
        happened = tuple(each for each in world.resource(Events).recent if each.tick == simulation.tick - 1)
        self._synthesizer.tell(listen(world, camera, pace, happened), self._synthesizer.at)

    def finish(self, seconds: Fraction) -> Path:
        """Write the rest of a film of this length, and return the path of the samples."""
        self._write(seconds)
        self._file.close()
        return self._path

    def close(self) -> None:
        """Delete the samples."""
        self._file.close()
        self._folder.cleanup()

    def _write(self, seconds: Fraction) -> None:
        assert self._synthesizer is not None
        count = round(seconds * RATE) - self._synthesizer.at
        if count > 0:
            self._file.write(as_bytes(self._synthesizer.render(count)))
