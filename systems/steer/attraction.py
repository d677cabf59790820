"""Goals and a person's hand attract the entities around them; see docs/equations.md.

Each entity seeks the nearest goal that calls its prefab. The hand attracts all that move, or scares them away; its pull
increases smoothly from 0 at the radius. Both pulls decrease to 0 at the centre, so that entities don't jitter there.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.flock import Flocker
from components.guidance import Goal
from components.motion import Motion, Position, Velocity
from components.store.table import EntityTable
from components.store.world import World
from systems.engine.app import App
from systems.engine.cached import cached
from systems.engine.data import data_of
from systems.engine.hand import Hand
from systems.engine.kernel import inlined
from systems.engine.rows import for_each_row
from systems.engine.settings import Settings
from systems.engine.system import PLACE, Phase, System
from systems.exact.vector import accelerate, dot, filled, read, scaled, sub, to_f64
from systems.space.axis import torus_in
from systems.space.capsule_index import circles_around, listed_at
from systems.space.perception import includes
from systems.space.torus import in_world, minimum_image, minimum_images, places_in_world, torus_of

f64, i64 = np.float64, np.int64
CALM_SHARE, CALM = 0.05, 15.0  # share of the radius, and u: within both distances a pull decreases to 0 at the centre


class Goals(System):
    """Steers flocking entities to the nearest goal that calls their prefab, if they are within its radius."""

    phase = Phase.STEER
    reads = (*PLACE, Goal, Settings)
    adds = ("Motion.acceleration",)
    needs = (Position, Goal)

    def run(self, world: World) -> None:
        table = world.table
        goals = table.rows_by_serial(*self.needs)
        places, radius = table.stacked("Position", goals), table.columns["Goal.radius"][goals]
        circles = _circles(table, goals, places, radius, world.resource(Settings).torus)
        _seek(table.rows(Position, Velocity, Motion, Flocker), data_of(self, world), goals, circles)


@cached
def _circles(
    table: EntityTable,
    goals: NDArray[np.int32],
    places: NDArray[np.float32],
    radius: NDArray[np.float32],
    torus: tuple[float, ...] | None,
) -> Any:
    """Return the circles within which goals attract, by cell."""
    return circles_around(table, goals, radius, 0.0, torus)


def goal_of(world: World, row: int) -> int:
    """Return the serial of the goal to which the entity in a row is steered now, 0 if there is none."""
    table = world.table
    goals = table.rows_by_serial(Position, Goal)
    own = table.records(Goal)[goals]
    offsets = np.stack(places_in_world(world, goals), 1) - np.stack(places_in_world(world, np.array([row])), 1)
    square = (minimum_images(offsets, world.resource(Settings).torus) ** 2).sum(axis=1)
    calls = (own["calls"] == 0) | (own["calls"] >> np.uint64(table.prefab[row]) & np.uint64(1) != 0)
    near = np.flatnonzero(calls & (square < own["radius"].astype(f64) ** 2) & table.has(row, Flocker))
    return int(table.serial[goals[near[square[near].argmin()]]]) if len(near) else 0


@for_each_row
def _seek(row, data, goals, circles):
    torus = torus_in(circles)
    here = in_world(to_f64(read(data.position[row])), torus)
    nearest, least, toward_it = i64(-1), np.inf, filled(here, 0.0)
    first, last = listed_at(circles, here)
    for k in range(first, last):
        goal = i64(goals[circles.which[k]])
        if not includes(data.goal[goal].calls, data.prefab[row], True):
            continue
        offset = minimum_image(sub(to_f64(read(data.position[goal])), here), torus)
        square, radius = dot(offset, offset), f64(data.goal[goal].radius)
        if square < least and square < radius * radius:  # listed by serial, so the lower serial wins ties
            nearest, least, toward_it = goal, square, offset
    if nearest >= 0:
        pull = f64(data.goal[nearest].strength) / distance_of_pull(np.sqrt(least), f64(data.goal[nearest].radius))
        accelerate(data.motion[row], scaled(toward_it, pull))


class HandPull(System):
    """Steers moving entities to a person's hand, or away from it."""

    name = "hand"
    phase = Phase.STEER
    reads = (*PLACE, Hand, Settings)
    adds = ("Motion.acceleration",)
    needs = (Position, Velocity, Motion)

    def applies(self, world: World) -> bool:
        return bool(world.resource(Hand).strength)

    def run(self, world: World) -> None:
        hand, rows = world.resource(Hand), world.table.rows(*self.needs)
        place = tuple(f64(along) for along in (hand.x, hand.y, hand.z)[: len(world.table.axes)])
        _pull(rows, data_of(self, world), place, f64(hand.strength), f64(hand.radius), torus_of(world))


@for_each_row
def _pull(row, data, place, strength, radius, torus):
    offset = minimum_image(sub(in_world(place, torus), to_f64(read(data.position[row]))), torus)
    square, largest = dot(offset, offset), radius * radius
    if square < largest:
        share = 1.0 - square / largest
        pull = strength * share * share / distance_of_pull(np.sqrt(square), radius)
        accelerate(data.motion[row], scaled(offset, pull))


@inlined
def distance_of_pull(distance, radius):
    """Return the divisor of the offset to the centre: the distance, bounded below so that entities don't jitter."""
    return max(distance, min(CALM_SHARE * radius, CALM))


def install(app: App) -> None:
    app.add_component(Velocity, Motion, Flocker)
    app.add_resource(Hand)
    app.add_system(Goals, HandPull)
