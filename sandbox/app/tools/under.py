"""Hit tests: finds the entity under the mouse and those in a rectangle, as they are drawn, also across torus edges."""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

from components.look import Look
from components.motion import Position, Velocity
from components.store.world import World
from components.terrain import Obstacle, Wall
from components.wind import Wind
from sandbox.app.drawing.places import BODIES, ends, places, radii
from sandbox.app.drawing.sight import solids_met
from sandbox.app.drawing.space.camera import SpaceCamera
from sandbox.app.drawing.space.in_space import InSpace
from sandbox.app.session.session import Session
from sandbox.app.session.tool import Place, Spot
from sandbox.app.tools.brush import rectangle
from sandbox.design.scene import Rect
from sandbox.edit.touched import square_to_walls
from sandbox.serials import Serials
from systems.engine.settings import Settings
from systems.space.torus import minimum_images

NEAR = 6.0  # pixels: the tolerance beside an entity
FAR = 1e9  # pixels
FIRST, SOLID, LAST = range(3)  # in which order things on a line of sight are found
Numbers = NDArray[np.float64]
Rows = NDArray[np.int64]


def under(session: Session, spot: Spot) -> int | None:
    """Return the serial of the entity under the mouse, or None if there is none.

    Entities that cover the mouse come before those that are only near it, then the one with the nearest middle. A zone
    of wind comes last, because it is drawn below everything else.
    """
    world, camera = session.simulation.world, session.camera
    if isinstance(camera, SpaceCamera):
        return _met(world, camera, spot, session.clock.alpha)
    near = NEAR / camera.size_at(*spot.place)
    standing, zones, distance, radius = _standing(world, spot, session.clock.alpha)
    walls, along, thickness = _walls(world, spot)
    rows = np.concatenate([standing, walls])
    middle, extents = np.concatenate([distance, along]), np.concatenate([radius, thickness])
    is_zone = np.concatenate([zones, np.zeros(len(walls), bool)])
    beside = np.maximum(middle - extents, 0)
    met = np.flatnonzero(np.where(is_zone, beside <= 0, beside <= near))
    if not len(met):
        return None
    order = np.lexsort((-world.table.serial[rows[met]], middle[met], beside[met], is_zone[met]))
    return int(world.table.serial[rows[met[order[0]]]])


def nearest_animal(session: Session, spot: Spot) -> int | None:
    """Return the serial of the moving entity nearest to the mouse, however far away; None if there is none."""
    world, camera = session.simulation.world, session.camera
    rows = world.table.rows(Position, Velocity).astype(np.int64)
    if not len(rows):
        return None
    here = places(world, rows, session.clock.alpha).astype(np.float64)
    if isinstance(camera, SpaceCamera):
        offset = np.nan_to_num(camera.project(here) - spot.pixel, nan=FAR)
    else:
        offset = minimum_images(here - spot.place, world.resource(Settings).torus)
    return int(world.table.serial[rows[np.hypot(offset[:, 0], offset[:, 1]).argmin()]])


def just_placed(session: Session) -> int | None:
    """Return the serial of the moving entity placed last, as long as it is marked; None unless it was only one."""
    table, marked = session.simulation.world.table, session.view.placed.marked
    rows = table.living(marked[-1][0]) if marked else np.zeros(0, np.int64)
    rows = rows[table.has(rows, Velocity)]
    return int(table.serial[rows[0]]) if len(rows) == 1 else None


def is_zone(world: World, serial: int) -> bool:
    """Return whether an entity is a zone of wind without a body."""
    return bool(_zones(world, world.table.living(np.array([serial]))).any())


def middle_of(world: World, serial: int) -> Place | None:
    """Return the place of an entity, or the middle of a wall, u; None if it no longer exists."""
    rows = world.table.living(np.array([serial]))
    if not len(rows):
        return None
    if world.table.has(rows, Wall)[0]:
        begin, end = ends(world, rows)
        depth = world.resource(Settings).depth
        return (*((begin + end) / 2)[0].tolist(), *([depth / 2] if depth else []))
    return tuple(places(world, rows, 1.0)[0].tolist())


def enclosed(session: Session, begin: Spot, end: Spot) -> Serials:
    """Return the serials of what the rectangle between two spots encloses, in a world with depth in the picture.

    Those are all entities whose place lies in it, and those walls whose middle line partly does.
    """
    world, camera, alpha = session.simulation.world, session.camera, session.clock.alpha
    if isinstance(camera, SpaceCamera):
        rows, walls = (world.table.rows(kind).astype(np.int64) for kind in (Position, Wall))
        pixels = camera.project(places(world, rows, alpha))
        low, high = np.minimum(begin.pixel, end.pixel), np.maximum(begin.pixel, end.pixel)
        inside = ((pixels >= low) & (pixels <= high)).all(axis=1)
        met = _crosses(*InSpace(camera).lines(*ends(world, walls)), low, high)
        return Serials(world.table.serial[np.union1d(rows[inside], walls[met])])
    return in_rectangle(world, rectangle(begin.place, end.place), alpha)


def in_rectangle(world: World, area: Rect, alpha: float) -> Serials:
    """Return the serials of all entities whose place lies in the rectangle, and of those walls that partly do."""
    rows = world.table.rows(Position).astype(np.int64)
    here = places(world, rows, alpha)
    low, high = np.array([area.x, area.y]), np.array([area.x + area.width, area.y + area.height])
    walls = world.table.rows(Wall).astype(np.int64)
    begin, end = ends(world, walls)
    torus = world.resource(Settings).torus
    offset = here - low.astype(np.float32)
    offset = offset if torus is None else offset % np.array(torus, np.float32)
    inside = ((offset >= 0) & (offset <= (high - low).astype(np.float32))).all(1)
    met = np.zeros(len(walls), bool)
    for copy in product((-1, 0, 1), repeat=2) if torus else ((0, 0),):
        shift = np.array(copy) * np.array(torus or (0, 0))
        met |= _crosses(begin + shift, end + shift, low, high)
    return Serials(world.table.serial[np.union1d(rows[inside], walls[met])])


def _met(world: World, camera: SpaceCamera, spot: Spot, alpha: float) -> int | None:
    """Return the serial of what the line of sight meets first; else of what it passes nearest to, within NEAR.

    What has a body comes before something solid behind it even if it is only passed by, since a solid may fill the
    view; and nothing is found behind a solid. Zones of wind come last.
    """
    begin, way = map(np.array, camera.ray(*spot.pixel))
    rows = world.table.rows(Position).astype(np.int64)
    here, radius = places(world, rows, alpha).astype(np.float64), radii(world, rows).astype(np.float64)
    animals, obstacles = (world.table.has(rows, kind) for kind in (Look, Obstacle))
    radius[animals] = camera.shrunk(here[animals], radius[animals])
    offset = here - begin
    along = offset @ way
    aside, zones = np.linalg.norm(offset - along[:, None] * way, axis=1), _zones(world, rows)
    pixel = 1.0 / (np.full(len(rows), camera.zoom) if camera.is_parallel else camera.focal / np.maximum(along, 1e-6))
    beside = np.maximum(aside - radius, 0) / pixel
    solids, far = solids_met(world, begin, way)
    rank = np.where(zones, LAST, np.where(obstacles, SOLID, FIRST))
    rows, along = np.concatenate([rows, solids]), np.concatenate([along, far])
    beside, rank = np.append(beside, np.zeros(len(far))), np.append(rank, np.full(len(far), SOLID))
    is_seen = (along > 0) & (along <= far.min(initial=np.inf))
    met = np.flatnonzero(is_seen & (beside <= np.where(rank == LAST, 0.0, NEAR)))
    if not len(met):
        return None
    order = np.lexsort((along[met], np.floor(beside[met]), rank[met]))
    return int(world.table.serial[rows[met[order[0]]]])


def _standing(world: World, spot: Spot, alpha: float) -> tuple[Rows, NDArray[np.bool_], Numbers, Numbers]:
    """Return all entities with a position: rows, which are zones, distances to the mouse and radii (u)."""
    rows = world.table.rows(Position).astype(np.int64)
    offset = minimum_images(places(world, rows, alpha).astype(np.float64) - spot.place, world.resource(Settings).torus)
    return rows, _zones(world, rows), np.hypot(offset[:, 0], offset[:, 1]), radii(world, rows).astype(np.float64)


def _zones(world: World, rows: Rows) -> NDArray[np.bool_]:
    bodies = np.any([world.table.has(rows, component) for component, _ in BODIES], axis=0)
    zones: NDArray[np.bool_] = world.table.has(rows, Wind) & ~bodies
    return zones


def _walls(world: World, spot: Spot) -> tuple[Rows, Numbers, Numbers]:
    """Return all walls: rows, distances of their middle lines to the mouse, and half their thickness (u)."""
    table, rows = world.table, world.table.rows(Wall).astype(np.int64)
    distance = np.sqrt(square_to_walls(table, rows, spot.x, spot.y, world.resource(Settings).torus))
    return rows, distance, table.records(Wall)[rows]["thickness"].astype(np.float64) / 2


def _crosses(begin: Numbers, end: Numbers, low: Numbers, high: Numbers) -> NDArray[np.bool_]:
    """Return which lines cross a rectangle (slab method): they enter both slabs before they leave either."""
    along = end - begin
    along = np.where(along == 0, 1e-12, along)
    one, other = (low - begin) / along, (high - begin) / along
    enter, leave = np.minimum(one, other).max(1), np.maximum(one, other).min(1)
    met: NDArray[np.bool_] = np.maximum(enter, 0) <= np.minimum(leave, 1)
    return met
