"""Prey flees from the predators that hunt it and that it sees; the equation: docs/equations.md, *Hunting*.

Perception.radius does not limit this, and resting predators count too. At the very place of a predator, a direction
computed from both serials leads away.
"""

from __future__ import annotations

import numpy as np

from components.flock import Perception
from components.motion import Motion, Position, Velocity
from components.predation import Predator, Prey
from components.store.world import World
from systems.engine.app import App
from systems.engine.data import data_of
from systems.engine.rows import for_each_row
from systems.engine.system import PLACE, Phase, System
from systems.exact.fixed_point import SHARE_SCALE, fixed_vector
from systems.exact.random import direction_between
from systems.exact.vector import ZERO, accelerate, add, divided, dot, filled, read, scaled, sub, to_f64
from systems.space.axis import torus_in
from systems.space.capsule_index import listed_at, middle_of
from systems.space.hunting import Threats, hunts
from systems.space.perception import ALL_ROUND, FieldOfView, field_of_view, in_view
from systems.space.torus import minimum_image

f32, f64, i64 = np.float32, np.float64, np.int64


class Flee(System):
    """Steers prey away from predators."""

    phase = Phase.STEER
    reads = (*PLACE, Velocity, "Perception.fov", Prey, "Predator.hunts", Threats)
    adds = ("Motion.acceleration",)
    needs = (Position, Predator)

    def run(self, world: World) -> None:
        rows = world.table.rows(Position, Velocity, Motion, Perception, Prey)
        _flee(rows, data_of(self, world), *world.resource(Threats))


@for_each_row
def _flee(row, data, hunters, common, circles):
    """Steer a prey away from the predators in its cell's list, or from all if its fear radius is above `common`."""
    prey = data.prey[row]
    if prey.fear == ZERO:
        return
    here, radius, torus = to_f64(read(data.position[row])), f64(prey.fear_radius), torus_in(circles)
    looks_at_all, has_view = prey.fear_radius > common, False
    first, last = (i64(0), i64(len(hunters))) if looks_at_all else listed_at(circles, here)
    view = FieldOfView(filled(read(data.velocity[row]), ZERO), ALL_ROUND)
    away, before = filled(here, i64(0)), i64(-1)
    for k in range(first, last):
        n = i64(k)
        if not looks_at_all:
            offset, n = sub(middle_of(circles, k), here), i64(circles.which[k])
            if dot(offset, offset) > radius * radius:
                continue
        if n == before:
            continue  # the same predator: on a narrow torus a cell may list it several times
        before, other = n, hunters[n]
        offset = minimum_image(sub(to_f64(read(data.position[other])), here), torus)
        d2 = dot(offset, offset)
        if not d2 < radius * radius or not hunts(other, row, data):
            continue
        if not has_view:
            has_view = True
            view = field_of_view(row, data.velocity, data.perception)
        if not in_view(view, offset, d2):
            continue
        if d2 > 0.0:
            d = np.sqrt(d2)
            away = add(away, fixed_vector(scaled(offset, -((1.0 - d / radius) / d)), SHARE_SCALE))
        else:
            away = add(away, fixed_vector(direction_between(data.serial[row], data.serial[other], here), SHARE_SCALE))
    if has_view:
        accelerate(data.motion[row], scaled(divided(away, SHARE_SCALE), prey.fear))


def install(app: App) -> None:
    app.add_component(Motion, Perception)
    app.add_system(Flee)
