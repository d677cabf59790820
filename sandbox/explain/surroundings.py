"""The surroundings of one entity, relative to it: offsets, velocities, and which neighbours its rules count."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from components.flock import Perception
from components.life import Food
from components.look import Look
from components.motion import Position, Velocity
from components.store.fields import DEEP
from components.store.table import EntityTable
from components.store.world import World
from components.terrain import Obstacle, Wall
from sandbox.explain.explanation import Explanation, row_of
from sandbox.explain.ways import Pose
from systems.engine.settings import Settings
from systems.flocking.neighbours import RULE_NAMES, radius_of
from systems.space.torus import minimum_images

UNSEEING = 60.0  # u: the radius shown around an entity without Perception
Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Surroundings:
    """The n entities around one, within `shown`, its neighbours and goal at any distance, nearest first; and walls.

    Attributes:
        radius, fov: its perception radius, u, and field of view, degrees; 0 without Perception.
        shown: the radius within which all that have a Position are included, u.
        heading: unit vector, zeros at rest.
        up: the axis that points up in the world, if that has depth.
        radii: the radius of each rule of flocking, u; infinite if it counts the whole flock, 0 if it does not flock.
        rows, serials: int64 (n,), the entities; rows are valid until rows move.
        colours: int64 (n,), 0xRRGGBB; -1 without Look.
        offsets: (n, axes), from it to them by the shortest way, u; to the axis of a pillar, level with it.
        velocities: (n, axes), u/s; 0 without Velocity.
        distance: (n,), u.
        wide: (n,), radius of obstacles and food, u; 0 for others.
        food: bool (n,), whether it is food.
        movers: bool (n,), whether it can move.
        in_view: bool (n,), whether it is within the radius and the field of view.
        counted: by rule of flocking, bool (n,); under GOALS, whether it is the goal that it seeks, if any.
        walls: (m, 5), the offsets to both ends of each wall nearby, each x and y, and its thickness, u.
    """

    radius: float
    fov: float
    shown: float
    heading: Floats
    up: str
    radii: Mapping[str, float]
    rows: NDArray[np.int64]
    serials: NDArray[np.int64]
    colours: NDArray[np.int64]
    offsets: Floats
    velocities: Floats
    distance: Floats
    wide: Floats
    food: Mask
    movers: Mask
    in_view: Mask
    counted: Mapping[str, Mask]
    walls: Floats

    @property
    def pose(self) -> Pose:
        return Pose(tuple(self.heading.tolist()), self.up)

    @property
    def neighbours(self) -> Mask:
        """The neighbours of any rule, bool (n,)."""
        found: Mask = np.any([self.counted[rule] for rule in RULE_NAMES], axis=0)
        return found


def surroundings(world: World, why: Explanation) -> Surroundings:
    """Return the surroundings of an explained entity; the world must not have changed since the explanation."""
    table, settings = world.table, world.resource(Settings)
    torus = settings.torus
    row = row_of(world, why.serial)
    sees = table.has(row, Perception)
    perception = table.records(Perception)[row]
    radius, fov = (float(perception["radius"]), float(perception["fov"])) if sees else (0.0, 0.0)
    shown = radius or UNSEEING
    placed = table.rows(Position)
    offsets = minimum_images(table.stacked("Position", placed) - np.array(why.position, np.float32), torus)
    if table.axes == DEEP:
        offsets[_pillars(table, placed), 2] = 0
    distance = np.linalg.norm(offsets, axis=1)
    serial, wide = table.serial[placed], _radii(table, placed)
    near = (distance < shown + wide) | np.isin(serial, [one for found in why.counted.values() for one in found])
    near &= placed != row
    chosen = np.flatnonzero(near)
    chosen = chosen[np.lexsort((serial[chosen], distance[chosen]))]
    offset, distance, width = (values[chosen].astype(np.float64) for values in (offsets, distance, wide))
    rows = placed[chosen].astype(np.int64)
    food, movers = (table.has(rows, component) for component in (Food, Velocity))
    velocities = np.zeros(offset.shape)
    velocities[movers] = table.stacked("Velocity", rows[movers])
    speed = math.hypot(*why.velocity)
    heading = np.array(why.velocity) / (speed or 1.0)
    in_view = distance < radius
    if fov < 360 and speed > 0:
        in_view &= offset @ heading >= np.cos(np.radians(fov / 2)) * distance
    serials = table.serial[rows]
    counted = {name: np.isin(serials, found) for name, found in why.counted.items()}
    looks = table.has(rows, Look)
    colours = np.where(looks, table.records(Look)["colour"][rows].astype(np.int64), -1)
    radii = {rule: radius_of(table, row, rule) for rule in RULE_NAMES}
    walls = _walls(table, np.array(why.position[:2]), shown, torus)
    return Surroundings(
        radius, fov, shown, heading, settings.up, radii, rows, serials, colours, offset, velocities, distance, width,
        food, movers, in_view, counted, walls,
    )  # fmt: skip


def _radii(table: EntityTable, rows: NDArray[np.int32]) -> NDArray[np.float32]:
    wide = np.zeros(len(rows), np.float32)
    for component in (Obstacle, Food):
        own = table.has(rows, component)
        wide[own] = table.records(component)["radius"][rows[own]]
    return wide


def _pillars(table: EntityTable, rows: NDArray[np.int32]) -> Mask:
    """Return whether these rows are pillars, whose distance steering measures in the plane of x and y, bool (n,)."""
    found: Mask = table.has(rows, Obstacle) & table.records(Obstacle)["pillar"][rows]
    return found


def _walls(table: EntityTable, here: Floats, shown: float, torus: tuple[float, ...] | None) -> Floats:
    walls = table.records(Wall)[table.rows(Wall)]
    begin, end = (np.stack([walls[f"{point}x"], walls[f"{point}y"]], axis=1) - here for point in "ab")
    middle = (begin + end) / 2
    shift = minimum_images(middle, torus) - middle
    begin, end = begin + shift, end + shift
    found = np.concatenate([begin, end, walls["thickness"][:, None]], axis=1)
    low, high = np.minimum(begin, end), np.maximum(begin, end)
    near = (low < shown).all(axis=1) & (high > -shown).all(axis=1)
    return found[near]
