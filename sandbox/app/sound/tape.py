"""The sound of a world as samples, for what is not played at once, such as a film."""

from __future__ import annotations

from fractions import Fraction

from components.store.world import World
from sandbox.app.drawing.any_camera import AnyCamera
from sandbox.app.sound.listener import listen
from sandbox.app.sound.synthesizer import Synthesizer, as_bytes
from sandbox.app.sound.voices import RATE
from systems.engine.events import Events


class Tape:
    """Renders what is heard in ticks of a world."""

    def __init__(self, seed: int) -> None:
        """Begin, with the voices of a seed."""
        self._synthesizer = Synthesizer(seed)

    def hear(self, world: World, camera: AnyCamera, pace: float) -> None:
        """Take up a tick, which is heard after the samples so far; `pace`: seconds of the world per second."""
        happened = tuple(each for each in world.resource(Events).recent if each.tick == world.tick - 1)
        self._synthesizer.tell(listen(world, camera, pace, happened), self._synthesizer.at)

    def until(self, seconds: Fraction) -> bytes:
        """Return the samples, 16-bit stereo, from the end of the last ones to this time since the beginning."""
        count = round(seconds * RATE) - self._synthesizer.at
        return as_bytes(self._synthesizer.render(count)) if count > 0 else b""
