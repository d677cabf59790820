"""The obstacles of a world: the circles of `Obstacle` and the walls, indexed by cell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.motion import Position
from components.store.world import World
from components.terrain import Obstacle, Wall
from systems.engine.settings import Settings
from systems.space.clearance import Clearance, clearance_of
from systems.space.grid import Grid, build_grid
from systems.space.shape_index import ShapeIndex, Shapes, build_shape_index

f32, f64, i32 = np.float32, np.float64, np.int32
CLEARANCE = 4.0  # u, the distance from shapes that steering keeps; each cell lists all shapes within it
SPACE_AHEAD = 0.5  # of the mean spacing of shapes: most entities look ahead less far, and few shapes are within it
LEAST_SKIN = 0.004  # u
USED_OF_CIRCLES = ("Position.x", "Position.y", "Obstacle.radius")
USED_OF_WALLS = ("Wall.ax", "Wall.ay", "Wall.bx", "Wall.by", "Wall.thickness")
MOST_ROUNDS = 4  # the most times that a wall may wrap around a torus along an axis; the rest is cut off
STEPS_IN_SKIN = 4  # float32 spacings of the largest coordinate: a move and a wrap each round by less than one


@dataclass
class Obstacles:
    """The obstacles and walls of a world.

    Attributes:
        made_of: the settings and values from which the rest was computed; the cache key.
        bare_at: the version of the table's lists at which there were no shapes; else 0.
        shapes: circles and walls, in order of serial.
        largest: the world's largest coordinate, u.
        index: the shapes by cell; each cell lists those within CLEARANCE and the skin of it.
        ahead: the same for looking ahead: each cell also lists shapes that are farther by half their mean spacing.
        clearance: lower bounds for the distance from any place to the nearest shape.
        skin: u, the distance from a shape at which moves end, so that rounding never puts an entity inside.
        middles: the centres of the circles, by cell; its `row` counts circles, not rows of the table.
        full: whether they leave nothing of the world free; None: not known.
    """

    made_of: tuple[Any, ...]
    shapes: Shapes
    largest: float
    index: ShapeIndex
    ahead: ShapeIndex
    clearance: Clearance
    skin: float
    middles: Grid
    bare_at: tuple[int, ...] = ()
    full: bool | None = None

    def __bool__(self) -> bool:
        return len(self.shapes.radius) > 0


def obstacles_of(world: World) -> Obstacles:
    """Return the present obstacles: the same object as before, if nothing about them has changed."""
    kept: Obstacles | None = world.resources.get(Obstacles)
    settings: Any = world.resource(Settings)
    table = world.table
    bare = table.clocks(members=(Position, Obstacle, Wall))
    made_of: tuple[Any, ...] = (settings.stored,)
    if kept is not None and kept.bare_at == bare and kept.made_of == made_of:
        return kept
    for components, used in (((Position, Obstacle), USED_OF_CIRCLES), ((Wall,), USED_OF_WALLS)):
        if len(rows := table.rows(*components)):
            made_of += table.serial[rows].tobytes(), *(table.columns[key][rows].tobytes() for key in used)
    if kept is None or kept.made_of != made_of:
        shapes = _shapes(world)
        extent = float(np.abs(shapes.ends).max(initial=0) + shapes.radius.max(initial=0))
        largest = max(settings.width, settings.height, extent)
        if kept is None or kept.largest != largest or kept.shapes != shapes:
            kept = world.resources[Obstacles] = _built(made_of, shapes, largest)
        kept.full = None
    kept.made_of, kept.bare_at = made_of, () if kept else bare
    return kept


def _shapes(world: World) -> Shapes:
    """Return all circles and walls, in order of serial."""
    table, torus = world.table, world.resource(Settings).torus
    circles, walls = table.rows(Position, Obstacle), table.rows(Wall)
    serial = np.concatenate([table.serial[circles], table.serial[walls]])
    middle = [table.columns[f"Position.{axis}"][circles] for axis in "xyxy"]
    line = [table.columns[f"Wall.{end}"][walls] for end in ("ax", "ay", "bx", "by")]
    ends = np.concatenate([np.stack(middle, axis=1), np.stack(line, axis=1)]).astype(f64)
    half = table.columns["Wall.thickness"][walls].astype(f64) / 2
    radius = np.concatenate([table.columns["Obstacle.radius"][circles].astype(f64), half])
    order = np.argsort(serial, kind="stable")
    ends, radius = ends[order], radius[order]
    if torus:
        _shorten(ends, torus)
    return Shapes(ends, radius, torus)


def _shorten(ends: NDArray[np.float64], torus: tuple[float, float]) -> None:
    """Cut off walls that wrap around a torus more than MOST_ROUNDS times: cells would list them very often."""
    along = ends[:, 2:] - ends[:, :2]
    rounds = (np.abs(along) / torus).max(axis=1)
    long = rounds > MOST_ROUNDS
    ends[long, 2:] = ends[long, :2] + along[long] * (MOST_ROUNDS / rounds[long, None])


def _built(made_of: tuple[Any, ...], shapes: Shapes, largest: float) -> Obstacles:
    ends, torus = shapes.ends, shapes.torus
    skin = max(LEAST_SKIN, STEPS_IN_SKIN * float(np.spacing(f32(largest))))
    index = build_shape_index(shapes, CLEARANCE + skin)
    area = index.cells_x / index.per_x * (index.cells_y / index.per_y) if len(ends) else 0.0
    space = (area / max(len(ends), 1)) ** 0.5
    ahead = build_shape_index(shapes, CLEARANCE + skin + SPACE_AHEAD * space)
    middles = ends[(ends[:, :2] == ends[:, 2:]).all(axis=1), :2]
    if torus:
        middles = middles - np.floor(middles / torus) * torus
    places = tuple(middles.astype(f32).T.copy())
    grid = build_grid(np.arange(len(middles), dtype=i32), places, 0, torus)
    return Obstacles(made_of, shapes, largest, index, ahead, clearance_of(ahead), skin, grid)
