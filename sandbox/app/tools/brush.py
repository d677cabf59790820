"""Where things go: along a stroke, in a line, in a rectangle, within a world's edges."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from components.store.world import World
from sandbox.app.session.tool import Place
from sandbox.design.scene import Circle, Rect
from sandbox.edit import find_field
from systems.engine.settings import Settings

MOST = 1000  # places of a line or a rectangle
BODIES = ("Look.size", "Obstacle.radius", "Food.radius", "Wind.radius")
Places = NDArray[np.float64]


def stroke(begin: Place, end: Place, step: float) -> Iterator[Place]:
    """Places `step` apart on the way from `begin` (left out) to `end`, so that a quick drag leaves no gap."""
    distance = math.dist(begin, end)
    for n in range(1, int(distance / step) + 1):
        share = n * step / distance
        yield begin[0] + share * (end[0] - begin[0]), begin[1] + share * (end[1] - begin[1])


def line(begin: Place, end: Place, step: float) -> Places:
    """Places evenly spaced from one to another, both among them, no nearer than `step`: (n, 2), u."""
    gaps = min(int(math.dist(begin, end) / step + 1e-9), MOST - 1)
    return np.linspace(begin, end, gaps + 1)


def grid(begin: Place, end: Place, step: float) -> Places:
    """Places evenly spaced in a rectangle between two corners, no nearer than `step`: (n, 2), u."""
    sides = [abs(end[axis] - begin[axis]) for axis in (0, 1)]
    while True:
        columns, lines = (int(side / step + 1e-9) for side in sides)
        if (columns + 1) * (lines + 1) <= MOST:
            break
        step *= 1.05
    x, y = np.linspace(begin[0], end[0], columns + 1), np.linspace(begin[1], end[1], lines + 1)
    return np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)


def rectangle(begin: Place, end: Place) -> Rect:
    """That between two corners."""
    low = min(begin[0], end[0]), min(begin[1], end[1])
    return Rect(*low, abs(end[0] - begin[0]), abs(end[1] - begin[1]))


def patch(world: World, at: Place, radius: float) -> Circle | Rect:
    """What of a circle (u) lies in the world: at its edges the rectangle around that."""
    settings = world.resource(Settings)
    low, high = (at[0] - radius, at[1] - radius), (at[0] + radius, at[1] + radius)
    if settings.edges in ("wrap", "open") or (
        min(low) >= 0 and high[0] <= settings.width and high[1] <= settings.height
    ):
        return Circle(*at, radius)
    return rectangle(within(world, low), within(world, high))


def is_inside(world: World, at: Place) -> bool:
    """Whether something can be placed there."""
    settings = world.resource(Settings)
    return settings.edges == "open" or (0 <= at[0] < settings.width and 0 <= at[1] < settings.height)


def within(world: World, at: Place) -> Place:
    """The nearest place of a world that has edges."""
    settings = world.resource(Settings)
    if settings.edges == "open":
        return at
    return min(max(at[0], 0.0), settings.width), min(max(at[1], 0.0), settings.height)


def body(world: World, prefab: str) -> float:
    """How far one of a prefab reaches from its place, u."""
    own, values = world.prefabs[prefab].components, world.prefabs[prefab].values()
    keys = [key for key in BODIES if key.split(".")[0] in own]
    return max(1.0, *(float(values.get(key, find_field(world, key).default)) for key in keys), 0.0)
