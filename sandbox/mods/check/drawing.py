"""Draws every overlay of a mod once, off screen."""

from __future__ import annotations

from collections.abc import Iterator

from sandbox.app.drawing.picture import camera_on, graphics
from sandbox.mods.find.fault import Fault
from sandbox.mods.find.manifest import shown
from sandbox.simulation import Simulation
from sandbox.terminal import say

SIZE = 64, 48  # pixels


def wrong_in_drawing(simulation: Simulation, mod: str) -> Iterator[Fault]:
    """Yield the fault of a mod's overlay that fails, or that changes the world, which it may only read.

    Where there are no graphics, nothing is drawn, and a line on stderr says so.
    """
    overlays = [overlay for overlay in simulation.mods.parts[mod].overlays if not overlay.in_hand]
    if not overlays:
        return
    try:
        graphics()
    except OSError as error:
        say(f"boids: {shown(simulation.mods.mods[mod].folder)}: its overlays were not drawn: {error}", stderr=True)
        return
    from sandbox.app.viewer import Viewer  # loads arcade, so `graphics` must have chosen a display before

    before = simulation.digest()
    for overlay in overlays:
        viewer = Viewer(simulation, [f"{mod}.{overlay.name}"])
        viewer.draw(camera_on(simulation, SIZE))
        viewer.stop_failed()
        if simulation.mods.faults:
            yield simulation.mods.faults[0]
            return
        if simulation.digest() != before:
            yield Fault(mod, "", "it changed the world, which overlays only read", f"overlay {overlay.title}")
            return
