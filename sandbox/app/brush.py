"""The brush: what the mouse does to the world, as commands."""

from __future__ import annotations

import math
from collections.abc import Iterator

from components.store.world import Prefab, World
from sandbox.app.tools import ROW, SEVERAL, Tool
from sandbox.commands import Command, Erase, Spawn, find_field
from sandbox.scene import Circle, Entry
from systems.core.settings import Settings

RADIUS = 28.0  # pixels
HANDFUL = 12  # boids
SHORTEST = 3.0  # pixels: a shorter wall was a slip of the hand

Place = tuple[float, float]  # u


def place(world: World, tool: Tool, at: Place, radius: float) -> Command:
    """What a tool places: one at a place, or a handful within a circle (u), each with its own heading.

    Raises:
        ValueError: the scene has no such prefab, or the place lies outside a world that has edges.
    """
    refuse_outside(world, at)
    name = tool.prefab(world.prefabs).name
    if tool.hand == SEVERAL:
        return Spawn(Entry(name, HANDFUL, area=Circle(*at, radius)))
    return Spawn(Entry(name, at=at))


def wall(world: World, tool: Tool, begin: Place, end: Place) -> Command:
    """A wall from one place to another.

    Raises:
        ValueError: the scene has no such prefab, or the wall begins outside a world that has edges.
    """
    refuse_outside(world, begin)
    return Spawn(Entry(tool.prefab(world.prefabs).name, points=(begin, end)))


def erase(at: Place, radius: float) -> Command:
    """Everything within a circle (u) goes."""
    return Erase(*at, radius)


def refuse_outside(world: World, at: Place) -> None:
    """Raises ValueError where nothing can be placed."""
    settings = world.resource(Settings)
    if settings.edges != "open" and not (0 <= at[0] < settings.width and 0 <= at[1] < settings.height):
        raise ValueError("that is outside the world")


def within(world: World, at: Place) -> Place:
    """The nearest place of a world that has edges."""
    settings = world.resource(Settings)
    if settings.edges == "open":
        return at
    return min(max(at[0], 0.0), settings.width), min(max(at[1], 0.0), settings.height)


def step(world: World, tool: Tool, radius: float) -> float:
    """How far apart (u) a drag places one after another, so that they don't pile up; infinite: one is all."""
    if tool.hand == SEVERAL:
        return radius
    return 2 * size(world, tool.prefab(world.prefabs), tool.component) if tool.hand == ROW else math.inf


def size(world: World, prefab: Prefab, component: str) -> float:
    """The radius (u) of a prefab's component, at least that of its Look."""
    values = prefab.values()
    keys = [f"{component}.radius", *(["Look.size"] if "Look" in prefab.components else [])]
    return max(1.0, *(float(values.get(key, find_field(world, key).default)) for key in keys))


def stroke(begin: Place, end: Place, step: float) -> Iterator[Place]:
    """Places `step` apart on the way from `begin` (left out) to `end`, so that a quick drag leaves no gap."""
    distance = math.dist(begin, end)
    for n in range(1, int(distance / step) + 1):
        share = n * step / distance
        yield begin[0] + share * (end[0] - begin[0]), begin[1] + share * (end[1] - begin[1])
