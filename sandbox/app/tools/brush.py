"""Geometry and previews shared by tools: places along a stroke, line or rectangle, clamping to the world, outlines."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from components.store.world import World
from components.wind import GUST, UNIFORM, Wind
from sandbox.app.drawing.colours import Rgba, rgb_of
from sandbox.app.drawing.space.camera import SpaceCamera
from sandbox.app.session.tool import Place, Spot
from sandbox.design.scene import Ball, Box, Circle, Rect
from sandbox.render.things import AIR, COLOURS
from systems.engine.settings import Settings

if TYPE_CHECKING:
    from sandbox.app.drawing.canvas import Canvas
    from sandbox.app.session.session import Session

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
        yield tuple(first + share * (last - first) for first, last in zip(begin, end, strict=True))


def line(begin: Place, end: Place, step: float) -> Places:
    """Return evenly spaced places from `begin` to `end`, both included, at least `step` apart: (n, axes), u."""
    gaps = min(int(math.dist(begin, end) / step + 1e-9), MOST - 1)
    return np.linspace(begin, end, gaps + 1)


def rows_of_places(begin: Place, end: Place, step: float) -> Places:
    """Return evenly spaced places in the rectangle between two corners, at least `step` apart: (n, axes), u.

    In a world with depth it is the upright rectangle that both corners lie in, or nearly.
    """
    sides = [abs(end[axis] - begin[axis]) for axis in (0, 1)]
    while True:
        columns, lines = (int(side / step + 1e-9) for side in sides)
        if (columns + 1) * (lines + 1) <= MOST:
            break
        step *= 1.05
    x, y = np.linspace(begin[0], end[0], columns + 1), np.linspace(begin[1], end[1], lines + 1)
    deep = [np.linspace(one, other, columns + 1) for one, other in zip(begin[2:], end[2:], strict=True)]
    lines_of = [np.broadcast_to(along, (lines + 1, columns + 1)) for along in deep]
    return np.stack([*np.meshgrid(x, y), *lines_of], axis=-1).reshape(-1, len(begin))


def rectangle(begin: Place, end: Place) -> Rect:
    """Return the rectangle between two opposite corners."""
    low = min(begin[0], end[0]), min(begin[1], end[1])
    return Rect(*low, abs(end[0] - begin[0]), abs(end[1] - begin[1]))


def patch(world: World, at: Place, radius: float) -> Circle | Rect | Ball | Box:
    """Return a circle (u), or if an edge of the world cuts it, the part of its bounding square inside the world.

    In a world with depth, it is a ball or a box.
    """
    settings = world.resource(Settings)
    low, high = (tuple(along + way for along in at) for way in (-radius, radius))
    sizes = zip(high, settings.size, strict=True)
    if settings.edges in ("wrap", "open") or (min(low) >= 0 and all(along <= size for along, size in sizes)):
        return Ball(at[0], at[1], at[2], radius) if len(at) == 3 else Circle(at[0], at[1], radius)
    low, high = within(world, low), within(world, high)
    if len(at) == 3:
        wide, tall, deep = np.subtract(high, low).tolist()
        return Box(low[0], low[1], low[2], wide, tall, deep)
    return rectangle(low, high)


def is_inside(world: World, at: Place) -> bool:
    """Return whether an entity can be placed there."""
    settings = world.resource(Settings)
    return settings.edges == "open" or all(0 <= along < size for along, size in zip(at, settings.size, strict=False))


def within(world: World, at: Place) -> Place:
    """Clamp a place to the world, unless the world is open."""
    settings = world.resource(Settings)
    if settings.edges == "open":
        return at
    return tuple(min(max(along, 0.0), size) for along, size in zip(at, settings.size, strict=False))


def in_picture_plane(session: Session, spot: Spot) -> Spot:
    """Return a spot whose place is of two numbers: in a world with depth, where the line of sight meets its middle."""
    camera = session.camera
    if not isinstance(camera, SpaceCamera):
        return spot
    begin = None if spot.begin is None else in_picture_plane(session, spot.begin)
    eye, way = camera.ray(*spot.pixel)
    along = (camera.world_size[2] / 2 - eye[2]) / way[2] if way[2] else 0.0
    return replace(spot, place=(eye[0] + along * way[0], eye[1] + along * way[1]), begin=begin)


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
    """Draw the outline of a prefab's member at each of these places, (n, axes), u.

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
        along = ARROW * radius * np.array([math.cos(turn), math.sin(turn), 0.0])[: places.shape[1]]
        canvas.arrows(places - along, places + along, INK, 2.5)


def circle(canvas: Canvas, at: Place, radius: float, colour: Rgba) -> None:
    """Draw the circle of a round brush; `radius`: u."""
    canvas.discs(at, radius, thin(colour, FILL // 3))
    canvas.rings(at, radius, colour, 1.5, halo=0.4)


def outline(canvas: Canvas, begin: Place, end: Place, colour: Rgba) -> None:
    """Draw the rectangle between two opposite corners, u."""
    low, high = (begin, end) if len(begin) == 3 else (np.minimum(begin, end), np.maximum(begin, end))
    canvas.boxes(low, high, thin(colour, FILL // 2), colour, 1.5, halo=0.4)
