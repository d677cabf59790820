"""The sound of a film, written as 16-bit stereo samples while its frames are drawn."""

from __future__ import annotations

import tempfile
from fractions import Fraction
from pathlib import Path

from sandbox.app.drawing.any_camera import AnyCamera
from sandbox.app.sound.tape import Tape
from sandbox.simulation import Simulation
from systems.engine.settings import Settings


class Soundtrack:
    """Follows what a film shows, in a temporary file; if a film is faster than the world, its sound is too."""

    def __init__(self, begin: Fraction, ticks_per_second: Fraction) -> None:
        """Begin at a tick, that of the first frame; `ticks_per_second`: of the film."""
        self._begin, self._ticks_per_second = begin, ticks_per_second
        self._tape: Tape | None = None
        self._folder = tempfile.TemporaryDirectory(prefix="boids-sound-", ignore_cleanup_errors=True)
        self._path = Path(self._folder.name, "samples")
        self._file = self._path.open("wb")

    def hear(self, simulation: Simulation, camera: AnyCamera) -> None:
        """Take up a tick; call it after each, from that of the first frame on."""
        world = simulation.world
        if self._tape is None:
            self._tape = Tape(world.seed)
        self._write(max(simulation.tick - self._begin, Fraction(0)) / self._ticks_per_second)
        pace = float(self._ticks_per_second) / world.resource(Settings).tick_rate
        self._tape.hear(world, camera, pace)

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
        assert self._tape is not None
        self._file.write(self._tape.until(seconds))
