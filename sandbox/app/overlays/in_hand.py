"""What is in hand: the preview of the active tool, what it placed lately, and where in the world the hand is."""

from __future__ import annotations

import math

import numpy as np

from components.motion import Velocity
from components.store.grids import FLOOR, PICTURE
from sandbox.app.drawing.canvas import Canvas
from sandbox.app.drawing.places import LEAST, places, radii
from sandbox.app.drawing.space.camera import Floats, SpaceCamera
from sandbox.app.overlays.overlay import Overlay
from sandbox.app.session.session import Session
from sandbox.app.session.tool import has_place
from sandbox.app.tools.brush import filled_radius
from systems.engine.settings import Settings

NEAR = 60.0  # pixels from an edge of the world
END, STRONGEST, FAINTEST = (255, 255, 255), 140, 70  # colour and opacities of the edges
HALO = 0.5  # of the strongest edges, which are seen on bright backdrops too
FALL = 245, 240, 230, 70
GRID, GRID_RADIUS, CELL = (245, 240, 230), 140.0, 20.0  # its colour, how far it is seen, and the narrowest cell, pixels
GRID_OPACITY = 100  # at the mouse, of 255
SHADE = np.maximum(1 - np.linspace(-1, 1, 32)[:, None] ** 2 - np.linspace(-1, 1, 32) ** 2, 0) ** 2
SHADOW = (0, 0, 0, 0), (0, 0, 0, 150)
SPREAD = 1.6  # of the shadow, times what a click fills
PLACED, AROUND = (255, 206, 92), 8.0  # a ring's colour, and its distance in pixels


class InHand(Overlay):
    """Draws what the active tool would do: the brush, outlines of entities, a line, or a rectangle."""

    name, title, help = "in hand", "In hand", "preview of a click"
    always = in_hand = True

    def draw(self, canvas: Canvas, session: Session) -> None:
        _ring_placed(canvas, session)
        session.hand.draw(canvas, session)
        if not isinstance(session.camera, SpaceCamera):
            _draw_end(canvas, session)


class HandInSpace(Overlay):
    """Draws where the hand is in a world with depth: a grid in the plane it works on, and a line down to its shadow.

    What is nearer hides the shadow.
    """

    name, title, help = "hand in space", "Hand in space", "where a click would be"
    always = in_hand = under = True

    def draw(self, canvas: Canvas, session: Session) -> None:
        if isinstance(session.camera, SpaceCamera) and _has_place(session):
            place = np.array(session.hand.spot(session).place)
            _draw_grid(canvas, session.camera, place)
            _draw_fall(canvas, session, session.camera, place)


def _has_place(session: Session) -> bool:
    """Return whether the mouse is over the world with a tool that works at one place."""
    return session.hand.pixel is not None and has_place(session.hand.used)


def _ring_placed(canvas: Canvas, session: Session) -> None:
    """Draw a ring around what was placed lately and moves: the rest is where the hand has put it."""
    world = session.simulation.world
    for serials, opacity in session.view.placed.marked:
        rows = world.table.living(serials)
        rows = rows[world.table.has(rows, Velocity)]
        radius, colour = radii(world, rows, LEAST), (*PLACED, round(235 * opacity))
        canvas.rings(places(world, rows, canvas.alpha), radius, colour, 2.0, grow=AROUND, halo=0.5 * opacity)


def _draw_grid(canvas: Canvas, camera: SpaceCamera, place: Floats) -> None:
    """Draw a grid in the plane that the mouse works on, which fades out around the mouse's place."""
    shown, across = camera.size_at(*place), camera.axes[:2]
    step, radius = 2.0 ** math.ceil(math.log2(CELL / shown)), GRID_RADIUS / shown
    middle = across @ (place - np.array(camera.world_size) / 2)
    count = math.ceil(radius / step)
    nodes = np.stack(np.meshgrid(*[np.arange(-count, count + 1)] * 2), axis=-1) * step - middle % step
    at = place + nodes @ across
    colours = np.empty((*nodes.shape[:2], 4))
    colours[..., :3] = GRID
    colours[..., 3] = GRID_OPACITY * np.maximum(1 - (nodes**2).sum(axis=-1) / radius**2, 0) ** 2
    for begin, end in ((np.s_[:-1], np.s_[1:]), (np.s_[:, :-1], np.s_[:, 1:])):
        ends = at[begin].reshape(-1, 3), at[end].reshape(-1, 3)
        canvas.lines(*ends, colours[begin].reshape(-1, 4), 1.0, head=-1, fades_to=colours[end].reshape(-1, 4))


def _draw_fall(canvas: Canvas, session: Session, camera: SpaceCamera, place: Floats) -> None:
    """Draw the line from the mouse's place down to the floor, and a soft shadow where it ends."""
    below = np.where([axis == camera.up for axis in "xyz"], 0.0, place)
    wide = SPREAD * filled_radius(session)
    (x, y), plane = (below[[0, 2]], FLOOR) if camera.up == "y" else (below[:2], PICTURE)
    canvas.picture(SHADE, SHADOW, low=(x - wide, y - wide), size=(2 * wide, 2 * wide), plane=plane)
    canvas.lines(place, below, FALL, 1.2, halo=0.2)


def _draw_end(canvas: Canvas, session: Session) -> None:
    """Draw the edges of the world, the stronger the nearer the mouse is to them; a torus and open worlds have none.

    A tool that places something always shows them, others that work at one place only if they are near.
    """
    settings, hand = session.simulation.world.resource(Settings), session.hand
    places = hand.pixel is not None and hand.prefab(session) is not None
    if settings.edges not in ("turn", "bounce") or not (places or _has_place(session)):
        return
    x, y = hand.spot(session).place
    inside = min(x, settings.width - x, y, settings.height - y)  # u; below 0 outside
    inside *= session.camera.size_at(x, y)
    opacity = max(STRONGEST * (1 - max(inside, 0) / NEAR), FAINTEST if places else 0)
    if opacity > 0:
        size, halo = (settings.width, settings.height), HALO * opacity / STRONGEST
        canvas.boxes((0, 0), size, line=(*END, round(opacity)), width=1.5, halo=halo)
