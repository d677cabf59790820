"""The index of those who flock: a grid, and in its order what their neighbours want to know of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from components.flock import EVERYONE, Flocker, Perception
from components.motion import Motion, Position, Velocity
from components.store.table import EntityTable
from components.store.world import World
from systems.engine.app import App
from systems.engine.kept import kept_while_same
from systems.engine.kernel import kernel, parallel_kernel, prange
from systems.engine.settings import Settings
from systems.engine.system import Phase, System
from systems.space.exact_sums import VELOCITY_SCALE, fixed
from systems.space.flock_grid import COUNT, POSITION_SCALE, SUM_U, SUM_V, SUM_X, SUM_Y, FlockGrid, Mates, sight
from systems.space.grid import PADDING, build_grid
from systems.space.neighbourhood import scale_for
from systems.space.radii import BUCKETS, PARTS, no_radii, note_radius, part_of

f32, i32, i64 = np.float32, np.int32, np.int64
FLOCKING = (Position, Velocity, Motion, Perception, Flocker)
RINGS_COST = 2.5  # a candidate gathered for one boid alone, against one gathered for a whole cell


class Sights(NamedTuple):
    """How far those who flock see.

    Attributes:
        common: float32, u, the width of cells for which all together look at the fewest candidates.
        farthest: float32, u, how far the most far-sighted one sees.
        everyone: whether someone attends to everyone.
    """

    common: np.float32
    farthest: np.float32
    everyone: bool


@kept_while_same(Perception, Flocker)
def _sights(table: EntityTable) -> Sights:
    (widest, members), everyone = no_radii(), np.zeros(PARTS, i64)
    _survey(table.rows(*FLOCKING), table.records(Perception), table.records(Flocker), widest, members, everyone)
    return Sights(_common_width(widest, members), widest.max(), bool(everyone.any()))


@parallel_kernel
def _survey(rows, perception, flocker, widest, members, everyone):
    """How far they see, and by part how many attend to everyone."""
    for part in prange(PARTS):
        first, last = part_of(part, len(rows))
        for k in range(first, last):
            note_radius(widest, members, part, sight(rows[k], perception, flocker))
            everyone[part] += perception[rows[k]].reach == EVERYONE


@kernel
def _common_width(widest, members):
    best, cheapest = f32(0), np.inf
    for chosen in range(BUCKETS):
        width = np.float64(widest[:, chosen].max())
        if members[:, chosen].sum() == 0:
            continue
        cost = 0.0
        for bucket in range(BUCKETS):
            far = np.float64(widest[:, bucket].max())
            reads = 9 * width * width if far <= width else RINGS_COST * (2 * far + width) * (2 * far + width)
            cost += reads * members[:, bucket].sum()
        if cost < cheapest:
            best, cheapest = f32(width), cost
    return best


@parallel_kernel
def _top_speeds(rows, velocity, fastest):
    """The top speed along an axis, by part."""
    for part in prange(PARTS):
        first, last = part_of(part, len(rows))
        for k in range(first, last):
            fastest[part] = max(fastest[part], max(abs(velocity[rows[k]].x), abs(velocity[rows[k]].y)))


@kernel
def _velocity_scale(fastest):
    return scale_for(max(fastest.max(), f32(1)))


@parallel_kernel
def _copy(order, velocity, prefab, per_unit, u, v, kind):
    for k in prange(len(order) - PADDING):
        u[k] = i32(np.floor(velocity[order[k]].x * per_unit + f32(0.5)))
        v[k] = i32(np.floor(velocity[order[k]].y * per_unit + f32(0.5)))
        kind[k] = prefab[order[k]]


@kernel
def _crowd_sums(grid, velocity, kind, crowds):
    for k in range(len(kind) - PADDING):
        row = grid.row[k]
        for crowd in (i64(kind[k]), len(crowds) - 1):
            crowds[crowd, COUNT] += 1
            crowds[crowd, SUM_X] += fixed(grid.x[k], POSITION_SCALE)
            crowds[crowd, SUM_Y] += fixed(grid.y[k], POSITION_SCALE)
            crowds[crowd, SUM_U] += fixed(velocity[row].x, VELOCITY_SCALE)
            crowds[crowd, SUM_V] += fixed(velocity[row].y, VELOCITY_SCALE)


class SpatialHash(System):
    """Sorts those who flock into cells."""

    phase = Phase.SENSE
    essential = True
    reads = ("Position.x", "Position.y", Velocity, Perception, Flocker, Settings)
    writes = (FlockGrid,)

    def run(self, world: World) -> None:
        table = world.table
        rows, velocity, fastest = table.rows(*FLOCKING), table.records(Velocity), np.zeros(PARTS, f32)
        sights = _sights(table)
        _top_speeds(rows, velocity, fastest)
        scale = _velocity_scale(fastest)
        x, y = table.columns["Position.x"], table.columns["Position.y"]
        grid = build_grid(rows, x, y, float(sights.common), world.resource(Settings).torus)
        u, v, kind = (np.empty(len(grid.row), i32) for _ in range(3))
        _copy(grid.row, velocity, table.prefab, scale, u, v, kind)
        crowds = np.zeros((len(world.prefabs) + 1 if sights.everyone else 0, 5), i64)
        if sights.everyone:
            _crowd_sums(grid, velocity, kind, crowds)
        narrow = (grid.torus_x > 0 and grid.columns < 3) or (grid.torus_y > 0 and grid.lines < 3)
        reach = f32(0 if narrow else sights.common)
        far_sighted = bool(sights.farthest > reach)
        world.resources[FlockGrid] = FlockGrid(grid, Mates(reach, far_sighted, u, v, float(scale), kind, crowds))


def install(app: App) -> None:
    app.add_component(Position, Velocity, Motion, Perception, Flocker)
    app.add_system(SpatialHash)
