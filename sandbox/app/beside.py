"""Draws the other one of two worlds that are compared."""

from __future__ import annotations

from arcade import ArcadeContext

from sandbox.app.drawing.camera import Camera
from sandbox.app.drawing.painter import Painter
from sandbox.app.session.comparison import Comparison
from sandbox.app.session.session import Session
from sandbox.app.viewer import Viewer
from sandbox.edit.queue import CommandQueue

ALWAYS = "labels", "selection", "effects"  # overlays that are drawn in both worlds, besides those that are switched on


class Beside:
    """The other world as it is seen through the overlays that are switched on."""

    def __init__(self, context: ArcadeContext) -> None:
        self._context = context
        self._painter: Painter | None = None
        self._viewer: Viewer | None = None
        self._of: tuple[object, ...] = ()
        self._at: tuple[object, ...] = ()

    def take(self, session: Session) -> None:
        """Look at it as it is now; where nothing is compared any more, forget it."""
        comparison = session.document.comparison
        if comparison is None:
            self._viewer, self._of = None, ()
            return
        simulation = comparison.simulation
        colouring, count = session.document.colouring, simulation.world.resource(CommandQueue).count
        of, at = (simulation, {*session.shown}), (simulation.tick, count, colouring)
        self._painter = self._painter or Painter(self._context)
        self._painter.colouring = colouring
        if of != self._of:
            self._viewer = Viewer(simulation, [*ALWAYS, *sorted(session.shown)], self._painter)
        elif at != self._at and self._viewer is not None:
            self._viewer.take()
        self._of, self._at = of, at

    def draw(self, session: Session, comparison: Comparison, alpha: float, ratio: float) -> None:
        """Draw it in the half of the screen that the world a person works on leaves."""
        if self._viewer is None:
            return
        camera = other_half(session.camera, comparison.works_right)
        self._viewer.select(session.selection.array)
        self._viewer.painter.draw(camera, alpha, ratio, *self._viewer.layers())


def other_half(camera: Camera, works_right: bool) -> Camera:
    """The view of the other world: of the same places, so far beside this view as its half of the screen is wide."""
    wide = camera.free[0] / camera.zoom
    return camera.moved(wide if works_right else -wide, 0)
