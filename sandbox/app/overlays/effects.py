"""The Catches and births overlay: marks each catch, each birth, and what a hand places, for a moment."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sandbox.app.drawing.canvas import Canvas
from sandbox.app.overlays.overlay import Overlay
from sandbox.app.session.session import Session
from systems.engine.events import Events, Happened
from systems.engine.settings import Settings

CAUGHT, DUST, BORN, PLACED = (255, 74, 62), (255, 214, 196), (232, 255, 214), (255, 250, 236)
MOST = 300  # in a tick: more could not be told apart, so none of them is drawn
SECONDS = 0.7  # how long an effect is visible, in simulated time
FROM, TO = 3.0, 15.0  # u: the radius of an effect, from begin to end
LEAST, MOST_PIXELS = 3.0, 11.0  # pixels added to these radii, so that it is visible from afar
PUFFS, RAYS = 7, 6
GOLDEN = 2.399963  # radians between the directions of a puff's specks, which vary from animal to animal


class Effects(Overlay):
    """Draws a red puff where prey was caught, a spark where an animal was born, and a ring where one was placed."""

    name, title, help = "effects", "Catches and births", "where prey was caught and where animals were born"
    always = True

    def draw(self, canvas: Canvas, session: Session) -> None:
        world = session.simulation.world
        events = world.resource(Events)
        now, rate = world.tick - 1 + canvas.alpha, world.resource(Settings).tick_rate
        still = session.preferences.reduce_motion
        for happened in reversed(events.recent):
            share = (now - happened.tick) / rate / SECONDS
            if share >= 1:
                break
            for which, draw in ((happened.catches, _puff), (happened.births, _spark)):
                shown = which.placed(world.table.axes)
                if share >= 0 and 0 < len(shown) <= MOST:
                    draw(canvas, shown, share, 0.5 if still else share)
        for pop in session.view.pops.shown:
            grown = 1 - (1 - pop.share) ** 3
            width, left = 2.6 - 2.0 * grown, round(210 * (1 - pop.share))
            canvas.rings(
                pop.places, pop.radius * (0.6 + 0.7 * grown), (*PLACED, left), width, grow=2 + 3 * grown, halo=0.0
            )


def _puff(canvas: Canvas, caught: Happened, share: float, moved: float) -> None:
    """Draw a ring that grows, and specks that fly apart; `moved`: how far they are, 0 to 1."""
    grown, left = 1 - (1 - moved) ** 3, (1 - share) ** 1.5
    radius, grow = FROM + (TO - FROM) * grown, LEAST + (MOST_PIXELS - LEAST) * grown
    canvas.rings(caught.places, radius, (*CAUGHT, round(230 * left)), 2.6 - 2.0 * share, grow=grow, halo=0.0)
    if share < 0.4:
        canvas.discs(caught.places, 0.4 * radius, (*CAUGHT, round(150 * (1 - share / 0.4))), grow=2.0)
    for n in range(PUFFS):
        turn = GOLDEN * (caught.serials + n * 7) + n
        far = (0.35 + 0.1 * n) * (radius + grow * canvas.pixel)
        canvas.discs(
            _around(caught.places, turn, far), 1.5 * (1 - share), (*DUST, round(190 * left)), grow=1.4 * (1 - share)
        )


def _spark(canvas: Canvas, born: Happened, share: float, moved: float) -> None:
    """Draw rays around a glow, which grow and vanish; `moved`: how far they are, 0 to 1."""
    grown, left = 1 - (1 - moved) ** 3, (1 - share) ** 2
    length = 0.6 * (TO + MOST_PIXELS * canvas.pixel)
    canvas.discs(born.places, FROM * (1 - share), (*BORN, round(120 * left)), grow=3.0 * (1 - share))
    for n in range(RAYS):
        turn = GOLDEN * born.serials + 2 * np.pi * n / RAYS
        begin, end = (_around(born.places, turn, far * length) for far in (0.2 + 0.5 * grown, 0.35 + 0.65 * grown))
        canvas.lines(begin, end, (*BORN, round(230 * left)), 1.8 - 1.2 * share)


def _around(places: NDArray[np.float32], turn: NDArray[Any], far: ArrayLike) -> NDArray[Any]:
    """Return the places at a distance (u) from others, in directions in radians."""
    nothing = [np.zeros_like(turn)] * (places.shape[1] - 2)
    around: NDArray[Any] = places + np.asarray(far) * np.stack([np.cos(turn), np.sin(turn), *nothing], axis=1)
    return around
