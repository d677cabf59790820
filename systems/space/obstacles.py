"""The obstacles of a world: the circles or balls of `Obstacle` and the walls, by cell; and whether all are outside."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from components.life import Food
from components.motion import Position, Velocity
from components.store.fields import DEEP
from components.store.table import EntityTable
from components.store.world import World
from components.terrain import Obstacle, Wall
from systems.engine.cached import cached
from systems.engine.pipeline import Pipeline
from systems.engine.settings import Settings
from systems.space.bounds import box_of
from systems.space.capsule_index import Capsules, build_capsule_index, index_axes
from systems.space.clearance import clearance_of
from systems.space.grid import build_grid
from systems.space.solids import SolidClearance, SolidMiddles, Solids, joined

f32, f64, i32 = np.float32, np.float64, np.int32
CLEARANCE = 4.0  # u, the distance from capsules that steering keeps; each cell lists all capsules within it
SPACE_AHEAD = 0.5  # of the mean spacing of capsules: most entities look ahead less far, and few capsules are within it
LEAST_SKIN = 0.004  # u
CIRCLE = "Position.x", "Position.y", "Obstacle.radius"
BALL = "Position.x", "Position.y", "Position.z", "Obstacle.radius"
WALL = "Wall.ax", "Wall.ay", "Wall.bx", "Wall.by", "Wall.thickness"
MOST_ROUNDS = 4  # the most times that a wall may wrap around a torus along an axis; the rest is cut off
MOVES = {"push_out", "remember", "movement", "bounce", "collision", "wrap"}  # systems that together leave all free
STEPS_IN_SKIN = 4  # float32 spacings of the largest coordinate: a move and a wrap each round by less than one


@dataclass(frozen=True, eq=False)
class Obstacles:
    """The obstacles and walls of a world; false if there are none.

    Attributes:
        capsules: circles and walls, in order of serial; with depth, the pillars and walls.
        balls: the other obstacles of a world with depth, in order of serial; None in a flat world.
        near: all of them by cell, `solids`; each cell lists those within CLEARANCE and the skin of it.
        ahead: the same for looking ahead: each cell also lists those that are farther by half their mean spacing.
        clearance: lower bounds for the distance from any place to the nearest of them.
        skin: u, the distance at which moves end, so that rounding never puts an entity inside.
        middles: the centres of the circles by cell, and with depth those of the pillars, and of the balls.
    """

    capsules: Capsules
    balls: Capsules | None
    near: Any
    ahead: Any
    clearance: Any
    skin: float
    middles: Any

    def __bool__(self) -> bool:
        return len(self.capsules.radius) > 0 or (self.balls is not None and len(self.balls.radius) > 0)

    def fit(self, axes: str, torus: tuple[float, ...] | None) -> bool:
        """Return whether they are stored as in a world with these axes, on this torus or none."""
        if axes == DEEP:
            return self.balls is not None and self.balls.torus == torus
        return self.balls is None and self.capsules.torus == torus


def obstacles_of(world: World) -> Obstacles:
    """Return the present obstacles: the same object as before, if nothing about them has changed."""
    table, settings, known = world.table, world.resource(Settings), world.resources.get(Obstacles)
    bare = not len(table.rows(Wall)) and not len(table.rows(Position, Obstacle))
    torus = settings.torus
    if bare and known is not None and not known and known.fit(table.axes, torus):
        return cast(Obstacles, known)  # as in most worlds in every tick
    walls, rows, balls = _walls(table, table.clocks(Wall)), table.rows_by_serial(Position, Obstacle), None
    if table.axes == DEEP:
        pillar = table.columns["Obstacle.pillar"][rows]
        rows, balls = rows[pillar], _values(table, rows[~pillar], BALL)
    return _obstacles(table, _values(table, rows, CIRCLE), walls, balls, max(settings.size), torus)


class BySerial(NamedTuple):
    """Values of circles, walls or balls in the order of their serials.

    Attributes:
        serial: int64 (n,).
        values: float32 (fields, n), of CIRCLE, WALL or BALL.
    """

    serial: NDArray[np.int64]
    values: NDArray[np.float32]


def _values(table: EntityTable, rows: NDArray[np.int32], keys: tuple[str, ...]) -> BySerial:
    return BySerial(table.serial[rows], np.array([table.columns[key][rows] for key in keys]))


@cached
def _walls(table: EntityTable, _: tuple[int, ...]) -> BySerial:
    return _values(table, table.rows_by_serial(Wall), WALL)


@cached
def _obstacles(
    _: EntityTable,
    circle: BySerial,
    wall: BySerial,
    ball: BySerial | None,
    size: float,
    torus: tuple[float, ...] | None,
) -> Obstacles:
    """Return the obstacles of these circles or pillars, walls, and balls; `size`: the world's largest, u."""
    circles, walls = circle.values.astype(f64), wall.values.astype(f64)
    order = np.argsort(np.concatenate([circle.serial, wall.serial]), kind="stable")
    ends = np.ascontiguousarray(np.concatenate([circles[[0, 1, 0, 1]], walls[:4]], axis=1).T[order])
    radius = np.concatenate([circles[2], walls[4] / 2])[order]
    plane = torus[:2] if torus else None  # they go through the whole depth
    if plane:
        _shorten(ends, plane)
    capsules, balls = Capsules(ends, radius, plane), None
    if ball is not None:
        numbers = ball.values.astype(f64)
        balls = Capsules(np.ascontiguousarray(numbers[[0, 1, 2, 0, 1, 2]].T), numbers[3], torus)
    every = [capsules] if balls is None else [capsules, balls]
    reach = (float(np.abs(each.ends).max(initial=0) + each.radius.max(initial=0)) for each in every)
    skin = max(LEAST_SKIN, STEPS_IN_SKIN * float(np.spacing(f32(max([size, *reach])))))
    margin = CLEARANCE + skin
    near = [build_capsule_index(each, margin) for each in every]
    ahead = [build_capsule_index(each, margin + SPACE_AHEAD * _spacing(each, own)) for each, own in zip(every, near)]
    clear, middles = [clearance_of(own) for own in ahead], [_middles(each) for each in every]
    return Obstacles(
        capsules, balls, joined(Solids, near), joined(Solids, ahead), joined(SolidClearance, clear), skin,
        joined(SolidMiddles, middles),
    )  # fmt: skip


def _spacing(capsules: Capsules, index: Any) -> float:
    """Return the mean distance between capsules, u."""
    axes, count = index_axes(index), len(capsules.ends)
    if not count:
        return 0.0
    room = prod(float(axis.cells / axis.per_u) for axis in axes)
    return float((room / count) ** (1 / len(axes)))


def _shorten(ends: NDArray[np.float64], torus: tuple[float, ...]) -> None:
    """Cut off walls that wrap around a torus more than MOST_ROUNDS times: cells would list them very often."""
    along = ends[:, 2:] - ends[:, :2]
    rounds = (np.abs(along) / torus).max(axis=1)
    long = rounds > MOST_ROUNDS
    ends[long, 2:] = ends[long, :2] + along[long] * (MOST_ROUNDS / rounds[long, None])


def _middles(capsules: Capsules) -> Any:
    begin, end = np.split(capsules.ends, 2, axis=1)
    middles = begin[(begin == end).all(axis=1)]
    if capsules.torus:
        middles = middles - np.floor(middles / capsules.torus) * capsules.torus
    return build_grid(np.arange(len(middles), dtype=i32), tuple(middles.astype(f32).T.copy()), 0, capsules.torus)


class AllFree(NamedTuple):
    """What told the last moment when no animal or food was inside a capsule or outside the world; a resource if known.

    Attributes:
        clocks: those of Position, and of the membership of Velocity and Food: who gains one is pushed out from then on.
        obstacles, box: those of the world; the same obstacles are the same object.
    """

    clocks: tuple[int, ...]
    obstacles: Obstacles
    box: Any

    @classmethod
    def now(cls, world: World) -> AllFree:
        """Return what tells of now, whether all are free or not."""
        return cls(_clocks(world.table), obstacles_of(world), box_of(world.resource(Settings)))


def _clocks(table: EntityTable) -> tuple[int, ...]:
    return table.clocks(Position, membership=(Velocity, Food))


def keep_all_free(world: World) -> None:
    """Note at the end of a tick that all are still free, if they were so in COMMANDS.

    That is so if nobody but the systems of MOVES changed positions since: a move from a free place ends at a free one.
    Capsules that moved are noticed in the next COMMANDS.
    """
    known = world.resources.pop(AllFree, None)
    if known is None:
        return
    if {system.name for system in world.resource(Pipeline).changing[Position.__name__] if system.enabled} == MOVES:
        world.resources[AllFree] = AllFree(_clocks(world.table), known.obstacles, known.box)
