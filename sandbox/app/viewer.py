"""A session that no window shows: what draws overlays into the picture of a world."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from imgui_bundle import imgui, implot
from numpy.typing import NDArray

from components.store.words import did_you_mean
from sandbox.app.drawing.painter import Layer, Painter
from sandbox.app.drawing.picture import camera_on, graphics, painter_of
from sandbox.app.messages import Messages
from sandbox.app.mod_parts import ModParts
from sandbox.app.overlays.overlays import Overlays
from sandbox.app.parts import BUILT_IN
from sandbox.app.preferences import Preferences
from sandbox.app.session.asking import Asking
from sandbox.app.session.document import Document
from sandbox.app.session.filing import Filing
from sandbox.app.session.filming import Filming
from sandbox.app.session.hand import Hand
from sandbox.app.session.modding import Modding
from sandbox.app.session.services import Services
from sandbox.app.session.session import Session
from sandbox.app.session.studying import Studying
from sandbox.app.session.view import View
from sandbox.app.tools.erase import Eraser
from sandbox.app.tools.pick import Pick
from sandbox.mods.find.trust import Trust
from sandbox.mods.load.library import Library
from sandbox.mods.run.running import RunningMods
from sandbox.simulation import Simulation
from systems.engine.app import installed


class Viewer:
    """Looks at a simulation through some overlays, built-in ones and those of the mods in it."""

    def __init__(self, simulation: Simulation, names: Sequence[str], painter: Painter | None = None) -> None:
        """Begin to look.

        Args:
            painter: draws for nobody else; without it that of all pictures.
        Raises:
            ValueError: there is no overlay of such a name, or it shows what a hand would do.
            OSError: nothing can be drawn.
        """
        self.painter = painter or painter_of(graphics())
        if imgui.get_current_context() is None:  # mods run beside one: see `Aside`
            imgui.create_context()
            implot.create_context()
        self._session = _session_on(simulation)
        self._mods = ModParts(self._session)
        self._mods.pass_time(0)
        known = {overlay.name: overlay for overlay in self._session.app.overlays if not overlay.in_hand}
        if unknown := [name for name in names if name not in known]:
            raise ValueError(
                f"there is no overlay {unknown[0]!r}{did_you_mean(unknown[0], known)}; there are {', '.join(known)}"
            )
        self._session.shown.update(names)
        self._overlays = Overlays(self.painter.context, [known[name] for name in dict.fromkeys(names)])
        self.take()

    def take(self) -> None:
        """Let them note what changed: after every tick, for some show what was."""
        self.painter.take(self._session.simulation)
        self._overlays.take(self._session)
        self._mods.pass_time(0)  # stops the mod whose overlay failed

    def select(self, serials: NDArray[np.int64]) -> None:
        """Have these marked."""
        self._session.selection.choose(serials)

    def layers(self) -> tuple[Layer, Layer]:
        """What draws them below the animals, and above."""
        return self._overlays.layers(self._session, in_hand=False)


def _session_on(simulation: Simulation) -> Session:
    """One in which nobody is at work."""
    app, messages, asking = installed(BUILT_IN), Messages(), Asking()
    document, view = Document(simulation, lambda: simulation, messages), View(simulation)
    view.camera = camera_on(simulation)
    library = Library(Trust())
    services = Services(
        messages,
        asking,
        Filing(document, view, messages, asking, library, lambda _, make: make(), lambda *_: None, lambda: None),
        Modding(document, messages, asking, library, RunningMods()),
        Filming(lambda: None),
        Studying(),
    )
    return Session(document, view, services, Hand(app.tools, Eraser(), Pick()), app, Preferences())
