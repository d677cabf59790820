"""Collision with obstacles and walls: a move stops at the first obstacle in its way, and slides along it.

The move of this tick leads from an entity's previous position to the one that `movement` and `bounce` gave it. It is
swept in float64 against all capsules, each enlarged by a skin. At the first capsule hit, what points into the
capsule is removed from the rest of the move and from the velocity. The rest of the move is then swept in the same way.
In space an entity that two obstacles stop slides along the crease between them.

The skin is wider than all rounding errors. Each contact restores the skin that rounding has consumed, so that entities
don't creep into a capsule over thousands of ticks; one that is deep inside, because nothing is free, moves outward by
the capsules' margin at most. If the slide reaches an edge of the world, the rest of the move
follows that edge, and the velocity is reflected.
"""

from __future__ import annotations

import numpy as np

from components.motion import Position, Velocity
from components.store.world import World
from components.terrain import Obstacle
from systems.engine.app import App
from systems.engine.data import data_of
from systems.engine.kernel import inlined
from systems.engine.rows import for_each_row
from systems.engine.settings import Settings
from systems.engine.system import PLACE, Phase, System
from systems.exact.vector import (
    add,
    cross,
    divided,
    dot,
    filled,
    length,
    put,
    read,
    read_previous,
    scaled,
    sub,
    to_f32,
    to_f64,
)
from systems.space.bounds import FASTEST, box_of, first_edge, held, held_in, within
from systems.space.obstacles import Obstacles
from systems.space.solids import away_from, clear_of_solids, first_solid, nearest_solid

MOST_CONTACTS = 5  # in one tick; after the last one an entity stays there, and turns round if it is in an acute corner
NARROWEST = 0.01  # square of the sine of an angle: in narrower creases an entity stays


class Collision(System):
    """Stops entities at obstacles and walls, and lets them slide along."""

    phase = Phase.MOVE
    after = ("bounce",)
    before = ("wrap",)
    reads = (Obstacle, Obstacles, Settings, "Position.previous")
    writes = (*PLACE, Velocity)
    needs = (Position, Velocity)

    def applies(self, world: World) -> bool:
        return bool(world.resources.get(Obstacles))

    def run(self, world: World) -> None:
        table, obstacles, box = world.table, world.resource(Obstacles), box_of(world.resource(Settings))
        rows, mask = table.rows(*self.needs), np.uint64(table.mask([Obstacle]))
        _collide(rows, data_of(self, world), mask, obstacles.near, obstacles.clearance, obstacles.skin, box)


@for_each_row
def _collide(row, data, obstacle, solids, clearance, skin, box):
    """Stop an entity unless it is an obstacle itself; `obstacle` is the presence bit of Obstacle."""
    if data.presence[row] & obstacle != 0:
        return
    here = to_f64(read_previous(data.position[row]))
    along = sub(to_f64(read(data.position[row])), here)
    clear = clear_of_solids(clearance, here) - skin
    if clear > 0.0 and clear * clear > dot(along, along):
        return
    speed = to_f64(read(data.velocity[row]))
    normal = last = filled(here, 0.0)
    missing = before = 0.0  # of the skin, u
    for contact in range(MOST_CONTACTS):
        fraction, k, shift = first_solid(solids, here, along, skin, 1.0)
        if fraction > 1.0 and contact == 0:
            return
        edge, inward = first_edge(box, here, along)
        if min(fraction, edge) > 1.0:
            here = add(here, along)
            break
        last, before = normal, missing
        is_edge, fraction = edge < fraction, min(edge, fraction)
        here = add(here, scaled(along, fraction))
        if is_edge:
            normal, missing, removed = inward, 0.0, 2.0  # twice the inward velocity: a reflection
        else:
            normal, gap, radius = away_from(solids, k, add(here, shift), along)
            missing, removed = held(radius + skin - gap, 0.0, solids.margin), 1.0
        along = _slid(scaled(along, 1.0 - fraction), normal, missing, last, before * (1.0 - fraction))
        speed = sub(speed, scaled(normal, removed * min(dot(speed, normal), 0.0)))
    else:
        speed = _turned_round(speed, add(normal, last), dot(normal, last))
    put(data.velocity[row], within(speed, FASTEST))
    _put_free(data.position[row], to_f32(held_in(here, box)), solids)


@inlined
def _slid(along, normal, missing, last, before):
    """Return the rest of a move along what it has met, and away from it by what is missing.

    In space, if that leads into what it met before, it goes along the crease between both.

    Args:
        normal, missing: out of what it has met, and how far it must move out.
        last, before: the same of what it met before; 0 at the first contact.
    """
    slide = add(along, scaled(normal, missing - dot(along, normal)))
    if len(along) == 2:
        return slide
    crease, cosine = cross(last, normal), dot(last, normal)
    square = dot(crease, crease)
    if square < NARROWEST or dot(slide, last) >= before:
        return slide
    out = add(scaled(last, before - cosine * missing), scaled(normal, missing - cosine * before))
    return divided(add(scaled(crease, dot(along, crease)), out), square)


@inlined
def _turned_round(velocity, out, cosine):
    """Return the velocity after the last contact of a tick: in an acute corner, along its bisector, at the same speed.

    There, steering alone can't turn an entity that has a minimum speed.

    Args:
        out: the sum of the normals of the last two contacts.
        cosine: of the angle between these normals; below 0 if the corner is acute.
    """
    size = length(out)
    if cosine >= 0.0 or size == 0.0:
        return velocity
    return scaled(out, length(velocity) / size)


@inlined
def _put_free(position, here, solids):
    """Set the position, or if rounding has put it inside something, the previous position, if that is free."""
    if nearest_solid(solids, to_f64(here))[0] < 0.0:
        before = read_previous(position)
        if nearest_solid(solids, to_f64(before))[0] >= 0.0:
            here = before
    put(position, here)


def install(app: App) -> None:
    app.add_system(Collision)
