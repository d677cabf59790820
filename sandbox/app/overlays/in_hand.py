"""The In hand overlay: the preview of the active tool."""

from __future__ import annotations

from sandbox.app.drawing.canvas import Canvas
from sandbox.app.overlays.overlay import Overlay
from sandbox.app.session.session import Session


class InHand(Overlay):
    """Draws what the active tool would do: the brush, outlines of entities, a line, or a rectangle."""

    name, title, help = "in hand", "In hand", "preview of a click"
    always = in_hand = True

    def draw(self, canvas: Canvas, session: Session) -> None:
        session.hand.preview(canvas, session)
