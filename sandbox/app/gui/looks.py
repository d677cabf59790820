"""Small pictures of the shown world in each colouring and with each overlay, for the panel Looks.

One is drawn per frame until there are all; then they are renewed in turn while time passes.
"""

from __future__ import annotations

from dataclasses import dataclass
from weakref import ReferenceType, ref

import numpy as np
from arcade import ArcadeContext
from imgui_bundle import imgui

from sandbox.app.drawing.any_camera import AnyCamera, camera_for
from sandbox.app.drawing.driver import draws_in_software
from sandbox.app.drawing.offscreen import Offscreen
from sandbox.app.drawing.places import places
from sandbox.app.drawing.space.camera import SpaceCamera
from sandbox.app.drawn_world import DrawnWorld
from sandbox.app.gui.renderer import Renderer
from sandbox.app.session.session import Session
from sandbox.render.animals import Drawing
from sandbox.simulation import Simulation

SIZE = 320, 180  # pixels
ANIMALS = 60  # shown in a picture, about: so many can still be told apart
CLOSEST = 8  # times the zoom at which the world fills the picture
BINS = 24, 16  # in which the crowd is looked for
RENEWED = 15  # frames between two pictures that are drawn again


@dataclass
class Look:
    """A picture, and the moment that it shows: a tick of a simulation, drawn in a frame."""

    target: Offscreen
    picture: imgui.ImTextureRef
    simulation: ReferenceType[Simulation] | None = None
    tick: int = 0
    frame: int = 0


class Looks:
    """The pictures of a window, drawn by its own painter and overlays, which go on as they were."""

    def __init__(self, context: ArcadeContext, renderer: Renderer, world: DrawnWorld) -> None:
        self._context, self._renderer, self._world = context, renderer, world
        self._looks: dict[tuple[str, str], Look] = {}
        self._frame = 0  # in which one was drawn last

    def of(self, session: Session, colouring: str, overlay: str = "") -> imgui.ImTextureRef | None:
        """Return the picture, upside down, of the world in a colouring, one of TINTS; None while it is not drawn yet.

        Args:
            overlay: the name of the overlay that is shown; "": none.
        """
        key, frame, shows = (colouring, overlay), imgui.get_frame_count(), ref(session.simulation)
        look = self._looks.get(key)
        is_there = look is not None and look.simulation == shows
        if frame != self._frame and not (is_there and self._stays(session, key)):
            if look is None:
                target = Offscreen(self._context, smooth=not draws_in_software(self._context))
                look = self._looks[key] = Look(target, self._renderer.picture(target.texture))
            self._draw(session, colouring, overlay, look.target)
            look.simulation, look.tick, look.frame, self._frame = shows, session.simulation.tick, frame, frame
            is_there = True
        return look.picture if look is not None and is_there else None

    def _stays(self, session: Session, key: tuple[str, str]) -> bool:
        """Return whether another picture is renewed before this one, or none now."""
        look, oldest = self._looks[key], min(look.frame for look in self._looks.values())
        rests = imgui.get_frame_count() - self._frame <= RENEWED
        return rests or look.frame > oldest or look.tick == session.simulation.tick

    def _draw(self, session: Session, colouring: str, overlay: str, target: Offscreen) -> None:
        painter, view, simulation = self._world.painter, session.view, session.simulation
        shown, before = {*view.shown}, painter.colouring
        view.shown.clear()
        view.shown.add(overlay)
        painter.colouring = colouring
        painter.take(simulation)
        with self._world.overlays.set_aside(), target.drawn_into(SIZE):
            self._world.draw(crowd(simulation, SIZE), 1.0)
        view.shown.clear()
        view.shown.update(shown)
        painter.colouring = before
        painter.take(simulation)


def crowd(simulation: Simulation, size: tuple[int, int]) -> AnyCamera:
    """Return a camera on the most crowded part of a world, so close that animals can be told apart."""
    camera = camera_for(simulation.world, size)
    camera.fill()
    if isinstance(camera, SpaceCamera):
        return camera
    covers = camera.zoom
    at = places(simulation.world, simulation.world.resource(Drawing).rows, 1.0)
    if not len(at):
        return camera
    counts, *edges = np.histogram2d(at[:, 0], at[:, 1], BINS)
    cell = np.unravel_index(counts.argmax(), counts.shape)
    x, y = (edge[k : k + 2].mean() for edge, k in zip(edges, cell, strict=True))
    area = np.ptp(edges[0]) * np.ptp(edges[1]) / counts.size / counts.max()  # of an animal there, u²
    close = float(np.sqrt(size[0] * size[1] / (ANIMALS * max(area, 1.0))))
    camera.zoom = min(max(close, covers), CLOSEST * covers)
    camera.look_at(float(x), float(y))
    return camera
