"""The Labels overlay: the scene's text labels."""

from __future__ import annotations

from sandbox.app.drawing.canvas import Canvas
from sandbox.app.drawing.colours import rgb_of
from sandbox.app.drawing.letters import extent, lettered
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
            mask, (wide, high) = lettered(words), extent(words, values["size"])
            low = values["x"] - wide / 2, values["y"] - high / 2
            rgb = rgb_of(values["colour"])
            canvas.picture(mask, [(*rgb, 0), (*rgb, 255)], low=low, size=(wide, high))
