"""What lies under the mouse, and what in a rectangle: where things are drawn, on a torus too."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from components.life import Food
from components.look import Look
from components.motion import Position
from components.store.world import World
from components.terrain import Obstacle, Wall
from components.wind import Wind
from sandbox.app.overlays.places import has, places
from sandbox.app.tools.tool import Place, Spot
from sandbox.scene import Rect
from systems.core.settings import Settings

if TYPE_CHECKING:
    from sandbox.app.session import Session

NEAR = 6.0  # pixels: as far beside a thing it is still met
BODIES = ((Look, "size"), (Obstacle, "radius"), (Food, "radius"))
Numbers = NDArray[np.float64]
Rows = NDArray[np.int64]


def under(session: Session, spot: Spot) -> int | None:
    """The serial of what a person means who points there, None: nothing.

    What reaches the mouse comes before what is only near it, what is nearer with its middle before others; a zone of
    wind comes last, for it lies below all else.
    """
    world, near = session.simulation.world, NEAR / session.camera.zoom
    standing, zones, distance, radius = _standing(world, spot, session.clock.alpha)
    walls, along, thickness = _walls(world, spot)
    rows = np.concatenate([standing, walls])
    middle, reach = np.concatenate([distance, along]), np.concatenate([radius, thickness])
    is_zone = np.concatenate([zones, np.zeros(len(walls), bool)])
    beside = np.maximum(middle - reach, 0)
    met = np.flatnonzero(np.where(is_zone, beside <= 0, beside <= near))
    if not len(met):
        return None
    order = np.lexsort((-world.table.serial[rows[met]], middle[met], beside[met], is_zone[met]))
    return int(world.table.serial[rows[met[order[0]]]])


def is_zone(world: World, serial: int) -> bool:
    """Whether it is a zone, on which a drag may begin without meaning it."""
    rows = world.table.rows_of(np.array([serial]))
    return bool(_zones(world, rows)[0])


def middle_of(world: World, serial: int) -> Place | None:
    """Where one is, or the middle of a wall, u; None when it is gone."""
    rows = world.table.rows_of(np.array([serial]))
    if rows[0] < 0:
        return None
    if has(world, rows, Wall)[0]:
        begin, end = ends(world, rows)
        x, y = ((begin + end) / 2)[0].tolist()
    else:
        x, y = places(world, rows, 1.0)[0].tolist()
    return x, y


def in_rectangle(world: World, area: Rect, alpha: float) -> tuple[int, ...]:
    """The serials of all whose place, or some of whose wall, lies within it."""
    rows = world.table.rows(Position).astype(np.int64)
    here = places(world, rows, alpha)
    low, high = np.array([area.x, area.y]), np.array([area.x + area.width, area.y + area.height])
    inside = rows[((here >= low) & (here <= high)).all(1)]
    walls = world.table.rows(Wall).astype(np.int64)
    begin, end = ends(world, walls)
    torus = world.resource(Settings).torus
    met = np.zeros(len(walls), bool)
    for shift in product((-1, 0, 1), repeat=2) if torus else ((0, 0),):
        off = np.array(shift) * np.array(torus or (0, 0))
        met |= _crosses(begin + off, end + off, low, high)
    return tuple(np.sort(world.table.serial[np.union1d(inside, walls[met])]).tolist())


def _standing(world: World, spot: Spot, alpha: float) -> tuple[Rows, NDArray[np.bool_], Numbers, Numbers]:
    """All that have a place: rows, which are zones, how far from the mouse, how far they reach (u)."""
    rows = world.table.rows(Position).astype(np.int64)
    off = places(world, rows, alpha).astype(np.float64) - spot.place
    if torus := world.resource(Settings).torus:
        off -= np.array(torus) * np.rint(off / torus)
    radius, zones = np.zeros(len(rows)), _zones(world, rows)
    for component, name in (*BODIES, (Wind, "radius")):
        own = has(world, rows, component)
        radius[own] = np.maximum(radius[own], world.table.records(component)[rows[own]][name])
    return rows, zones, np.hypot(off[:, 0], off[:, 1]), radius


def _zones(world: World, rows: Rows) -> NDArray[np.bool_]:
    bodies = np.any([has(world, rows, component) for component, _ in BODIES], axis=0)
    zones: NDArray[np.bool_] = has(world, rows, Wind) & ~bodies
    return zones


def _walls(world: World, spot: Spot) -> tuple[Rows, Numbers, Numbers]:
    """All walls: rows, how far their middle line is from the mouse, half their thickness (u)."""
    rows = world.table.rows(Wall).astype(np.int64)
    begin, end = ends(world, rows)
    torus = world.resource(Settings).torus
    nearest = np.full(len(rows), np.inf)
    for shift in product((-1, 0, 1), repeat=2) if torus else ((0, 0),):
        off = np.array(shift) * np.array(torus or (0, 0)) - spot.place
        nearest = np.minimum(nearest, _distance(begin + off, end + off))
    return rows, nearest, world.table.records(Wall)[rows]["thickness"].astype(np.float64) / 2


def ends(world: World, rows: Rows) -> tuple[Numbers, Numbers]:
    """Where walls begin and end, (n, 2) each; on a torus the copy whose middle lies within it."""
    walls = world.table.records(Wall)[rows]
    begin, end = (np.stack([walls[f"{side}{axis}"] for axis in "xy"], axis=1).astype(np.float64) for side in "ab")
    if torus := world.resource(Settings).torus:
        back = np.array(torus) * np.floor((begin + end) / 2 / torus)
        begin, end = begin - back, end - back
    return begin, end


def _distance(begin: Numbers, end: Numbers) -> Numbers:
    """Of the origin from lines."""
    along = end - begin
    square = np.maximum((along * along).sum(1), 1e-12)
    share = np.clip(-(begin * along).sum(1) / square, 0, 1)
    nearest = begin + share[:, None] * along
    distance: Numbers = np.hypot(nearest[:, 0], nearest[:, 1])
    return distance


def _crosses(begin: Numbers, end: Numbers, low: Numbers, high: Numbers) -> NDArray[np.bool_]:
    """Which lines have some part in a rectangle: they enter both its strips before they leave one."""
    along = end - begin
    along = np.where(along == 0, 1e-12, along)
    one, other = (low - begin) / along, (high - begin) / along
    enter, leave = np.minimum(one, other).max(1), np.maximum(one, other).min(1)
    met: NDArray[np.bool_] = np.maximum(enter, 0) <= np.minimum(leave, 1)
    return met
