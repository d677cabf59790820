"""Order parameters of all that moves: polarization, milling and mean speed; sums in fixed point (`exact_sums.py`)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from components.motion import Motion, Position, Velocity
from components.store.world import World
from systems.engine.app import App
from systems.engine.kernel import inlined
from systems.engine.measures import Measures
from systems.engine.rows import PARTS, for_each_part, part_of
from systems.engine.settings import Settings
from systems.engine.system import Phase, System
from systems.exact.fixed_point import VELOCITY_SCALE, fixed
from systems.space.torus import minimum_image

SPEED, HEADING_X, HEADING_Y = 4, 5, 6
SHARE_SCALE = float(1 << 40)  # a million terms of at most 1 fit an int64 sum
PLACE_SCALE = float(1 << 22)  # a million coordinates of at most 1e6 u do


class Order(System):
    """Polarization |mean unit(v)|, milling |mean cross(unit(p - centre), unit(v))|, mean speed of all that moves."""

    phase = Phase.MEASURE
    reads = ("Position.x", "Position.y", Velocity, Settings)
    adds = (Measures,)

    def run(self, world: World) -> None:
        measures, table = world.resource(Measures), world.table
        if self.name not in measures.wanted:
            return
        measures.values |= order(world, table.rows(Position, Velocity, Motion))


def order(world: World, rows: NDArray[np.int32]) -> dict[str, float]:
    """Return the order parameters of these rows: "polarization" and "milling" from 0 to 1, "mean_speed" in u/s.

    The order of the rows changes no bit of them.

    Args:
        rows: int32 (n,), of entities with Position and Velocity; without rows all values are NaN.
    """
    if not len(rows):
        return dict.fromkeys(("mean_speed", "polarization", "milling"), math.nan)
    position, velocity = world.table.records(Position), world.table.records(Velocity)
    torus = world.resource(Settings).torus or (0.0, 0.0)
    place_scale = SHARE_SCALE if torus[0] else PLACE_SCALE
    sums = np.zeros((PARTS, 7), np.int64)
    _sums(rows, position, velocity, torus, place_scale, sums)
    scales = [*[place_scale] * 4, VELOCITY_SCALE, SHARE_SCALE, SHARE_SCALE]
    total = [float(n) / scale / len(rows) for n, scale in zip(sums.sum(axis=0), scales, strict=True)]
    centre = tuple(
        _place(total[2 * axis], total[2 * axis + 1], size) if size else total[2 * axis]
        for axis, size in enumerate(torus)
    )
    turning = np.zeros(PARTS, np.int64)
    _turning(rows, position, velocity, torus, centre, turning)
    return {
        "mean_speed": total[SPEED],
        "polarization": math.sqrt(total[HEADING_X] * total[HEADING_X] + total[HEADING_Y] * total[HEADING_Y]),
        "milling": float(abs(turning.sum())) / SHARE_SCALE / len(rows),
    }


@inlined
def _diamond(place, size):
    """Map a coordinate of a torus to a point on a diamond around the origin, as an angle maps to one on a circle."""
    t = place / size
    return abs(4.0 * t - 2.0) - 1.0, abs(4.0 * ((t + 0.75) % 1.0) - 2.0) - 1.0


def _place(x: float, y: float, size: float) -> float:
    """Return the coordinate whose diamond point lies in the direction (x, y): the mean coordinate on a torus."""
    around = abs(x) + abs(y)
    if around == 0:
        return 0.0
    t = (1 - x / around) / 4
    return float(size * (t if y >= 0 else 1 - t))


@for_each_part
def _sums(part, rows, position, velocity, torus, place_scale, sums):
    first, last = part_of(part, len(rows))
    for k in range(first, last):
        x, y = np.float64(position[rows[k]].x), np.float64(position[rows[k]].y)
        vx, vy = np.float64(velocity[rows[k]].x), np.float64(velocity[rows[k]].y)
        speed = np.sqrt(vx * vx + vy * vy)
        per = 1.0 / speed if speed > 0 else 0.0
        if torus[0] > 0:
            dx, dy = _diamond(x, torus[0])
            ex, ey = _diamond(y, torus[1])
        else:
            dx, dy, ex, ey = x, 0.0, y, 0.0
        sums[part, 0] += fixed(dx, place_scale)
        sums[part, 1] += fixed(dy, place_scale)
        sums[part, 2] += fixed(ex, place_scale)
        sums[part, 3] += fixed(ey, place_scale)
        sums[part, SPEED] += fixed(speed, VELOCITY_SCALE)
        sums[part, HEADING_X] += fixed(vx * per, SHARE_SCALE)
        sums[part, HEADING_Y] += fixed(vy * per, SHARE_SCALE)


@for_each_part
def _turning(part, rows, position, velocity, torus, centre, turning):
    first, last = part_of(part, len(rows))
    for k in range(first, last):
        dx, dy = position[rows[k]].x - centre[0], position[rows[k]].y - centre[1]
        dx, dy = minimum_image((dx, dy), torus)
        vx, vy = np.float64(velocity[rows[k]].x), np.float64(velocity[rows[k]].y)
        size = np.sqrt((dx * dx + dy * dy) * (vx * vx + vy * vy))
        turning[part] += fixed((dx * vy - dy * vx) / size, SHARE_SCALE) if size > 0 else 0


def install(app: App) -> None:
    app.add_component(Position, Velocity, Motion)
    app.add_system(Order)
