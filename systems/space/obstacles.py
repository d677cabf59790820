"""Everything that nobody gets into: the circles of Obstacle and the walls, by the cells they lie in."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from components.motion import Position
from components.store.world import World
from components.terrain import Obstacle, Wall
from systems.engine.settings import Settings
from systems.space.grid import Grid, build_grid
from systems.space.shape_index import ShapeIndex, build_shape_index

f32, f64, i32 = np.float32, np.float64, np.int32
CLEARANCE = 4.0  # u, how near steering likes anyone to come; cells note what is that near
SPACE_AHEAD = 0.5  # of the mean distance between shapes: most see no farther, and few shapes are that near
LEAST_SKIN = 0.004  # u
MOST_ROUNDS = 4  # of a torus that a wall leads along each axis; it ends there
STEPS_IN_SKIN = 4  # float32 steps of the largest coordinate: moving and wrapping each round by less than one


@dataclass(frozen=True)
class Obstacles:
    """The shapes of a world, in order of serial.

    Attributes:
        ends: float64 (n, 4), ax, ay, bx, by of each; a circle begins and ends in its middle.
        radius: float64 (n,), of a circle, or half of a wall's thickness, u.
        torus: width and height, as float32 holds them, of a world that repeats, or None.
        largest: the world's largest coordinate, u.
        index: the shapes by cell, with those nearer than CLEARANCE and the skin.
        ahead: the same for those who look ahead: with shapes as near as half the space that each has on average.
        skin: u, how far from a shape moves end, so that no rounding ever puts anyone inside.
        middles: the middles of the circles, by cell; its `row` counts circles, not rows of the table.
    """

    ends: NDArray[np.float64]
    radius: NDArray[np.float64]
    torus: tuple[float, float] | None
    largest: float
    index: ShapeIndex
    ahead: ShapeIndex
    skin: float
    middles: Grid

    def __bool__(self) -> bool:
        return len(self.radius) > 0


def obstacles_of(world: World) -> Obstacles:
    """The obstacles as they stand now; the resource itself while nothing about them has changed."""
    kept: Obstacles | None = world.resources.get(Obstacles)
    if kept is not None and not kept and not len(world.table.rows(Position, Obstacle)) + len(world.table.rows(Wall)):
        return kept
    settings = world.resource(Settings)
    torus = settings.torus
    ends, radius = _shapes(world)
    if torus:
        _shorten(ends, torus)
    extent = float(np.abs(ends).max(initial=0) + radius.max(initial=0))
    largest = max(settings.width, settings.height, extent)
    if (
        kept is None
        or (kept.torus, kept.largest) != (torus, largest)
        or not np.array_equal(kept.radius, radius)
        or not np.array_equal(kept.ends, ends)
    ):
        kept = world.resources[Obstacles] = _built(ends, radius, torus, largest)
    return kept


def _shapes(world: World) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Ends and radius of all circles and walls, by serial."""
    table = world.table
    circles, walls = table.rows(Position, Obstacle), table.rows(Wall)
    if not len(circles) + len(walls):
        return np.zeros((0, 4)), np.zeros(0)
    serial = np.concatenate([table.serial[circles], table.serial[walls]])
    middle = [table.columns[f"Position.{axis}"][circles] for axis in "xyxy"]
    line = [table.columns[f"Wall.{end}"][walls] for end in ("ax", "ay", "bx", "by")]
    ends = np.concatenate([np.stack(middle, axis=1), np.stack(line, axis=1)]).astype(f64)
    half = table.columns["Wall.thickness"][walls].astype(f64) / 2
    radius = np.concatenate([table.columns["Obstacle.radius"][circles].astype(f64), half])
    order = np.argsort(serial, kind="stable")
    return ends[order], radius[order]


def _shorten(ends: NDArray[np.float64], torus: tuple[float, float]) -> None:
    """A wall that winds round and round a small torus would be noted without end."""
    along = ends[:, 2:] - ends[:, :2]
    rounds = (np.abs(along) / torus).max(axis=1)
    long = rounds > MOST_ROUNDS
    ends[long, 2:] = ends[long, :2] + along[long] * (MOST_ROUNDS / rounds[long, None])


def _built(
    ends: NDArray[np.float64], radius: NDArray[np.float64], torus: tuple[float, float] | None, largest: float
) -> Obstacles:
    skin = max(LEAST_SKIN, STEPS_IN_SKIN * float(np.spacing(f32(largest))))
    index = build_shape_index(ends, radius, CLEARANCE + skin, torus)
    area = index.columns / index.per_x * (index.lines / index.per_y) if len(ends) else 0.0
    space = (area / max(len(ends), 1)) ** 0.5
    ahead = build_shape_index(ends, radius, CLEARANCE + skin + SPACE_AHEAD * space, torus)
    middles = ends[(ends[:, :2] == ends[:, 2:]).all(axis=1), :2]
    if torus:
        middles = middles - np.floor(middles / torus) * torus
    x, y = middles.astype(f32).T.copy()
    grid = build_grid(np.arange(len(x), dtype=i32), x, y, 0, torus)
    return Obstacles(ends, radius, torus, largest, index, ahead, skin, grid)
