"""Flight from predators.

From each predator j that hunts i's prefab, at an offset q_j - p that i sees and a distance d < fear_radius:

    a = fear * sum_j (1 - d/fear_radius) * unit(p - q_j)

However short-sighted, prey notices a predator within its fear radius, but only in its field of view. Predators that
rest frighten too. From one at its very point it flees in a direction made from both serials.
"""

# mypy: allow-untyped-defs
# (numba finds out the types of kernels)

from __future__ import annotations

import numpy as np

from components.flock import Perception
from components.motion import Motion, Position, Velocity
from components.predation import Predator, Prey
from components.store.world import World
from systems.engine.app import App
from systems.engine.kernel import inlined, parallel_kernel, prange
from systems.engine.pipeline import Phase, System
from systems.exact.random import direction_between
from systems.exact.vector import ZERO
from systems.space.exact_sums import fixed
from systems.space.flock_grid import view
from systems.space.hunting import Threats, hunts, offset
from systems.space.neighbourhood import in_view
from systems.space.shape_index import cell_of

f32, f64, i64 = np.float32, np.float64, np.int64
SCALE = float(1 << 40)  # a million terms of at most 1 fit an int64 sum


class Flee(System):
    """Turns prey away from those who hunt it."""

    phase = Phase.STEER
    reads = ("Position.x", "Position.y", Velocity, "Perception.fov", Prey, "Predator.hunts", Threats)
    adds = ("Motion.acceleration",)

    def run(self, world: World) -> None:
        threats, table = world.resources.get(Threats), world.table
        if threats is None:
            return
        rows = table.rows(Position, Velocity, Motion, Perception, Prey)
        records = (table.records(c) for c in (Position, Velocity, Motion, Perception, Prey, Predator))
        _flee(rows, *threats, *records, table.prefab, table.serial)


@parallel_kernel
def _flee(rows, hunters, near, index, position, velocity, motion, perception, prey, predator, prefab, serial):
    for k in prange(len(rows)):
        row = rows[k]
        first, last = _threats_at(position[row].x, position[row].y, prey[row].fear_radius, hunters, near, index)
        if first < last:
            _flee_one(
                row, first, last, hunters, near, index, position, velocity, motion, perception, prey, predator, prefab,
                serial,
            )  # fmt: skip


@inlined
def _threats_at(x, y, radius, hunters, near, index):
    """The stretch of the index, or of all hunters for one who fears them from farther away than it knows."""
    if radius > near:
        return i64(0), i64(len(hunters))
    cell = cell_of(index, f64(x), f64(y))
    return (i64(index.start[cell]), i64(index.start[cell + 1])) if cell >= 0 else (i64(0), i64(0))


@inlined
def _flee_one(
    row, first, last, hunters, near, index, position, velocity, motion, perception, prey, predator, prefab, serial
):
    px, py, radius = f64(position[row].x), f64(position[row].y), f64(prey[row].fear_radius)
    far_sighted, looks = prey[row].fear_radius > near, False
    hx, hy, cone = ZERO, ZERO, ZERO
    x, y, before = i64(0), i64(0), -1
    for k in range(first, last):
        n = k
        if not far_sighted:
            dx, dy, n = index.ax[k] - px, index.ay[k] - py, index.shape[k]
            if dx * dx + dy * dy > radius * radius:
                continue
        if n == before:
            continue  # another copy of the same one, on a narrow torus
        before, other = n, hunters[n]
        dx = offset(position[other].x, position[row].x, index.torus_x)
        dy = offset(position[other].y, position[row].y, index.torus_y)
        d2 = dx * dx + dy * dy
        if not d2 < radius * radius or other == row or not hunts(predator[other].hunts, prefab[row]):
            continue
        if not looks:
            looks = True
            hx, hy, cone = view(row, velocity, perception)
        if not in_view(dx, dy, d2, hx, hy, cone):
            continue
        if d2 > 0.0:
            d = np.sqrt(d2)
            weight = (1.0 - d / radius) / d
            x, y = x + fixed(-dx * weight, SCALE), y + fixed(-dy * weight, SCALE)
        else:
            ux, uy = direction_between(serial[row], serial[other])
            x, y = x + fixed(ux, SCALE), y + fixed(uy, SCALE)
    if looks:
        motion[row].acceleration_x += f32(prey[row].fear * (x / SCALE))
        motion[row].acceleration_y += f32(prey[row].fear * (y / SCALE))


def install(app: App) -> None:
    app.add_component(Position, Velocity, Motion, Perception, Predator, Prey)
    app.add_system(Flee)
