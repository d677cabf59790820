"""Order parameters of the flock: polarization, milling and mean speed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from components.flock import Flocker
from components.motion import Position, Velocity
from components.store.world import World
from systems.engine.app import App
from systems.engine.kernel import inlined
from systems.engine.measures import Measures
from systems.engine.settings import Settings
from systems.engine.system import Phase, System
from systems.space.parts import PARTS, for_each_part, part_of
from systems.space.torus import minimum_image

SPEED, HEADING_X, HEADING_Y = 4, 5, 6


class Order(System):
    """Polarization |mean unit(v)|, milling |mean cross(unit(p - centre), unit(v))|, mean speed."""

    phase = Phase.MEASURE
    reads = ("Position.x", "Position.y", Velocity, Flocker, Settings)
    adds = (Measures,)

    def run(self, world: World) -> None:
        measures, table = world.resource(Measures), world.table
        if self.name not in measures.wanted:
            return
        measures.values |= order(world, table.rows(Position, Velocity, Flocker))


def order(world: World, rows: NDArray[np.int32]) -> dict[str, float]:
    """Return the order parameters of these rows: "polarization" and "milling" from 0 to 1, "mean_speed" in u/s.

    Args:
        rows: int32 (n,), of entities with Position and Velocity; without rows all values are 0.
    """
    position, velocity = world.table.records(Position), world.table.records(Velocity)
    torus = world.resource(Settings).torus or (0.0, 0.0)
    count = max(len(rows), 1)
    sums = np.zeros((PARTS, 7))
    _sums(rows, position, velocity, torus, sums)
    total = sums.sum(axis=0) / count
    centre = tuple(
        _place(total[2 * axis], total[2 * axis + 1], size) if size else total[2 * axis]
        for axis, size in enumerate(torus)
    )
    turning = np.zeros(PARTS)
    _turning(rows, position, velocity, torus, centre, turning)
    return {
        "mean_speed": float(total[SPEED]),
        "polarization": float(np.hypot(total[HEADING_X], total[HEADING_Y])),
        "milling": float(abs(turning.sum()) / count),
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
def _sums(part, rows, position, velocity, torus, sums):
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
        sums[part, 0] += dx
        sums[part, 1] += dy
        sums[part, 2] += ex
        sums[part, 3] += ey
        sums[part, 4] += speed
        sums[part, 5] += vx * per
        sums[part, 6] += vy * per


@for_each_part
def _turning(part, rows, position, velocity, torus, centre, turning):
    first, last = part_of(part, len(rows))
    for k in range(first, last):
        dx, dy = position[rows[k]].x - centre[0], position[rows[k]].y - centre[1]
        dx, dy = minimum_image(dx, torus[0]), minimum_image(dy, torus[1])
        vx, vy = np.float64(velocity[rows[k]].x), np.float64(velocity[rows[k]].y)
        size = np.sqrt((dx * dx + dy * dy) * (vx * vx + vy * vy))
        turning[part] += (dx * vy - dy * vx) / size if size > 0 else 0.0


def install(app: App) -> None:
    app.add_component(Position, Velocity, Flocker)
    app.add_system(Order)
