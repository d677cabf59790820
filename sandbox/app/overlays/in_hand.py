"""In hand: what a click would do, and what a drag has begun."""

from __future__ import annotations

from sandbox.app.drawing.canvas import Canvas
from sandbox.app.overlays.overlay import Overlay
from sandbox.app.session.session import Session


class InHand(Overlay):
    """The brush, the outline of what would be placed, a line, a rectangle: as the tool in hand has it."""

    name, title, help = "in hand", "In hand", "what a click would do"
    always = in_hand = True

    def draw(self, canvas: Canvas, session: Session) -> None:
        session.hand.preview(canvas, session)
