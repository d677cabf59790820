"""The Hand tool: attracts the flock while the button is down; with Shift it scares it away."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from imgui_bundle import icons_fontawesome_6 as icons

from components.motion import Position, Velocity
from sandbox.app.drawing.canvas import Canvas
from sandbox.app.drawing.places import places
from sandbox.app.drawing.space.camera import SpaceCamera
from sandbox.app.messages import STANDING
from sandbox.app.session.session import Session
from sandbox.app.session.tool import Place, Spot, Tool
from sandbox.app.tools.brush import DANGER, INK, circle, screen_axes, thin
from sandbox.edit import SetHand
from systems.engine.settings import Settings

STANDS = "Time stands: the hand pulls once it goes on"
PULL = 900.0  # u/s²
TIMES, FARTHEST = 6.0, 1e6  # radius of the effect: times the brush, and at most, u
RIPPLES, RIPPLE = 3, 1.2  # rings at the same time, and how long each runs, s of the world
COUNTED = 3_000  # animals at most, whose depth the preview follows in each frame
NEAR_AND_FAR = 0.15, 0.4  # where the arrows of the preview begin and end, as shares of that radius


class Beckoning(Tool):
    """Attracts animals within a circle, or scares them away.

    In a world with depth it works as far from the viewer as the animals that the circle covers, or covered when the
    button went down; else, or where a depth was chosen with the wheel, on the plane that the mouse works on.
    """

    name, title, icon = "hand", "Hand", icons.ICON_FA_HAND
    help = "Hold to pull the flock to the pointer; with Shift, to scare it away."
    cursor = "hand"

    def __init__(self) -> None:
        self._felt: SetHand | None = None

    def tells(self, session: Session) -> tuple[str, str]:
        return "Circle", f"{TIMES * session.hand.brush:.0f} px"

    def level(self, session: Session, pixel: tuple[float, float]) -> Place | None:
        """Return the median place of the animals that the circle covers in the picture, u.

        None if it covers none, or if a person chose the depth. Of a large world, evenly chosen animals count.
        """
        camera, world = session.camera, session.simulation.world
        if not isinstance(camera, SpaceCamera) or camera.lift:
            return None
        rows = world.table.rows(Position, Velocity)
        here = places(world, rows[:: len(rows) // COUNTED + 1], session.clock.alpha)
        covered = np.linalg.norm(camera.project(here) - pixel, axis=1) <= TIMES * session.hand.brush
        return tuple(np.median(here[covered], axis=0).tolist()) if covered.any() else None

    def press(self, session: Session, spot: Spot) -> None:
        if session.clock.paused:
            session.messages.say(session.with_key(STANDS, "pause"), about=STANDING)
        self.update(session, spot)

    def drag(self, session: Session, spot: Spot) -> None:
        """Do nothing: `update` follows the mouse, and once a frame is enough."""

    def update(self, session: Session, spot: Spot) -> None:
        x, y, *z = spot.place
        wanted = SetHand(x, y, -PULL if spot.shift else PULL, _radius(session, spot.place), *z)
        if wanted != self._felt and session.submit(wanted):
            self._felt = wanted

    def let_go(self, session: Session) -> None:
        if self._felt is not None:
            session.submit(replace(self._felt, strength=0.0))
        self._felt = None

    def draw(self, canvas: Canvas, session: Session, spot: Spot) -> None:
        scares = self._felt is not None and self._felt.strength < 0
        place, colour = spot.place, DANGER if scares else INK
        radius = _radius(session, place)
        circle(canvas, place, radius, colour)
        if self._felt is not None:
            axes = screen_axes(session)
            ways = radius * np.concatenate([axes, -axes])
            inner, outer = (np.array(place) + share * ways for share in NEAR_AND_FAR)
            canvas.arrows(*((inner, outer) if scares else (outer, inner)), colour, 2.5)
            if not session.preferences.reduce_motion:
                self._ripple(canvas, session, place, scares)

    def _ripple(self, canvas: Canvas, session: Session, place: Place, scares: bool) -> None:
        """Draw rings that run to the middle of the circle, or away from it."""
        rate = session.simulation.world.resource(Settings).tick_rate
        at = (session.simulation.tick + canvas.alpha) / rate / RIPPLE % 1
        for n in range(RIPPLES):
            share = (at + n / RIPPLES) % 1
            left = round(90 * math.sin(math.pi * share))
            radius = (share if scares else 1 - share) * _radius(session, place)
            canvas.rings(place, radius, thin(DANGER if scares else INK, left), 1.2 + 1.6 * (1 - share), halo=0.0)


def _radius(session: Session, place: Place) -> float:
    """Return the radius of the effect at a place, u."""
    return min(TIMES * session.hand.brush / session.camera.size_at(*place), FARTHEST)
