"""Geometry and previews shared by tools: places along a stroke, line or rectangle, clamping to the world, outlines."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from components.store.world import World
from components.wind import GUST, UNIFORM, Wind
from sandbox.app.drawing.colours import Rgba, rgb_of
from sandbox.app.session.tool import Place
from sandbox.design.scene import Circle, Rect
from sandbox.render.scenery import AIR, COLOURS
from systems.engine.settings import Settings

if TYPE_CHECKING:
    from sandbox.app.drawing.canvas import Canvas

MOST = 1000  # places per line or rectangle
BODIES = ("Look.size", "Obstacle.radius", "Food.radius", "Wind.radius")
Places = NDArray[np.float64]
INK: Rgba = (245, 240, 230, 230)
DANGER: Rgba = (255, 120, 100, 230)
LEAST = 4.0  # pixels: the minimum radius of a ghost
FILL, LINE = 60, 200  # opacity of a ghost, 0 to 255
ARROW = 0.6  # half the length of a wind zone's arrow, as a share of its radius


def stroke(begin: Place, end: Place, step: float) -> Iterator[Place]:
    """Yield places `step` apart from `begin` (excluded) to `end`, so that a quick drag leaves no gap."""
    distance = math.dist(begin, end)
    for n in range(1, int(distance / step) + 1):
        share = n * step / distance
        yield begin[0] + share * (end[0] - begin[0]), begin[1] + share * (end[1] - begin[1])


def line(begin: Place, end: Place, step: float) -> Places:
    """Return evenly spaced places from `begin` to `end`, both included, at least `step` apart: (n, 2), u."""
    gaps = min(int(math.dist(begin, end) / step + 1e-9), MOST - 1)
    return np.linspace(begin, end, gaps + 1)


def rows_of_places(begin: Place, end: Place, step: float) -> Places:
    """Return evenly spaced places in the rectangle between two corners, at least `step` apart: (n, 2), u."""
    sides = [abs(end[axis] - begin[axis]) for axis in (0, 1)]
    while True:
        columns, lines = (int(side / step + 1e-9) for side in sides)
        if (columns + 1) * (lines + 1) <= MOST:
            break
        step *= 1.05
    x, y = np.linspace(begin[0], end[0], columns + 1), np.linspace(begin[1], end[1], lines + 1)
    return np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)


def rectangle(begin: Place, end: Place) -> Rect:
    """Return the rectangle between two opposite corners."""
    low = min(begin[0], end[0]), min(begin[1], end[1])
    return Rect(*low, abs(end[0] - begin[0]), abs(end[1] - begin[1]))


def patch(world: World, at: Place, radius: float) -> Circle | Rect:
    """Return a circle (u), or if an edge of the world cuts it, the part of its bounding square inside the world."""
    settings = world.resource(Settings)
    low, high = (at[0] - radius, at[1] - radius), (at[0] + radius, at[1] + radius)
    if settings.edges in ("wrap", "open") or (
        min(low) >= 0 and high[0] <= settings.width and high[1] <= settings.height
    ):
        return Circle(*at, radius)
    return rectangle(within(world, low), within(world, high))


def is_inside(world: World, at: Place) -> bool:
    """Return whether an entity can be placed there."""
    settings = world.resource(Settings)
    return settings.edges == "open" or bool(0 <= at[0] < settings.width and 0 <= at[1] < settings.height)


def within(world: World, at: Place) -> Place:
    """Clamp a place to the world, unless the world is open."""
    settings = world.resource(Settings)
    if settings.edges == "open":
        return at
    return min(max(at[0], 0.0), settings.width), min(max(at[1], 0.0), settings.height)


def body(world: World, prefab: str) -> float:
    """Return the radius of a prefab's members, u; at least 1."""
    own, values = world.prefabs[prefab].components, world.prefabs[prefab].values()
    keys = [key for key in BODIES if key.split(".")[0] in own]
    return max(1.0, *(float(values.get(key, world.table.field(key).default)) for key in keys), 0.0)


def tint(world: World, prefab: str) -> Rgba:
    """Return the colour of a prefab, with the opacity of a ghost's line."""
    colour = int(world.prefabs[prefab].values().get("Look.colour", COLOURS[AIR]))
    return (*rgb_of(colour), LINE)


def thin(colour: Rgba, alpha: int) -> Rgba:
    """Return a colour with another opacity, 0 to 255."""
    return (*colour[:3], alpha)


def ghost(canvas: Canvas, world: World, prefab: str, places: ArrayLike, direction: float | None = None) -> None:
    """Draw the outline of a prefab's member at each of these places, (n, 2), u.

    Args:
        direction: the direction of wind (degrees) to use instead of the prefab's.
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
    """Draw the circle of a round brush; `radius`: u."""
    canvas.discs(at, radius, thin(colour, FILL // 3))
    canvas.rings(at, radius, colour, 1.5, halo=0.4)


def outline(canvas: Canvas, begin: Place, end: Place, colour: Rgba) -> None:
    """Draw the rectangle between two opposite corners, u."""
    low, high = np.minimum(begin, end), np.maximum(begin, end)
    canvas.boxes(low, high, thin(colour, FILL // 2), colour, 1.5, halo=0.4)
