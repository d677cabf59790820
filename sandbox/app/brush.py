"""The brush: what the mouse does to the world, as commands."""

from __future__ import annotations

import math
from collections.abc import Iterator

from components.store.world import World
from sandbox.commands import Command, Erase, Spawn
from sandbox.scene import Circle, Entry
from systems.core.settings import Settings

RADIUS = 28.0  # pixels
HANDFUL = 12  # boids

Place = tuple[float, float]  # u


def place(world: World, at: Place, radius: float) -> Command:
    """A handful of the scene's first prefab within a circle (u), each with its own heading.

    Raises:
        ValueError: the scene has no prefab, or the place lies outside a world that has edges.
    """
    settings = world.resource(Settings)
    inside = 0 <= at[0] < settings.width and 0 <= at[1] < settings.height
    if not inside and settings.edges != "open":
        raise ValueError("that is outside the world")
    if not world.prefabs:
        raise ValueError("this scene has no prefab to place")
    return Spawn(Entry(next(iter(world.prefabs)), HANDFUL, area=Circle(*at, radius)))


def erase(at: Place, radius: float) -> Command:
    """Everything within a circle (u) goes."""
    return Erase(*at, radius)


def stroke(begin: Place, end: Place, step: float) -> Iterator[Place]:
    """Places `step` apart on the way from `begin` (left out) to `end`, so that a quick drag leaves no gap."""
    distance = math.dist(begin, end)
    for n in range(1, int(distance / step) + 1):
        share = n * step / distance
        yield begin[0] + share * (end[0] - begin[0]), begin[1] + share * (end[1] - begin[1])
