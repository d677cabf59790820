"""The Catches and births overlay: marks each catch and birth for a moment."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sandbox.app.drawing.canvas import NOTHING, Canvas
from sandbox.app.overlays.overlay import Overlay
from sandbox.app.session.session import Session
from systems.engine.events import Events
from systems.engine.settings import Settings

CAUGHT, BORN = (255, 74, 62), (206, 255, 214)
MOST = 300  # in a tick: more could not be told apart, so none of them is drawn
SECONDS = 0.7  # how long an effect is visible, in simulated time
FROM, TO = 3.0, 15.0  # u: the radius of the ring, from begin to end
LEAST, MOST_PIXELS = 3.0, 13.0  # pixels added to these radii, so that the ring is visible from afar


class Effects(Overlay):
    """Draws rings that grow and fade: red where prey was caught, pale green where an entity was born."""

    name, title, help = "effects", "Catches and births", "where prey was caught and where animals were born"
    always = True

    def draw(self, canvas: Canvas, session: Session) -> None:
        world = session.simulation.world
        events = world.resource(Events)
        now, rate = world.tick - 1 + canvas.alpha, world.resource(Settings).tick_rate
        for happened in reversed(events.recent):
            share = (now - happened.tick) / rate / SECONDS
            if share >= 1:
                break
            for places, colour in ((happened.catches.places, CAUGHT), (happened.births.places, BORN)):
                if share >= 0 and 0 < len(places) <= MOST:
                    _burst(canvas, places[np.isfinite(places[:, 0])], share, colour)


def _burst(canvas: Canvas, places: NDArray[np.float32], share: float, colour: tuple[int, int, int]) -> None:
    grown = 1 - (1 - share) ** 3
    left = round(255 * (1 - share) ** 1.5)
    radius, grow = FROM + (TO - FROM) * grown, LEAST + (MOST_PIXELS - LEAST) * grown
    canvas.rings(places, radius, (*colour, left), 3.2 - 2.2 * share, grow=grow, halo=0.3)
    if share < 0.35:
        flash = round(200 * (1 - share / 0.35))
        canvas.sectors(places, (1, 0), 360, 0.5 * radius, (*colour, flash), NOTHING, 0.0, grow=2.0)
