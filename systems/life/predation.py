"""Predation: predators that don't rest catch and eat the nearest prey that is near enough; see docs/equations.md."""

from __future__ import annotations

import numpy as np

from components.life import Energy
from components.motion import Position
from components.predation import Predator, Prey
from components.store.world import World
from systems.engine.app import App
from systems.engine.data import data_of
from systems.engine.events import Events
from systems.engine.kernel import inlined, kernel, parallel_kernel, prange
from systems.engine.ledger import Ledger
from systems.engine.settings import Settings
from systems.engine.system import PLACE, Phase, System
from systems.engine.threads import threads
from systems.exact.vector import HALF, ZERO, dot, read, sub, to_f64
from systems.space.axis import torus_in
from systems.space.capsule_index import circles_around, listed_at, middle_of
from systems.space.hunting import SLACK, hunts
from systems.space.torus import minimum_image

f32, f64, i32, i64, u64 = np.float32, np.float64, np.int32, np.int64, np.uint64


class Predation(System):
    """Predators catch and eat, or rest."""

    phase = Phase.LIFE
    reads = (*PLACE, Prey, Predator, "Energy.capacity", Settings)
    writes = ("Predator.rest", "Energy.level")
    adds = (Ledger, Events)
    needs = (Position, Predator)

    def run(self, world: World) -> None:
        table, data, settings = world.table, data_of(self, world), world.resource(Settings)
        hunters = _awake(table.rows_by_serial(*self.needs), data.predator, f32(1.0 / settings.tick_rate))
        rows = table.rows(Position, Prey)
        if not len(hunters) or not len(rows):
            return  # those at rest have rested
        radius = table.columns["Predator.catch_radius"][hunters]
        circles = circles_around(table, hunters, radius, SLACK, settings.torus)
        each = threads(), len(hunters)
        nearest, target = np.empty(each), np.empty(each, i32)
        _find_nearest(rows, data, hunters, circles, nearest, target)
        if _choose_targets(nearest, target, data.serial):
            gone = np.zeros(table.size, bool)
            gone[world.dying] = True
            caught, by = _catch(hunters, nearest[0], target[0], gone, data, u64(table.mask([Energy])))
            world.resource(Ledger).catches += len(caught)
            world.resource(Events).add_catches(table.serial[caught], table.serial[by])
            world.despawn_rows(caught)


@kernel
def _awake(hunters, predator, dt):
    """Reduce the remaining rest, and return the predators that don't rest; less than half a tick counts as no rest."""
    awake, count = np.empty_like(hunters), 0
    for row in hunters:
        left = predator[row].rest - dt
        predator[row].rest = left if left > HALF * dt else ZERO
        if predator[row].rest <= ZERO:
            awake[count] = row
            count += 1
    return awake[:count]


@parallel_kernel
def _find_nearest(rows, data, hunters, circles, nearest, target):
    """Find, by portion of the prey and by predator, the squared distance to the nearest prey to catch, and its row."""
    for portion in prange(len(nearest)):
        _find_in_portion(rows, data, hunters, circles, nearest[portion], target[portion], portion, len(nearest))


@inlined
def _find_in_portion(rows, data, hunters, circles, nearest, target, portion, portions):
    for n in range(len(hunters)):
        nearest[n], target[n] = np.inf, -1
    for k in range(len(rows) * portion // portions, len(rows) * (portion + 1) // portions):
        _offer(rows[k], data, hunters, circles, nearest, target)


@inlined
def _offer(row, data, hunters, circles, nearest, target):
    """Make a prey the target of each predator that can catch it and none nearer."""
    here, torus = to_f64(read(data.position[row])), torus_in(circles)
    first, last = listed_at(circles, here)
    for k in range(first, last):
        offset, radius = sub(middle_of(circles, k), here), circles.radius[k]
        if dot(offset, offset) > radius * radius:
            continue
        n = circles.which[k]
        other = hunters[n]
        offset = minimum_image(sub(to_f64(read(data.position[other])), here), torus)
        d2 = dot(offset, offset)
        if d2 > radius * radius or not hunts(other, row, data):
            continue
        if is_nearer(d2, row, nearest[n], target[n], data.serial):
            nearest[n], target[n] = d2, row


@inlined
def is_nearer(d2, row, best_d2, best, serial):
    """Return whether a prey is nearer than the best found so far (-1: none); ties go to the lower serial."""
    return best < 0 or d2 < best_d2 or (d2 == best_d2 and serial[row] < serial[best])


@kernel
def _choose_targets(nearest, target, serial):
    """Merge the results of all portions into the first; return the number of predators with a target."""
    catching = 0
    for n in range(target.shape[1]):
        for portion in range(1, len(target)):
            row = target[portion, n]
            if row >= 0 and is_nearer(nearest[portion, n], row, nearest[0, n], target[0, n], serial):
                nearest[0, n], target[0, n] = nearest[portion, n], row
        catching += target[0, n] >= 0
    return catching


@kernel
def _catch(hunters, nearest, targets, gone, data, lives):
    """Carry out the catches, nearest first, without entities in `gone`; return the rows of prey and hunters, int32.

    Args:
        lives: the presence bit of Energy.
    """
    energy, predator = data.energy, data.predator
    caught, by = np.empty(len(hunters), np.int32), np.empty(len(hunters), np.int32)
    count = 0
    for k in np.argsort(nearest, kind="mergesort"):
        hunter, prey = hunters[k], targets[k]
        if prey < 0 or gone[hunter] or gone[prey]:
            continue
        gone[prey] = True
        caught[count], by[count] = prey, hunter
        count += 1
        predator[hunter].rest = predator[hunter].digest
        if data.presence[hunter] & data.presence[prey] & lives:
            room = max(energy[hunter].capacity - energy[hunter].level, i64(0))
            meal = min(max(energy[prey].level, i64(0)), room)
            energy[hunter].level += meal
            energy[prey].level -= meal
    return caught[:count], by[:count]


def install(app: App) -> None:
    app.add_component(Energy)
    app.add_resource(Events)
    app.add_system(Predation)
