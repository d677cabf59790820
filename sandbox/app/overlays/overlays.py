"""How the overlays that are shown are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from arcade import ArcadeContext

from sandbox.app.drawing.camera import Camera
from sandbox.app.drawing.canvas import Canvas
from sandbox.app.drawing.painter import Layer
from sandbox.app.overlays.overlay import Overlay
from sandbox.app.session.session import Session
from systems.engine.settings import Settings


class Overlays:
    """The overlays of a window, and the canvas they draw on.

    Attributes:
        all: every installed one, in the order in which they are drawn; the list of the session itself.
    """

    def __init__(self, context: ArcadeContext, installed: Sequence[Overlay]) -> None:
        self.all = installed
        self.canvas = Canvas(context)

    def take(self, session: Session) -> None:
        """After ticks or commands, and after the painter took: let those that are shown note what changed."""
        for overlay in self.all:
            if overlay.always or overlay.name in session.shown:
                overlay.take(session)

    def layers(self, session: Session, *, in_hand: bool = True) -> tuple[Layer, Layer]:
        """What draws those that are shown: those that lie under the animals, and those over them.

        Args:
            in_hand: also what a click would do, which belongs in no picture.
        """
        shown = [overlay for overlay in self.all if overlay.always or overlay.name in session.shown]
        shown = [overlay for overlay in shown if in_hand or not overlay.in_hand]
        under, over = ([o for o in shown if o.under == below] for below in (True, False))
        return partial(self._draw, session, under), partial(self._draw, session, over)

    def _draw(self, session: Session, shown: list[Overlay], camera: Camera, alpha: float, ratio: float) -> None:
        if not shown:
            return
        settings = session.simulation.world.resource(Settings)
        self.canvas.begin(camera, settings.torus, alpha, ratio)
        for overlay in shown:
            overlay.draw(self.canvas, session)
        self.canvas.draw()
