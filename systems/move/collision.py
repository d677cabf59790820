"""Nobody gets into an obstacle or through a wall: the move is swept, and slides along what it meets.

The way of this tick, from where an entity was to where movement put it, is followed in float64 past shapes that are a
skin wider than they are: at the first one that it meets, what leads into it is taken from the rest of the way and from
the velocity, and the rest goes on. The skin takes up all rounding; what rounding took of it is won back at each touch,
so that nobody creeps in over thousands of ticks. Where the slide leads to an edge of the world, the rest of the way
goes along that edge, and the velocity is reflected.
"""

from __future__ import annotations

import numpy as np

from components.motion import Position, Velocity
from components.store.world import World
from components.terrain import Obstacle
from systems.engine.app import App
from systems.engine.kernel import inlined, parallel_kernel, prange
from systems.engine.pipeline import Phase, System
from systems.engine.settings import Settings
from systems.space.bounds import FASTEST, box_of
from systems.space.obstacles import Obstacles
from systems.space.sweep import first_edge, first_hit, held, nearest_shape, outward

f32, f64 = np.float32, np.float64
SLIDES = 5  # who has met as many in one tick stays where it is; in an acute corner it turns round


class Collision(System):
    """Stops those who would get into something, and lets them slide along it."""

    phase = Phase.MOVE
    after = ("bounce",)
    before = ("wrap",)
    reads = (Obstacle, Obstacles, Settings, "Position.previous")
    writes = ("Position.x", "Position.y", Velocity)

    def run(self, world: World) -> None:
        obstacles = world.resources.get(Obstacles)
        if not obstacles:
            return
        table = world.table
        rows = table.rows(Position, Velocity)
        movers = (rows, table.records(Position), table.records(Velocity), table.presence)
        box = box_of(world.resource(Settings))
        _collide(*movers, np.uint64(table.mask([Obstacle])), obstacles.index, obstacles.skin, box)


@parallel_kernel
def _collide(rows, position, velocity, presence, obstacle, index, skin, box):
    for k in prange(len(rows)):
        if presence[rows[k]] & obstacle == 0:
            _collide_one(rows[k], position, velocity, index, skin, box)


@inlined
def _collide_one(row, position, velocity, index, skin, box):
    x, y = f64(position[row].previous_x), f64(position[row].previous_y)
    dx, dy = f64(position[row].x) - x, f64(position[row].y) - y
    vx, vy = f64(velocity[row].x), f64(velocity[row].y)
    nx, ny, last_x, last_y = 0.0, 0.0, 0.0, 0.0
    for slide in range(SLIDES):
        fraction, k, shift_x, shift_y = first_hit(index, x, y, dx, dy, skin, 1.0)
        if fraction > 1.0 and slide == 0:
            return
        edge, edge_x, edge_y = first_edge(box, x, y, dx, dy)
        if min(fraction, edge) > 1.0:
            x, y = x + dx, y + dy
            break
        last_x, last_y = nx, ny
        is_edge, fraction = edge < fraction, min(edge, fraction)
        x, y = x + fraction * dx, y + fraction * dy
        if is_edge:
            nx, ny, missing, back = edge_x, edge_y, 0.0, 2.0
        else:
            ends = index.ax[k], index.ay[k], index.bx[k], index.by[k]
            nx, ny, gap = outward(x + shift_x, y + shift_y, dx, dy, *ends)
            missing, back = max(index.radius[k] + skin - gap, 0.0), 1.0
        dx, dy = (1.0 - fraction) * dx, (1.0 - fraction) * dy
        turned = missing - (dx * nx + dy * ny)
        dx, dy = dx + turned * nx, dy + turned * ny
        inward = back * min(vx * nx + vy * ny, 0.0)
        vx, vy = vx - inward * nx, vy - inward * ny
    else:
        vx, vy = _turned_round(vx, vy, nx + last_x, ny + last_y, nx * last_x + ny * last_y)
    velocity[row].x, velocity[row].y = f32(held(vx, -FASTEST, FASTEST)), f32(held(vy, -FASTEST, FASTEST))
    _put(row, f32(held(x, box.left, box.right)), f32(held(y, box.bottom, box.top)), position, index)


@inlined
def _turned_round(vx, vy, out_x, out_y, between):
    """In an acute corner steering alone can't turn anyone who may not rest: it leaves along the middle, as fast."""
    size = np.sqrt(out_x * out_x + out_y * out_y)
    if between >= 0.0 or size == 0.0:
        return vx, vy
    share = np.sqrt(vx * vx + vy * vy) / size
    return share * out_x, share * out_y


@inlined
def _put(row, x, y, position, index):
    """Set the place, unless rounding has put it inside something: then it stays where it was, if that is free."""
    if nearest_shape(index, f64(x), f64(y))[0] < 0.0:
        old_x, old_y = position[row].previous_x, position[row].previous_y
        if nearest_shape(index, f64(old_x), f64(old_y))[0] >= 0.0:
            x, y = old_x, old_y
    position[row].x, position[row].y = x, y


def install(app: App) -> None:
    app.add_component(Position, Velocity, Obstacle)
    app.add_system(Collision)
