"""What a line of sight meets in a world with depth: obstacles, which are balls or pillars, walls, and the floor."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from components.motion import Position
from components.store.world import World
from components.terrain import Obstacle, Wall
from sandbox.app.drawing.backdrops import BACKDROPS, SPACE
from sandbox.app.drawing.places import ends
from sandbox.app.drawing.space.camera import SpaceCamera, Vector, vector
from systems.engine.settings import Settings

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]
LEAST = 1e-9  # instead of 0: how fast a line that runs along a side or a pillar comes nearer to it


def solids_met(world: World, begin: ArrayLike, way: ArrayLike) -> tuple[Rows, Floats]:
    """Return the rows of obstacles and walls that a line of sight enters, and how far along it each does, u.

    Args:
        begin, way: where the line begins, u, and its direction, a unit vector; (3,) each.
    """
    start, along = np.asarray(begin, np.float64), np.asarray(way, np.float64)
    table = world.table
    round_, walls = (table.rows(*kinds).astype(np.int64) for kinds in ((Position, Obstacle), (Wall,)))
    found = _round(world, round_, start, along), _walls(world, walls, start, along)
    enters, leaves = (np.concatenate(both) for both in zip(*found, strict=True))
    met = (enters < leaves) & (enters > 0)
    return np.concatenate([round_, walls])[met], enters[met]


def before_solids(world: World, camera: SpaceCamera, pixel: tuple[float, float], place: Vector) -> Vector:
    """Return where the line of sight through a pixel to a place first meets something solid; else the place; u."""
    begin, way = map(np.array, camera.ray(*pixel))
    _, far = solids_met(world, begin, way)
    nearest = far.min(initial=np.inf)
    return vector(begin + nearest * way) if nearest < (np.array(place) - begin) @ way else place


def above_floor(world: World, camera: SpaceCamera, pixel: tuple[float, float], place: Vector) -> Vector:
    """Return where the line of sight through a pixel to a place below the floor meets it from above; else the place; u.

    Space has no floor.
    """
    begin, way = map(np.array, camera.ray(*pixel))
    up = "xyz".index(camera.up)
    if BACKDROPS[world.resource(Settings).backdrop].kind == SPACE or not place[up] < 0 < begin[up]:
        return place
    met = begin - begin[up] / way[up] * way
    met[up] = 0.0
    return vector(met)


def _round(world: World, rows: Rows, begin: Floats, way: Floats) -> tuple[Floats, Floats]:
    """Return how far along the line enters obstacles, and leaves them; (n,) each, u."""
    columns = world.table.columns
    offset = begin - world.table.stacked("Position", rows).astype(np.float64)
    ways = np.broadcast_to(way, offset.shape).copy()
    pillars = columns["Obstacle.pillar"][rows].astype(bool)
    offset[pillars, 2] = ways[pillars, 2] = 0.0  # a pillar is a circle through the whole depth
    far, toward = np.maximum((ways * ways).sum(axis=1), LEAST**2), (offset * ways).sum(axis=1)
    inner = toward**2 - far * ((offset * offset).sum(axis=1) - columns["Obstacle.radius"][rows].astype(np.float64) ** 2)
    half = np.where(inner > 0, np.sqrt(np.maximum(inner, 0.0)), np.nan)
    enters, leaves = (-toward - half) / far, (-toward + half) / far
    first, last = _through_depth(world, begin, way)
    return np.where(pillars, np.maximum(enters, first), enters), np.where(pillars, np.minimum(leaves, last), leaves)


def _walls(world: World, rows: Rows, begin: Floats, way: Floats) -> tuple[Floats, Floats]:
    """Return how far along the line enters walls, and leaves them; (n,) each, u."""
    one, other = ends(world, rows)
    half = world.table.columns["Wall.thickness"][rows].astype(np.float64) / 2
    length = np.hypot(*(other - one).T)
    along = (other - one) / np.where(length > 0, length, 1.0)[:, None]
    across = np.column_stack([-along[:, 1], along[:, 0]])
    offset = begin[:2] - one
    by_length = _through((offset * along).sum(axis=1), along @ way[:2], -half, length + half)
    by_thickness = _through((offset * across).sum(axis=1), across @ way[:2], -half, half)
    first, last = _through_depth(world, begin, way)
    enters, leaves = (by_length[0], by_thickness[0]), (by_length[1], by_thickness[1])
    return np.maximum(np.maximum(*enters), first), np.minimum(np.minimum(*leaves), last)


def _through_depth(world: World, begin: Floats, way: Floats) -> tuple[Floats, Floats]:
    return _through(begin[2:], way[2:], 0.0, world.resource(Settings).depth)


def _through(begin: Floats, way: Floats, low: Floats | float, high: Floats | float) -> tuple[Floats, Floats]:
    """Return how far along a line enters what lies between two coordinates, and leaves it."""
    slow = np.where(np.abs(way) > LEAST, way, LEAST)
    sides = (low - begin) / slow, (high - begin) / slow
    return np.minimum(*sides), np.maximum(*sides)
