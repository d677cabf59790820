"""Draws a world with overlays without a window."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence

from PIL import Image

from components.store.words import did_you_mean
from sandbox.app.document.document import Document
from sandbox.app.document.view import View
from sandbox.app.drawing.any_camera import AnyCamera
from sandbox.app.drawing.offscreen import Offscreen
from sandbox.app.drawing.painter import Layer, Painter
from sandbox.app.drawing.picture import camera_on, graphics, painter_of
from sandbox.app.drawn_world import DrawnWorld
from sandbox.app.files.asking import Asking
from sandbox.app.files.filing import Filing
from sandbox.app.jobs.jobs import Jobs
from sandbox.app.messages import Messages
from sandbox.app.mod_parts import ModParts
from sandbox.app.overlays.overlay import Overlay
from sandbox.app.overlays.overlays import Overlays
from sandbox.app.parts import BUILT_IN
from sandbox.app.preferences import Preferences
from sandbox.app.session.hand import Hand
from sandbox.app.session.modding import Modding
from sandbox.app.session.services import Services
from sandbox.app.session.session import Session
from sandbox.app.tools.erase import Eraser
from sandbox.app.tools.pick import Pick
from sandbox.mods.find.fault import Fault
from sandbox.mods.find.trust import Trust
from sandbox.mods.load.library import Library
from sandbox.mods.run.running_mods import RunningMods
from sandbox.simulation import Simulation
from sandbox.warning import SandboxWarning
from systems.engine.app import App, installed


class Viewer:
    """A simulation with some overlays, built-in ones or those of its mods, to be drawn without a window."""

    def __init__(self, simulation: Simulation, names: Iterable[str], painter: Painter | None = None) -> None:
        """Set up the overlays `names`.

        Args:
            painter: a painter that is not shared; default: that of all pictures.
        Raises:
            ValueError: there is no overlay of such a name, or it is a preview of the hand's tool.
            OSError: graphics are not available.
        """
        self.painter = painter or painter_of(graphics())
        app = installed(BUILT_IN)
        self._session = session_on(simulation, app)
        self._mods = ModParts(self._session)
        self._mods.pass_time(0)
        self._session.shown.update(names)
        self._target = Offscreen(self.painter.context)
        overlays = Overlays(self.painter.context, overlays_of(app, names))
        self._world = DrawnWorld(self._session, self.painter, overlays)
        self.take()

    def take(self) -> None:
        """Let painter and overlays take up changes; call it after every tick, because some overlays show the past."""
        self._world.take()
        self.stop_failed()

    def stop_failed(self) -> list[Fault]:
        """Stop the mods whose overlays failed, which a picture lacks; return their faults. Call it after drawing.

        Warns:
            SandboxWarning: names the mod, file and line.
        """
        faults = self._session.simulation.mods.faults
        known = len(faults)
        self._mods.pass_time(0)
        for fault in faults[known:]:
            warnings.warn(f"the mod was stopped: {fault.sentence}", SandboxWarning, stacklevel=2)
        return faults[known:]

    def draw(self, camera: AnyCamera, alpha: float = 1.0) -> Image.Image:
        """Return the camera's view with the overlays, RGB; alpha: from the previous tick (0) to the current one (1)."""
        picture = self._world.picture(camera, alpha, into=self._target)
        self.painter.context.gc()  # frees unused OpenGL objects, which a window does in every frame
        return picture

    def layers(self) -> tuple[Layer, Layer]:
        """Return the layers that draw the overlays below and above the animals."""
        return self._world.overlays.layers(self._session, in_hand=False)


def overlays_of(app: App, names: Iterable[str]) -> list[Overlay]:
    """Return the overlays with these names, each once.

    Raises:
        ValueError: there is no overlay of such a name, or it shows what a hand would do.
    """
    known = {overlay.name: overlay for overlay in app.overlays if not overlay.in_hand}
    for name in names:
        if name in known:
            continue
        mod, dot, _ = name.partition(".")
        if dot and not any(other.startswith(f"{mod}.") for other in known):
            raise ValueError(
                f"there is no overlay {name!r}: this world runs without a mod {mod!r} that has overlays"
                " (a recording runs with the mods that it was made with)"
            )
        listed = did_you_mean(name, known) or f": there are {', '.join(known)}"
        raise ValueError(f"there is no overlay {name!r}{listed}")
    return [known[name] for name in dict.fromkeys(names)]


def refuse_unknown(names: Sequence[str]) -> None:
    """Refuse overlays that are neither built in nor may be of a mod, MOD.NAME, before a world is opened.

    Raises:
        ValueError: there is no such overlay.
    """
    overlays_of(installed(BUILT_IN), [name for name in names if "." not in name])


def session_on(simulation: Simulation, app: App) -> Session:
    """Return a session without a window and without files."""
    messages, asking = Messages(), Asking()
    document, view = Document(simulation, lambda: simulation, messages), View(simulation)
    view.camera = camera_on(simulation)
    library, jobs = Library(Trust()), Jobs(messages)
    services = Services(
        messages,
        asking,
        Filing(document, view, messages, asking, library, jobs, lambda *_: None, lambda: None),
        Modding(document, messages, asking, library, RunningMods()),
        jobs,
    )
    return Session(document, view, services, Hand(app.tools, Eraser(), Pick()), app, Preferences())
