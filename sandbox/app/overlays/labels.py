"""The Labels overlay: the scene's text labels."""

from __future__ import annotations

from sandbox.app.drawing.canvas import Canvas
from sandbox.app.drawing.colours import rgb_of
from sandbox.app.overlays.overlay import Overlay
from sandbox.app.session.session import Session
from sandbox.design.labels import Labels as Kept


class Labels(Overlay):
    """Draws labels under the animals; their size is in world units, so that they zoom with the world."""

    name, title, help = "labels", "Labels", "texts that are shown in the world"
    always = under = True

    def draw(self, canvas: Canvas, session: Session) -> None:
        for words, own in session.simulation.world.resource(Kept).kept.items():
            values = Kept.whole(own)
            place, colour = (values["x"], values["y"]), (*rgb_of(values["colour"]), 255)
            canvas.text(place, words, values["size"], colour, halo=0)
