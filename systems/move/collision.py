"""Collision with obstacles and walls: a move stops at the first shape in its way, and slides along it.

The move of this tick leads from an entity's previous position to the one that `movement` and `bounce` gave it. It is
swept in float64 against all shapes, each enlarged by a skin. At the first shape hit, the component that points into the
shape is removed from the rest of the move and from the velocity. The rest of the move is then swept in the same way.

The skin is wider than all rounding errors. Each contact restores the skin that rounding has consumed, so that entities
don't creep into a shape over thousands of ticks; one that is deep inside, because nothing is free, moves outward by
the index's margin at most. If the slide reaches an edge of the world, the rest of the move
follows that edge, and the velocity is reflected.
"""

from __future__ import annotations

import numpy as np

from components.motion import Position, Velocity
from components.store.world import World
from components.terrain import Obstacle
from systems.engine.app import App
from systems.engine.kernel import inlined
from systems.engine.rows import for_each_row
from systems.engine.settings import Settings
from systems.engine.system import Phase, System
from systems.space.bounds import FASTEST, box_of
from systems.space.clearance import clear_by
from systems.space.obstacles import Obstacles
from systems.space.sweep import first_edge, first_hit, held, nearest_shape, outward

f32, f64 = np.float32, np.float64
MOST_CONTACTS = 5  # in one tick; after the last one an entity stays there, and turns round if it is in an acute corner


class Collision(System):
    """Stops entities at obstacles and walls, and lets them slide along."""

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
        _collide(*movers, np.uint64(table.mask([Obstacle])), obstacles.index, obstacles.clearance, obstacles.skin, box)


@for_each_row
def _collide(row, position, velocity, presence, obstacle, index, clearance, skin, box):
    if presence[row] & obstacle != 0:
        return
    x, y = f64(position[row].previous_x), f64(position[row].previous_y)
    dx, dy = f64(position[row].x) - x, f64(position[row].y) - y
    clear = clear_by(clearance, x, y) - skin
    if clear > 0.0 and clear * clear > dx * dx + dy * dy:
        return
    vx, vy = f64(velocity[row].x), f64(velocity[row].y)
    nx, ny, last_x, last_y = 0.0, 0.0, 0.0, 0.0
    for contact in range(MOST_CONTACTS):
        fraction, k, shift_x, shift_y = first_hit(index, x, y, dx, dy, skin, 1.0)
        if fraction > 1.0 and contact == 0:
            return
        edge, edge_x, edge_y = first_edge(box, x, y, dx, dy)
        if min(fraction, edge) > 1.0:
            x, y = x + dx, y + dy
            break
        last_x, last_y = nx, ny
        is_edge, fraction = edge < fraction, min(edge, fraction)
        x, y = x + fraction * dx, y + fraction * dy
        if is_edge:
            nx, ny, missing, removed = edge_x, edge_y, 0.0, 2.0  # twice the inward velocity: a reflection
        else:
            ends = index.ax[k], index.ay[k], index.bx[k], index.by[k]
            nx, ny, gap = outward(x + shift_x, y + shift_y, dx, dy, *ends)
            missing, removed = held(index.radius[k] + skin - gap, 0.0, index.margin), 1.0  # missing: of the skin, u
        dx, dy = (1.0 - fraction) * dx, (1.0 - fraction) * dy
        outward_by = missing - (dx * nx + dy * ny)
        dx, dy = dx + outward_by * nx, dy + outward_by * ny
        inward = removed * min(vx * nx + vy * ny, 0.0)
        vx, vy = vx - inward * nx, vy - inward * ny
    else:
        vx, vy = _turned_round(vx, vy, nx + last_x, ny + last_y, nx * last_x + ny * last_y)
    velocity[row].x, velocity[row].y = f32(held(vx, -FASTEST, FASTEST)), f32(held(vy, -FASTEST, FASTEST))
    _put(row, f32(held(x, box.left, box.right)), f32(held(y, box.bottom, box.top)), position, index)


@inlined
def _turned_round(vx, vy, out_x, out_y, cosine):
    """Return the velocity after the last contact of a tick: in an acute corner, along its bisector, at the same speed.

    There, steering alone can't turn an entity that has a minimum speed.

    Args:
        out_x, out_y: the sum of the normals of the last two contacts.
        cosine: of the angle between these normals; below 0 if the corner is acute.
    """
    size = np.sqrt(out_x * out_x + out_y * out_y)
    if cosine >= 0.0 or size == 0.0:
        return vx, vy
    share = np.sqrt(vx * vx + vy * vy) / size
    return share * out_x, share * out_y


@inlined
def _put(row, x, y, position, index):
    """Set the position, or if rounding has put it inside a shape, the previous position, if that is free."""
    if nearest_shape(index, f64(x), f64(y))[0] < 0.0:
        old_x, old_y = position[row].previous_x, position[row].previous_y
        if nearest_shape(index, f64(old_x), f64(old_y))[0] >= 0.0:
            x, y = old_x, old_y
    position[row].x, position[row].y = x, y


def install(app: App) -> None:
    app.add_component(Position, Velocity, Obstacle)
    app.add_system(Collision)
