"""Measures of order of all that moves: polarization, milling and mean speed; sums in fixed point."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from components.motion import Motion, Position, Velocity
from components.store.world import World
from systems.engine.app import App
from systems.engine.kernel import inlined
from systems.engine.measures import Measures
from systems.engine.rows import PORTIONS, for_each_portion, portion_of
from systems.engine.settings import Settings
from systems.engine.system import PLACE, Phase, System
from systems.exact.fixed_point import SHARE_SCALE, VELOCITY_SCALE, fixed
from systems.exact.vector import cross, dot, length, read, scaled, sub, to_f64
from systems.space.centre import around_diamond, centre_along, on_diamond
from systems.space.torus import in_world, minimum_image

MEAN, ROUND, HEADING = range(3)  # the vectors that are summed up
POSITION_SCALE = float(1 << 22)  # a million coordinates of at most 1e6 u fit an int64 sum


class Order(System):
    """Polarization |mean unit(v)|, milling |mean unit(p - centre) × unit(v)|, mean speed of all that moves."""

    phase = Phase.MEASURE
    reads = (*PLACE, Velocity, Settings)
    adds = (Measures,)

    def applies(self, world: World) -> bool:
        return self.name in world.resource(Measures).wanted

    def run(self, world: World) -> None:
        world.resource(Measures).values |= order(world, world.table.rows(Position, Velocity, Motion))


def order(world: World, rows: NDArray[np.int32]) -> dict[str, float]:
    """Return the measures of order of these rows: "polarization" and "milling" from 0 to 1, "mean_speed" in u/s.

    The order of the rows changes no bit of them.

    Args:
        rows: int32 (n,), of entities with Position and Velocity; without rows all values are NaN.
    """
    if not len(rows):
        return dict.fromkeys(("mean_speed", "polarization", "milling"), math.nan)
    position, velocity = world.table.records(Position), world.table.records(Velocity)
    torus = world.resource(Settings).torus or (0.0,) * len(world.table.axes)
    position_scale = SHARE_SCALE if torus[0] else POSITION_SCALE
    speeds, vectors = np.zeros(PORTIONS, np.int64), np.zeros((PORTIONS, 3, len(torus)), np.int64)
    _sum_up(rows, position, velocity, torus, position_scale, speeds, vectors)
    place, around, heading = vectors.sum(axis=0)
    centre = tuple(
        centre_along(_mean(x, position_scale, rows), _mean(y, position_scale, rows), size)
        for x, y, size in zip(place, around, torus, strict=True)
    )
    turning = np.zeros((PORTIONS, 3), np.int64)
    _turning(rows, position, velocity, torus, centre, turning)
    headings, turns = ([_mean(along, SHARE_SCALE, rows) for along in sums] for sums in (heading, turning.sum(axis=0)))
    return {
        "mean_speed": _mean(speeds.sum(), VELOCITY_SCALE, rows),
        "polarization": min(_length(headings), 1.0),
        "milling": min(_length(turns), 1.0),
    }


def _length(vector: list[float]) -> float:
    return math.sqrt(sum(number * number for number in vector))


def _mean(total: np.int64, scale: float, rows: NDArray[np.int32]) -> float:
    """Return the mean of as many numbers as there are rows, from their sum in fixed point."""
    return float(total) / scale / len(rows)


@for_each_portion
def _sum_up(portion, rows, position, velocity, torus, position_scale, speeds, vectors):
    first, last = portion_of(portion, len(rows))
    for k in range(first, last):
        own = to_f64(read(velocity[rows[k]]))
        here = in_world(to_f64(read(position[rows[k]])), torus)
        place, around = on_diamond(here, torus), around_diamond(here, torus)
        speed = length(own)
        heading = scaled(own, 1.0 / speed if speed > 0.0 else 0.0)
        speeds[portion] += fixed(speed, VELOCITY_SCALE)
        for axis in range(len(own)):
            vectors[portion, MEAN, axis] += fixed(place[axis], position_scale)
            vectors[portion, ROUND, axis] += fixed(around[axis], position_scale)
            vectors[portion, HEADING, axis] += fixed(heading[axis], SHARE_SCALE)


@for_each_portion
def _turning(portion, rows, position, velocity, torus, centre, turning):
    first, last = portion_of(portion, len(rows))
    for k in range(first, last):
        offset = minimum_image(sub(in_world(to_f64(read(position[rows[k]])), torus), centre), torus)
        own = to_f64(read(velocity[rows[k]]))
        size = np.sqrt(dot(offset, offset) * dot(own, own))
        if size > 0.0:
            turn = _turn(offset, own)
            for axis in range(len(turn)):
                turning[portion, axis] += fixed(turn[axis] / size, SHARE_SCALE)


@inlined
def _turn(offset, velocity):
    """Return the cross product as a vector: in the plane it has one number."""
    return (cross(offset, velocity),) if len(offset) == 2 else cross(offset, velocity)


def install(app: App) -> None:
    app.add_component(Position, Motion)
    app.add_system(Order)
