"""What would be there: the outlines that tools show before the button comes up."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from components.store.world import World
from components.wind import GUST, UNIFORM, Wind
from sandbox.app.drawing.colours import Rgba, rgb_of
from sandbox.app.session.tool import Place
from sandbox.app.tools.brush import body
from systems.view.scenery import AIR, COLOURS

if TYPE_CHECKING:
    from sandbox.app.drawing.canvas import Canvas

INK: Rgba = (245, 240, 230, 230)
DANGER: Rgba = (255, 120, 100, 230)
LEAST = 4.0  # pixels: no ghost is smaller
FILL, LINE = 60, 200  # how much of a ghost is seen, of 255
ARROW = 0.6  # of the radius of a zone of wind


def tint(world: World, prefab: str) -> Rgba:
    """The colour of a prefab."""
    colour = int(world.prefabs[prefab].values().get("Look.colour", COLOURS[AIR]))
    return (*rgb_of(colour), LINE)


def thin(colour: Rgba, alpha: int) -> Rgba:
    """A colour let through."""
    return (*colour[:3], alpha)


def ghost(canvas: Canvas, world: World, prefab: str, places: ArrayLike, direction: float | None = None) -> None:
    """The outline of one of a prefab at each of these places, (n, 2), u.

    Args:
        direction: of wind, degrees, instead of the prefab's.
    """
    places, colour = np.atleast_2d(places), tint(world, prefab)
    radius = max(body(world, prefab), LEAST * canvas.pixel)
    canvas.discs(places, radius, thin(colour, FILL))
    canvas.rings(places, radius, thin(INK, LINE), 1.2, halo=0.3)
    wind = world.prefabs[prefab].components.get(Wind.__name__)
    if wind is not None and wind.get("kind", UNIFORM) in (UNIFORM, GUST):
        turn = math.radians(wind.get("direction", 0.0) if direction is None else direction)
        along = ARROW * radius * np.array([math.cos(turn), math.sin(turn)])
        canvas.arrows(places - along, places + along, INK, 2.5)


def circle(canvas: Canvas, at: Place, radius: float, colour: Rgba) -> None:
    """What a round brush reaches, u."""
    canvas.discs(at, radius, thin(colour, FILL // 3))
    canvas.rings(at, radius, colour, 1.5, halo=0.4)


def outline(canvas: Canvas, begin: Place, end: Place, colour: Rgba) -> None:
    """The rectangle between two corners, u."""
    low, high = np.minimum(begin, end), np.maximum(begin, end)
    canvas.boxes(low, high, thin(colour, FILL // 2), colour, 1.5, halo=0.4)
