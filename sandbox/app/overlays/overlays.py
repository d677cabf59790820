"""Draws the overlays that are shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial

from arcade import ArcadeContext

from sandbox.app.drawing.any_camera import AnyCamera, suits
from sandbox.app.drawing.canvas import Canvas
from sandbox.app.drawing.painter import Layer
from sandbox.app.overlays.overlay import Overlay
from sandbox.app.session.session import Session
from systems.engine.settings import Settings


class Overlays:
    """The overlays of a window, and the canvas on which they draw.

    Attributes:
        all: all installed overlays in drawing order; the same list object as the session's.
    """

    def __init__(self, context: ArcadeContext, installed: Sequence[Overlay]) -> None:
        self.all = installed
        self.canvas = Canvas(context)
        self._up_to_date: list[Overlay] = []  # whose `update` was called since the last change
        self._moment: tuple[object, ...] = ()  # the selection then, and whether the world is paused

    def update(self, session: Session) -> None:
        """Call `update` of all shown overlays; must be called after ticks or commands, after the painter's `update`."""
        self._up_to_date = []
        self._bring_up_to_date(session)

    def _bring_up_to_date(self, session: Session) -> list[Overlay]:
        """Call `update` of the shown overlays for which this was not yet done; return all that are shown."""
        moment = session.selection.serials, session.clock.paused
        if moment != self._moment:
            self._up_to_date, self._moment = [], moment
        shown = [overlay for overlay in self.all if overlay.always or overlay.name in session.shown]
        for overlay in shown:
            if not any(overlay is known for known in self._up_to_date):
                overlay.update(session)
        self._up_to_date = shown
        return shown

    @contextmanager
    def set_aside(self) -> Iterator[None]:
        """In this context, others may be shown for a picture; `update` of those shown before is not called again."""
        before = self._up_to_date, self._moment
        try:
            yield
        finally:
            self._up_to_date, self._moment = before

    def layers(self, session: Session, *, in_hand: bool = True) -> tuple[Layer, Layer]:
        """Return two callbacks that draw the shown overlays: those under the animals, and those over them.

        Args:
            in_hand: include the preview of the active tool, which pictures leave out.
        """
        shown = [overlay for overlay in self._bring_up_to_date(session) if in_hand or not overlay.in_hand]
        under, over = ([o for o in shown if o.under == below] for below in (True, False))
        return partial(self._draw, session, "under", under), partial(self._draw, session, "over", over)

    def _draw(
        self, session: Session, layer: str, shown: list[Overlay], camera: AnyCamera, alpha: float, ratio: float
    ) -> None:
        if not shown or not suits(camera, session.simulation.world):  # it has got or lost depth since this was taken
            return
        settings = session.simulation.world.resource(Settings)
        self.canvas.begin(camera, settings.torus, alpha, ratio, layer)
        for overlay in shown:
            overlay.draw(self.canvas, session)
        self.canvas.draw()
