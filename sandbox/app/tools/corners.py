"""Corners of walls: those of a path that a hand has drawn, and ends of walls that a new one joins."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from components.store.world import World
from components.terrain import Wall
from sandbox.app.drawing.places import ends
from sandbox.app.session.tool import Place
from systems.engine.settings import Settings
from systems.space.torus import minimum_images

TURNS = 8


def simplified(path: Sequence[Place], tolerance: float) -> list[Place]:
    """Return the corners of a path, from its first to its last place.

    It never leaves the lines between them by more than `tolerance`, u (Ramer, Douglas and Peucker's algorithm).
    """
    places = np.array(path)
    kept, parts = {0, len(path) - 1}, [(0, len(path) - 1)]
    while parts:
        first, last = parts.pop()
        if last - first > 1:
            away = _distances(places[first + 1 : last], places[first], places[last])
            farthest = int(away.argmax())
            if away[farthest] > tolerance:
                corner = first + 1 + farthest
                kept.add(corner)
                parts += [(first, corner), (corner, last)]
    return [path[index] for index in sorted(kept)]


def _distances(places: np.ndarray, begin: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Return the distances of places, (n, 2), from the line between two others."""
    along, offsets = end - begin, places - begin
    share = np.clip(offsets @ along / max(float(along @ along), 1e-12), 0, 1)
    distances: np.ndarray = np.hypot(*(offsets - share[:, None] * along).T)
    return distances


def joined(world: World, at: Place, within: float, without: Place | None = None) -> Place | None:
    """Return the nearest end of a wall within `within` (u) of its rim, on a torus its copy near `at`; or None.

    Args:
        without: a place that is not meant, because the new wall begins there.
    """
    rows = world.table.rows(Wall).astype(np.int64)
    begin, end = ends(world, rows)
    half = np.tile(world.table.records(Wall)[rows]["thickness"] / 2, 2)
    offsets = minimum_images(np.concatenate([begin, end]) - at, world.resource(Settings).torus)
    distances = np.hypot(offsets[:, 0], offsets[:, 1])
    places = at + offsets
    meant = distances <= within + half
    if without is not None:
        meant &= np.hypot(*(places - without).T) > 1e-3
    if not meant.any():
        return None
    x, y = places[np.where(meant, distances, np.inf).argmin()].tolist()
    return x, y


def straight(begin: Place, end: Place) -> Place:
    """Turn a wall into the nearest of the eight directions, keeping its length; return its new end."""
    turn = round(math.atan2(end[1] - begin[1], end[0] - begin[0]) / math.tau * TURNS) / TURNS * math.tau
    length = math.dist(begin, end)
    return begin[0] + length * math.cos(turn), begin[1] + length * math.sin(turn)
