"""The overlays of pictures and films. Graphics are loaded only when one is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sandbox.app.viewer import Viewer
    from sandbox.simulation import Simulation

NO_OVERLAY = "none"  # of `--overlay`: also not those that the scene shows


def check_overlays(names: Sequence[str]) -> None:
    """Check the names of overlays before anything is opened or compiled.

    Raises:
        ValueError: there is no such overlay.
        OSError: there are no graphics to draw with.
    """
    if names := [name for name in names if name != NO_OVERLAY]:
        _load_graphics()
        from sandbox.app.viewer import refuse_unknown

        refuse_unknown(names)


def overlays_of(simulation: Simulation, names: Sequence[str] | None) -> tuple[str, ...]:
    """Return the overlays to draw: those of `--overlay`, or if there are none those that the scene shows."""
    from systems.engine.settings import Settings

    if names is None:
        return ("trails",) if simulation.world.resource(Settings).trails else ()
    return tuple(name for name in names if name != NO_OVERLAY)


def viewer_of(simulation: Simulation, names: Sequence[str]) -> Viewer:
    """Return what draws a simulation with these overlays.

    Raises:
        ValueError: there is no overlay of such a name, or it is a preview of the hand's tool.
        OSError: there are no graphics to draw with.
    """
    _load_graphics()
    from sandbox.app.viewer import Viewer

    return Viewer(simulation, names)


def run_up(names: Sequence[str]) -> float:
    """Return for how many simulated seconds overlays must observe the world before a picture."""
    _load_graphics()
    from sandbox.app.overlays.overlay import Overlay
    from sandbox.app.parts import BUILT_IN
    from systems.engine.app import installed

    built_in = {overlay.name: overlay.run_up for overlay in installed(BUILT_IN).overlays}
    return max((built_in.get(name, Overlay.past) for name in names), default=0.0)  # others are of mods


def _load_graphics() -> None:
    """Choose a display, or none, before arcade is imported."""
    from sandbox.app.drawing.picture import graphics

    graphics()
