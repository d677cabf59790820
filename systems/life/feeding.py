"""Food grows again, and animals eat the food in whose circle they are; see docs/equations.md, *Food and life*.

The eaters gain exactly the amount that the food loses.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from components.life import Energy, Food
from components.motion import Motion, Position, Velocity
from components.predation import Predator
from components.store.world import World
from systems.engine.app import App
from systems.engine.kernel import inlined, kernel, subroutine
from systems.engine.ledger import Ledger
from systems.engine.rows import PARTS, for_each_part, gathered, part_of
from systems.engine.settings import Settings
from systems.engine.system import Phase, System
from systems.exact.amounts import per_tick
from systems.space.food import FoodMap, food_at, patches_of

i32, i64 = np.int32, np.int64


Eaters = namedtuple("Eaters", "position energy food prefab presence hunts")
"""The records that are read of eaters and food, by table row.

hunts: uint64, the presence bit of Predator."""

Meals = namedtuple("Meals", "rows places counts")
"""The eaters' rows, int32, and the indexes of their food in `FoodMap.rows`, int32: those of each part begin where the
part begins; counts: int64 (PARTS,), how many they are."""


class Feeding(System):
    """Lets food grow again, and animals eat the food in whose circle they are."""

    phase = Phase.LIFE
    after = ("predation",)
    reads = ("Position.x", "Position.y", Predator, "Energy.capacity", FoodMap, Settings)
    writes = (Food, "Energy.level")
    adds = (Ledger,)
    needs = (Position, Food)

    def run(self, world: World) -> None:
        table, index, tick_rate = world.table, world.resource(FoodMap), world.resource(Settings).tick_rate
        ledger, food, energy = world.resource(Ledger), table.records(Food), table.records(Energy)
        if grown := _regrow(index.rows, food, tick_rate):
            ledger.regrown += grown
        patches, rows = index.patches, table.rows(Position, Energy)
        if len(table.rows(Position, Velocity, Motion, Food)):  # food that moved since it was indexed
            patches = patches_of(table, index.rows, index.torus)
        hunts = np.uint64(table.mask([Predator]))
        eaters = Eaters(table.records(Position), energy, food, table.prefab, table.presence, hunts)
        meals = Meals(np.empty(len(rows), i32), np.empty(len(rows), i32), np.empty(PARTS, i64))
        _find(rows, eaters, patches, index.rows, meals)
        if meals.counts.any():
            served = _serve(meals, world.dying, index.rows, energy, food, table.serial, tick_rate)
            ledger.meals += served


@kernel
def _regrow(rows, food, tick_rate):
    grown = i64(0)
    for row in rows:
        missing = food[row].capacity - food[row].amount
        more = min(per_tick(food[row].regrowth, tick_rate), missing)
        if more > 0:
            food[row].amount += more
            grown += more
    return grown


@for_each_part
def _find(part, rows, eaters, patches, foods, meals):
    """Find the food that each of these rows eats, if any."""
    first, last = part_of(part, len(rows))
    at = first
    for k in range(first, last):
        energy = eaters.energy[rows[k]]
        place = i64(-1) if energy.level >= energy.capacity else food_at(rows[k], eaters, patches, foods, False)
        if place >= 0:
            meals.rows[at], meals.places[at] = rows[k], place
            at += 1
    meals.counts[part] = at - first


@kernel
def _serve(meals, dying, foods, energy, food, serial, tick_rate):
    """Feed the eaters, by ascending serial if food does not suffice for all (otherwise the order is irrelevant).

    Args:
        dying: the rows of entities that don't eat, ascending.
    Returns:
        The number of eaters that got something.
    """
    rows, places = _without(gathered(meals.rows, meals.counts), gathered(meals.places, meals.counts), dying)
    asked, served, late = np.zeros(len(foods), i64), i64(0), 0
    for k in range(len(rows)):
        asked[places[k]] += _wanted(rows[k], foods[places[k]], energy, food, tick_rate)
    for n in range(len(foods)):
        asked[n] -= food[foods[n]].amount  # now the missing amount
    for k in range(len(rows)):
        if asked[places[k]] > 0:
            rows[late], places[late] = rows[k], places[k]
            late += 1
        else:
            served += _eat(rows[k], foods[places[k]], energy, food, tick_rate)
    for k in np.argsort(serial[rows[:late]]):
        served += _eat(rows[k], foods[places[k]], energy, food, tick_rate)
    return served


@inlined
def _wanted(row, source, energy, food, tick_rate):
    return min(per_tick(food[source].bite, tick_rate), energy[row].capacity - energy[row].level)


@inlined
def _eat(row, source, energy, food, tick_rate):
    got = min(_wanted(row, source, energy, food, tick_rate), food[source].amount)
    energy[row].level += got
    food[source].amount -= got
    return got > 0


@subroutine
def _without(rows, places, dying):
    """Return these rows, which must be ascending, and their places, without the dying ones."""
    count, dead = 0, 0
    for k in range(len(rows)):
        while dead < len(dying) and dying[dead] < rows[k]:
            dead += 1
        if dead == len(dying) or dying[dead] != rows[k]:
            rows[count], places[count] = rows[k], places[k]
            count += 1
    return rows[:count], places[:count]


def install(app: App) -> None:
    app.add_component(Position, Velocity, Motion, Predator, Energy, Food)
    app.add_system(Feeding)
