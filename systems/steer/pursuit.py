"""Pursuit of prey (Reynolds 1999); the equations: docs/equations.md, *Hunting*. Ties go to the lower serial."""

from __future__ import annotations

import numpy as np

from components.flock import Perception
from components.life import Energy
from components.motion import Motion, Position, Velocity
from components.predation import CENTRE, WEAKEST, Predator
from components.store.world import World
from systems.engine.app import App
from systems.engine.data import data_of
from systems.engine.kernel import inlined
from systems.engine.rows import for_each_row
from systems.engine.system import PLACE, Phase, System
from systems.exact.fixed_point import exact_scale, fixed_vector
from systems.exact.vector import ZERO, accelerate, add, divided, dot, filled, length, read, scaled, sub, to_f64
from systems.space.axis import torus_in
from systems.space.grid import place_at
from systems.space.hunting import Quarry, hunts
from systems.space.perception import field_of_view, in_view
from systems.space.torus import minimum_image
from systems.space.walk import cells_within, stretch

f32, f64, i64, u64 = np.float32, np.float64, np.int64, np.uint64
LOOK_AHEAD = 2.0  # s
STRONGEST = np.iinfo(np.int64).max


class Pursuit(System):
    """Steers predators to their prey."""

    phase = Phase.STEER
    reads = (
        *PLACE, Velocity, "Motion.max_speed", "Perception.radius", "Perception.fov",
        Predator, "Energy.level", Quarry,
    )  # fmt: skip
    adds = ("Motion.acceleration",)
    needs = (Position, Velocity, Motion, Perception, Predator)

    def run(self, world: World) -> None:
        table = world.table
        moves, lives = u64(table.mask([Velocity])), u64(table.mask([Energy]))
        _pursue(table.rows(*self.needs), data_of(self, world), world.resource(Quarry).grid, moves, lives)


@for_each_row
def _pursue(row, data, grid, moves, lives):
    """Steer a predator; `moves` and `lives` are the presence bits of Velocity and Energy."""
    predator, motion, sees = data.predator[row], data.motion[row], data.perception[row]
    if predator.rest > ZERO or motion.max_speed <= ZERO or predator.strength == ZERO:
        return
    velocity = to_f64(read(data.velocity[row]))
    strength, speed = f64(predator.strength), f64(motion.max_speed)
    if predator.target == CENTRE:
        count, total = _centre_of_seen(row, data, grid, exact_scale(sees.radius))
        if count > 0:
            accelerate(motion, scaled(divided(total, exact_scale(sees.radius) * count), strength))
        return
    target, offset = _chosen(row, data, grid, predator.target == WEAKEST, lives)
    if target < 0:
        return
    if data.presence[target] & moves:
        its = to_f64(read(data.velocity[target]))
        offset = add(offset, scaled(its, meeting_time(offset, its, speed)))
    d = length(offset)
    share = speed / d if d > 0.0 else 0.0
    accelerate(motion, scaled(sub(scaled(offset, share), velocity), strength))


@inlined
def _centre_of_seen(row, data, grid, scale):
    """Return the number of prey that a predator sees, and the sum of the offsets to them in fixed point."""
    here = read(data.position[row])
    view = field_of_view(row, data.velocity, data.perception)
    window = cells_within(grid, here, data.perception[row].radius)
    count, total = i64(0), filled(here, i64(0))
    for n in range(window.stretches):
        first, last = stretch(grid, window, n)
        for k in range(first, last):
            offset, sees = _look_at(row, data, grid, view, k)
            if sees:
                count, total = count + 1, add(total, fixed_vector(offset, scale))
    return count, total


@inlined
def _chosen(row, data, grid, weakest, lives):
    """Return the row of the nearest (or weakest, then nearest) prey in view, -1 if there is none, and its offset."""
    here = read(data.position[row])
    view = field_of_view(row, data.velocity, data.perception)
    window = cells_within(grid, here, data.perception[row].radius)
    best, least, nearest, toward_it = i64(-1), i64(STRONGEST), np.inf, filled(here, 0.0)
    for n in range(window.stretches):
        first, last = stretch(grid, window, n)
        for k in range(first, last):
            offset, sees = _look_at(row, data, grid, view, k)
            if not sees:
                continue
            other, square, level = grid.which[k], dot(offset, offset), i64(STRONGEST)
            if weakest and data.presence[other] & lives:
                level = data.energy[other].level
            if level > least or (level == least and square > nearest):
                continue
            if level < least or square < nearest or data.serial[other] < data.serial[best]:
                best, least, nearest, toward_it = i64(other), level, square, offset
    return best, toward_it


@inlined
def _look_at(row, data, grid, view, k):
    """Return the offset to the entity at index k of the grid, float64, and whether it is seen and hunted."""
    radius, there = f64(data.perception[row].radius), to_f64(place_at(grid, k))
    offset = minimum_image(sub(there, to_f64(read(data.position[row]))), to_f64(torus_in(grid)))
    square, other = dot(offset, offset), grid.which[k]
    sees = square < radius * radius and in_view(view, offset, square)
    return offset, sees and hunts(row, other, data)


@inlined
def meeting_time(offset, velocity, speed):
    """Return the time, s, float64, to intercept at `speed` an entity at this offset with this velocity."""
    d2 = dot(offset, offset)
    receding = dot(offset, velocity)
    square = receding * receding + d2 * (speed * speed - dot(velocity, velocity))
    if square >= 0.0:
        closing = np.sqrt(square) - receding
        if closing > 0.0 and d2 <= LOOK_AHEAD * closing:
            return d2 / closing
    return min(np.sqrt(d2) / speed, LOOK_AHEAD)


def install(app: App) -> None:
    app.add_component(Energy)
    app.add_system(Pursuit)
