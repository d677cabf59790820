"""Draws the second world in Compare."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from arcade import ArcadeContext

from components.store.world import World
from sandbox.app.document.comparison import Comparison
from sandbox.app.drawing.camera import Camera
from sandbox.app.drawing.painter import Painter
from sandbox.app.overlays.overlay import Overlay
from sandbox.app.session.session import Session
from sandbox.app.viewer import Viewer
from sandbox.edit.queue import CommandQueue
from sandbox.simulation import Simulation


class Beside:
    """A painter and a viewer of the second world, with the overlays that the window shows."""

    def __init__(self, context: ArcadeContext, overlays: Sequence[Overlay], glow: Callable[[], bool]) -> None:
        """`overlays`: the built-in ones of the window, which know both worlds: either can become the second one."""
        self._context, self._overlays, self._glow = context, overlays, glow
        self._painter: Painter | None = None
        self._viewer: Viewer | None = None
        self._of: Simulation | None = None
        self._at: tuple[object, ...] = ()

    def take(self, session: Session) -> None:
        """Gather what is drawn of the second world if it has changed; drop its viewer if nothing is compared."""
        comparison = session.document.comparison
        if comparison is None:
            self._viewer = self._of = None
            return
        simulation = comparison.simulation
        colouring, count = session.document.colouring, simulation.world.resource(CommandQueue).count
        at = simulation.tick, count, colouring
        self._painter = self._painter or Painter(self._context, self._glow)
        self._painter.colouring = colouring
        if self._viewer is None or simulation is not self._of:
            self._viewer = Viewer(simulation, session.shown, self._painter, self._overlays)
        elif at != self._at:
            self._viewer.take()
        self._viewer.show(session.shown)
        self._of, self._at = simulation, at

    def prepare(self, simulation: Simulation, world: World) -> None:
        """Prepare what is drawn of the second world after a tick, see `Painter.prepare`."""
        if self._painter is not None and simulation is self._of:
            self._painter.prepare(simulation, world)

    def draw(self, session: Session, comparison: Comparison, alpha: float, ratio: float) -> None:
        """Draw the second world in its half of the screen."""
        if self._viewer is None:
            return
        camera = other_half(session.camera, comparison)
        self._viewer.select(session.selection.array)
        self._viewer.painter.animals.still = session.preferences.reduce_motion
        self._viewer.painter.draw(camera, alpha, ratio, *self._viewer.layers(), moves=session.playback.runs)


def other_half(camera: Camera, comparison: Comparison) -> Camera:
    """Return the camera of the second world: the same view, in the other half of the screen."""
    right, up = camera.to_other_half(comparison.works_right, comparison.stacked)
    return camera.moved(-right / camera.zoom, -up / camera.zoom)
