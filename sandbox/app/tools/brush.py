"""Geometry and previews shared by tools: places along a stroke, line or rectangle, clamping to the world, outlines."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from components.store.world import World
from components.wind import GUST, UNIFORM, Wind
from sandbox.app.drawing.colours import Rgba, rgb_of
from sandbox.app.drawing.space.camera import SpaceCamera
from sandbox.app.session.tool import Place, Spot
from sandbox.design.scene import PLACE_X, PLACE_Y, Ball, Box, Circle, Rect
from sandbox.render.things import AIR, COLOURS
from systems.engine.settings import Settings
from systems.exact.random import random_units

if TYPE_CHECKING:
    from sandbox.app.drawing.canvas import Canvas
    from sandbox.app.session.session import Session

MOST = 1000  # places per line or rectangle
BODIES = ("Look.size", "Obstacle.radius", "Food.radius", "Wind.radius")
Places = NDArray[np.float64]
INK: Rgba = (245, 240, 230, 230)
DANGER: Rgba = (255, 120, 100, 230)
ROUNDING = 1e-6  # u
LEAST_SLOPE = 0.01  # of a line of sight toward the middle of a world with depth
LEAST = 4.0  # pixels: the minimum radius of a ghost
ROOM = 2.0  # times the radius of a body: of the part of a circle or ball that each of many gets
CROSS = 7.0  # pixels: half the side of a cross
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


def screen_axes(session: Session) -> Places:
    """Return the unit vectors to the right and upward on the screen, (2, axes)."""
    camera = session.camera
    return camera.axes[:2] if isinstance(camera, SpaceCamera) else np.eye(2)


def sides(session: Session, begin: Place, end: Place) -> Places:
    """Return the sides of a rectangle that faces the viewer, from one corner toward the opposite one, (2, axes), u."""
    axes = screen_axes(session)
    made: Places = (axes @ np.subtract(end, begin))[:, None] * axes
    return made


def rows_of_places(world: World, begin: Place, sides: Places, step: float) -> Places:
    """Return evenly spaced places in a rectangle, at least `step` apart, those in the world: (n, axes), u.

    Args:
        begin, sides: one corner, u, and see `sides`.
    """
    lengths = np.linalg.norm(sides, axis=1)
    while True:
        columns, lines = (int(length / step + 1e-9) for length in lengths)
        if (columns + 1) * (lines + 1) <= MOST:
            break
        step *= 1.05
    across, upward = (
        np.linspace(np.zeros(len(begin)), side, count + 1) for side, count in zip(sides, (columns, lines), strict=True)
    )
    return _those_within(world, (begin + upward[:, None] + across).reshape(-1, len(begin)))


def strewn(world: World, begin: Place, sides: Places, step: float) -> Places:
    """Return random places in a rectangle, on average one in a square of `step`, those in the world: (n, axes), u.

    Args:
        begin, sides: one corner, u, and see `sides`.
    """
    count = min(number_in(sides, step), MOST)
    serials = np.arange(world.next_serial, world.next_serial + count, dtype=np.int64)
    shares = np.column_stack([random_units(world.seed, serials, stream) for stream in (PLACE_X, PLACE_Y)])
    return _those_within(world, begin + shares @ sides)


def number_in(sides: Places, step: float) -> int:
    """Return how many squares of `step` (u) a rectangle is as large as; at least 1."""
    return max(round(float(np.linalg.norm(sides, axis=1).prod()) / step**2), 1)


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


def _those_within(world: World, places: Places) -> Places:
    """Return those of the places, (n, axes), that lie in the world; an open world holds them all."""
    settings = world.resource(Settings)
    if settings.edges == "open":
        return places
    nearest = np.clip(places, 0.0, settings.size)
    found: Places = nearest[np.abs(places - nearest).max(axis=1) <= ROUNDING]
    return found


def in_picture_plane(session: Session, spot: Spot) -> Spot:
    """Return a spot whose place is of two numbers: in a world with depth, where the line of sight meets its middle.

    One that does not meet it, or far away, is lowered until it does, so that no place lies behind the viewer.
    """
    camera = session.camera
    if not isinstance(camera, SpaceCamera):
        return spot
    begin = None if spot.begin is None else in_picture_plane(session, spot.begin)
    eye, way = camera.ray(*spot.pixel)
    toward = camera.world_size[2] / 2 - eye[2]
    along = abs(toward) / max(math.copysign(way[2], way[2] * toward), LEAST_SLOPE)
    return replace(spot, place=(eye[0] + along * way[0], eye[1] + along * way[1]), begin=begin)


def body(world: World, prefab: str, least: float = 1.0) -> float:
    """Return the radius of a prefab's members, u; at least `least`, also if they have none."""
    own, values = world.prefabs[prefab].components, world.prefabs[prefab].values()
    keys = [key for key in BODIES if key.split(".")[0] in own]
    return max(least, *(float(values.get(key, world.table.field(key).default)) for key in keys), 0.0)


def filled_radius(session: Session) -> float:
    """Return the radius of what a click of the tool in use fills, u: that of the brush, or what the bodies need.

    The latter only for more than the tool places by default, so that a handful is as wide as the brush in every scene.
    """
    hand = session.hand
    radius, chosen = hand.brush_radius(session), hand.prefab(session)
    if chosen is None or hand.spread or hand.count <= hand.used.count:
        return radius
    axes = len(hand.spot(session).place)
    return max(radius, ROOM * body(session.simulation.world, chosen, least=0.0) * math.pow(hand.count, 1 / axes))


def tint(world: World, prefab: str) -> Rgba:
    """Return the colour of a prefab, with the opacity of a ghost's line."""
    colour = int(world.prefabs[prefab].values().get("Look.colour", COLOURS[AIR]))
    return (*rgb_of(colour), LINE)


def thin(colour: Rgba, alpha: int) -> Rgba:
    """Return a colour with another opacity, 0 to 255."""
    return (*colour[:3], alpha)


def ghost(
    canvas: Canvas, world: World, prefab: str, places: ArrayLike, values: Mapping[str, Any] = MappingProxyType({})
) -> None:
    """Draw the outline of a prefab's member at each of these places, (n, axes), u.

    Args:
        values: by field key, what it has instead of the prefab's values.
    """
    places, colour = np.atleast_2d(places), tint(world, prefab)
    radius = max(body(world, prefab), LEAST * canvas.pixel)
    canvas.discs(places, radius, thin(colour, FILL))
    canvas.rings(places, radius, thin(INK, LINE), 1.2, halo=0.3)
    own = {**world.prefabs[prefab].values(), **values}
    is_wind = Wind.__name__ in world.prefabs[prefab].components
    if is_wind and own.get("Wind.kind", UNIFORM) in (UNIFORM, GUST):
        turn, rise = (math.radians(own.get(f"Wind.{name}", 0.0)) for name in ("direction", "tilt"))
        way = np.array([math.cos(turn), math.sin(turn)])
        if places.shape[1] == 3:
            way = np.array([*(math.cos(rise) * way), math.sin(rise)])
        along = ARROW * radius * way
        canvas.arrows(places - along, places + along, INK, 2.5)


def circle(canvas: Canvas, at: Place, radius: float, colour: Rgba) -> None:
    """Draw the circle of a round brush; `radius`: u."""
    canvas.discs(at, radius, thin(colour, FILL // 3))
    canvas.rings(at, radius, colour, 1.5, halo=0.4)


def cross(canvas: Canvas, session: Session, at: Place) -> None:
    """Draw a cross where nothing can be placed."""
    across, upward = screen_axes(session) * CROSS / session.camera.size_at(*at)
    for way in (across + upward, across - upward):
        canvas.lines(at - way, at + way, DANGER, 2.5, halo=0.5)


def outline(canvas: Canvas, begin: Place, end: Place, colour: Rgba) -> None:
    """Draw the rectangle between two opposite corners, u."""
    low, high = (begin, end) if len(begin) == 3 else (np.minimum(begin, end), np.maximum(begin, end))
    canvas.boxes(low, high, thin(colour, FILL // 2), colour, 1.5, halo=0.4)
