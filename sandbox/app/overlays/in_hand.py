"""The In hand overlay: the preview of the active tool, and near an edge of the world, where the world ends."""

from __future__ import annotations

from sandbox.app.drawing.canvas import Canvas
from sandbox.app.overlays.overlay import Overlay
from sandbox.app.session.session import Session
from systems.engine.settings import Settings

NEAR = 60.0  # pixels from an edge of the world
END = 255, 255, 255


class InHand(Overlay):
    """Draws what the active tool would do: the brush, outlines of entities, a line, or a rectangle."""

    name, title, help = "in hand", "In hand", "preview of a click"
    always = in_hand = True

    def draw(self, canvas: Canvas, session: Session) -> None:
        session.hand.draw(canvas, session)
        if session.hand.pixel is not None and (session.hand.tool.count or session.hand.tool.uses_brush):
            _draw_end(canvas, session)


def _draw_end(canvas: Canvas, session: Session) -> None:
    """Draw the edges of the world, the stronger the nearer the mouse is to them; a torus and open worlds have none."""
    world = session.simulation.world.resource(Settings)
    x, y = session.hand.spot(session).place
    inside = min(x, world.width - x, y, world.height - y) * session.camera.zoom  # pixels; below 0 outside
    if world.edges in ("turn", "bounce") and inside < NEAR:
        opacity = 1 - max(inside, 0) / NEAR
        canvas.boxes((0, 0), (world.width, world.height), line=(*END, round(120 * opacity)), width=1.5)
