"""The In hand overlay: the preview of the active tool, what it placed lately, and near an edge the world's end."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from components.motion import Velocity
from sandbox.app.drawing.canvas import Canvas
from sandbox.app.drawing.places import LEAST, places, radii
from sandbox.app.overlays.overlay import Overlay
from sandbox.app.session.session import Session
from systems.engine.settings import Settings

NEAR = 60.0  # pixels from an edge of the world
END = 255, 255, 255
FALL = 245, 240, 230, 110
PLACED, AROUND = (255, 206, 92), 8.0  # a ring's colour, and its distance in pixels


class InHand(Overlay):
    """Draws what the active tool would do: the brush, outlines of entities, a line, or a rectangle."""

    name, title, help = "in hand", "In hand", "preview of a click"
    always = in_hand = True

    def draw(self, canvas: Canvas, session: Session) -> None:
        _ring_placed(canvas, session)
        session.hand.draw(canvas, session)
        if session.hand.pixel is not None and (session.hand.tool.count or session.hand.tool.uses_brush):
            _draw_end(canvas, session)


def _ring_placed(canvas: Canvas, session: Session) -> None:
    """Draw a ring around what was placed lately and moves: the rest is where the hand has put it."""
    world = session.simulation.world
    for serials, opacity in session.view.placed.marked:
        rows = world.table.living(serials)
        rows = rows[world.table.has(rows, Velocity)]
        radius, colour = radii(world, rows, LEAST), (*PLACED, round(235 * opacity))
        canvas.rings(places(world, rows, canvas.alpha), radius, colour, 2.0, grow=AROUND, halo=0.5 * opacity)


def _draw_fall(canvas: Canvas, session: Session, place: NDArray[np.float64]) -> None:
    """Draw the line from the mouse's place in a world with depth down to the floor, and a ring where it ends."""
    below = np.where([axis == session.camera.up for axis in "xyz"], 0.0, place)  # type: ignore[union-attr]
    canvas.lines(place, below, FALL, 1.2, halo=0.2)
    canvas.discs(below, 0.0, FALL, grow=3.0)


def _draw_end(canvas: Canvas, session: Session) -> None:
    """Draw the edges of the world, the stronger the nearer the mouse is to them; a torus and open worlds have none."""
    settings = session.simulation.world.resource(Settings)
    place = session.hand.spot(session).place
    if len(place) == 3:
        _draw_fall(canvas, session, np.array(place))
        return
    x, y = place
    inside = min(x, settings.width - x, y, settings.height - y)  # u; below 0 outside
    inside *= session.camera.size_at(x, y)
    if settings.edges in ("turn", "bounce") and inside < NEAR:
        opacity = 1 - max(inside, 0) / NEAR
        canvas.boxes((0, 0), (settings.width, settings.height), line=(*END, round(120 * opacity)), width=1.5)
