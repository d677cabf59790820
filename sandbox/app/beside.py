"""The second world in Compare, drawn as the first one is."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from arcade import ArcadeContext

from components.store.world import World
from sandbox.app.document.comparison import Comparison
from sandbox.app.drawing.any_camera import AnyCamera, camera_for, suits
from sandbox.app.drawing.painter import Painter
from sandbox.app.drawn_world import DrawnWorld
from sandbox.app.mod_parts import ModParts
from sandbox.app.overlays.overlay import Overlay
from sandbox.app.overlays.overlays import Overlays
from sandbox.app.parts import BUILT_IN
from sandbox.app.session.session import Session
from sandbox.app.viewer import session_on
from sandbox.edit.queue import CommandQueue
from sandbox.simulation import Simulation
from systems.engine.app import installed


class Beside:
    """The world that is drawn beside that of the window, with the same overlays, selection, clock and messages."""

    def __init__(self, context: ArcadeContext, overlays: Sequence[Overlay], glow: Callable[[], bool]) -> None:
        """`overlays`: the built-in ones of the window, which know both worlds: either can become the second one."""
        self._context, self._built_in, self._glow = context, overlays, glow
        self._painter: Painter | None = None
        self._world: DrawnWorld | None = None
        self._mods: ModParts | None = None
        self._at: tuple[object, ...] = ()

    def take(self, session: Session) -> None:
        """Gather what is drawn of the second world if it has changed; forget it if nothing is compared."""
        comparison = session.document.comparison
        if comparison is None:
            self._world = self._mods = None
            if self._painter is not None:
                self._painter.forget()
            return
        simulation = comparison.simulation
        colouring, count = session.document.colouring, simulation.world.resource(CommandQueue).count
        at = simulation.tick, count, colouring
        if self._world is None or self._mods is None or simulation is not self._world.session.simulation:
            self._world = self._drawn_world(session, simulation)
            self._mods = ModParts(self._world.session)
        elif at == self._at:
            return
        self._mods.pass_time(0)
        self._show_alike(session)
        self._world.take()
        self._at = at

    def prepare(self, simulation: Simulation, world: World) -> None:
        """Prepare what is drawn of the second world after a tick, see `Painter.prepare`."""
        if self._world is not None and simulation is self._world.session.simulation:
            self._world.painter.prepare(simulation, world)

    def draw(self, session: Session, comparison: Comparison, camera: AnyCamera, alpha: float, ratio: float) -> None:
        """Draw the second world in its half of the screen; `camera`: that with which the first one is drawn."""
        if self._world is not None:
            self._show_alike(session)
            self._world.draw(other_half(camera, comparison), alpha, ratio)

    def _drawn_world(self, session: Session, simulation: Simulation) -> DrawnWorld:
        app = installed(BUILT_IN)
        app.overlays[:] = self._built_in
        second = session_on(simulation, app)
        second.messages = session.messages
        second.selection = second.document.selection = session.selection
        second.view.clock, second.playback = session.clock, session.playback
        self._painter = self._painter or Painter(self._context, self._glow)
        return DrawnWorld(second, self._painter, Overlays(self._context, app.overlays))

    def _show_alike(self, session: Session) -> None:
        """Let the second world have the overlays and colours of the first one."""
        if self._world is not None:
            second = self._world.session
            second.shown, second.document.colouring = {*session.shown}, session.document.colouring
            second.preferences.reduce_motion = session.preferences.reduce_motion


def other_half(camera: AnyCamera, comparison: Comparison) -> AnyCamera:
    """Return the camera of the second world in the other half of the screen.

    It has the same view, unless only one of the worlds has depth, or up is another way: then it shows the whole world.
    """
    world = comparison.simulation.world
    if not suits(camera, world):
        camera = camera_for(world, camera.screen, camera.insets)
    return camera.aside(*camera.to_other_half(comparison.works_right, comparison.stacked))
