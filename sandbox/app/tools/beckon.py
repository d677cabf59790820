"""The Hand tool: attracts the flock while the button is down; with Shift it scares it away."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from imgui_bundle import icons_fontawesome_6 as icons

from sandbox.app.drawing.canvas import Canvas
from sandbox.app.session.session import Session
from sandbox.app.session.tool import Spot, Tool
from sandbox.app.tools.brush import DANGER, INK, circle, thin
from sandbox.edit import SetHand
from systems.engine.settings import Settings

PULL = 900.0  # u/s²
TIMES, FARTHEST = 6.0, 1e6  # radius of the effect: times the brush, and at most, u
RIPPLES, RIPPLE = 3, 1.2  # rings at the same time, and how long each runs, s of the world
NEAR_AND_FAR = 0.15, 0.4  # where the arrows of the preview begin and end, as shares of that radius


class Beckoning(Tool):
    """Attracts animals within a circle, or scares them away."""

    name, title, icon = "hand", "Hand", icons.ICON_FA_HAND
    help = "Hold to pull the flock to the pointer; with Shift, to scare it away."
    cursor = "hand"

    def __init__(self) -> None:
        self._felt: SetHand | None = None

    def press(self, session: Session, spot: Spot) -> None:
        self.update(session, spot)

    def drag(self, session: Session, spot: Spot) -> None:
        """Do nothing: `update` follows the mouse, and once a frame is enough."""

    def update(self, session: Session, spot: Spot) -> None:
        wanted = SetHand(spot.x, spot.y, -PULL if spot.shift else PULL, self._radius(session), *spot.place[2:])
        if wanted != self._felt and session.submit(wanted):
            self._felt = wanted

    def let_go(self, session: Session) -> None:
        if self._felt is not None:
            session.submit(replace(self._felt, strength=0.0))
            self._felt = None

    def draw(self, canvas: Canvas, session: Session, spot: Spot) -> None:
        scares = self._felt is not None and self._felt.strength < 0
        radius, colour = self._radius(session), DANGER if scares else INK
        circle(canvas, spot.place, radius, colour)
        if self._felt is not None:
            ways = radius * np.array([(1, 0, 0), (0, 1, 0), (-1, 0, 0), (0, -1, 0)])[:, : len(spot.place)]
            inner, outer = (np.array(spot.place) + share * ways for share in NEAR_AND_FAR)
            canvas.arrows(*((inner, outer) if scares else (outer, inner)), colour, 2.5)
            if not session.preferences.reduce_motion:
                self._ripple(canvas, session, spot, scares)

    def _ripple(self, canvas: Canvas, session: Session, spot: Spot, scares: bool) -> None:
        """Draw rings that run to the middle of the circle, or away from it."""
        rate = session.simulation.world.resource(Settings).tick_rate
        at = (session.simulation.tick + canvas.alpha) / rate / RIPPLE % 1
        for n in range(RIPPLES):
            share = (at + n / RIPPLES) % 1
            left = round(90 * math.sin(math.pi * share))
            radius = (share if scares else 1 - share) * self._radius(session)
            canvas.rings(spot.place, radius, thin(DANGER if scares else INK, left), 1.2 + 1.6 * (1 - share), halo=0.0)

    def _radius(self, session: Session) -> float:
        return min(TIMES * session.hand.brush_radius(session), FARTHEST)
