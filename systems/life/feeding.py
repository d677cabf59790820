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
from systems.engine.data import data_of
from systems.engine.kernel import inlined, kernel, subroutine
from systems.engine.ledger import Ledger
from systems.engine.rows import PORTIONS, for_each_portion, gathered, portion_of
from systems.engine.settings import Settings
from systems.engine.system import PLACE, Phase, System
from systems.exact.fixed_point import per_tick
from systems.space.food import FoodMap, circles_of, food_at, patches_of

i32, i64 = np.int32, np.int64


Meals = namedtuple("Meals", "rows which counts")
"""Who eats what.

Attributes:
    rows: int32 (n,), the eaters' rows; those of each portion begin where the portion begins.
    which: int32 (n,), the indexes of their food in `FoodMap.rows`.
    counts: int64 (PORTIONS,), the number of eaters in each portion.
"""


class Feeding(System):
    """Lets food grow again, and animals eat the food in whose circle they are."""

    phase = Phase.LIFE
    after = ("predation",)
    reads = (*PLACE, Predator, "Energy.capacity", FoodMap, Settings)
    writes = (Food, "Energy.level")
    adds = (Ledger,)
    needs = (Position, Food)

    def run(self, world: World) -> None:
        table, data, settings = world.table, data_of(self, world), world.resource(Settings)
        food, ledger, tick_rate = world.resource(FoodMap), world.resource(Ledger), settings.tick_rate
        if grown := _regrow(food.rows, data.food, tick_rate):
            ledger.regrown += grown
        patches, rows = food.patches, table.rows(Position, Energy)
        if len(table.rows(Position, Velocity, Motion, Food)):  # food that moved since SENSE
            patches = patches_of(table, circles_of(table, food.rows), settings.torus)
        meals = Meals(np.empty(len(rows), i32), np.empty(len(rows), i32), np.empty(PORTIONS, i64))
        _find(rows, data, patches, food.rows, np.uint64(table.mask([Predator])), meals)
        if meals.counts.any():
            ledger.meals += _serve(meals, world.dying, food.rows, data, tick_rate)


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


@for_each_portion
def _find(portion, rows, data, patches, foods, predators, meals):
    """Find the food that each of these rows eats, if any; `predators` is the presence bit of Predator."""
    first, last = portion_of(portion, len(rows))
    at = first
    for k in range(first, last):
        energy, found = data.energy[rows[k]], i64(-1)
        if energy.level < energy.capacity:
            found = food_at(rows[k], data, patches, foods, predators, False)
        if found >= 0:
            meals.rows[at], meals.which[at] = rows[k], found
            at += 1
    meals.counts[portion] = at - first


@kernel
def _serve(meals, dying, foods, data, tick_rate):
    """Feed the eaters, by ascending serial if food does not suffice for all (otherwise the order is irrelevant).

    Args:
        dying: the rows of entities that don't eat, ascending.
    Returns:
        The number of eaters that got something.
    """
    energy, food = data.energy, data.food
    rows, which = _without(gathered(meals.rows, meals.counts), gathered(meals.which, meals.counts), dying)
    asked, served, late = np.zeros(len(foods), i64), i64(0), 0
    for k in range(len(rows)):
        asked[which[k]] += _wanted(rows[k], foods[which[k]], energy, food, tick_rate)
    for n in range(len(foods)):
        asked[n] -= food[foods[n]].amount  # now the missing amount
    for k in range(len(rows)):
        if asked[which[k]] > 0:
            rows[late], which[late] = rows[k], which[k]
            late += 1
        else:
            served += _eat(rows[k], foods[which[k]], energy, food, tick_rate)
    for k in np.argsort(data.serial[rows[:late]]):
        served += _eat(rows[k], foods[which[k]], energy, food, tick_rate)
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
def _without(rows, which, dying):
    """Return these rows, which must be ascending, and which food each eats, without the dying ones."""
    count, dead = 0, 0
    for k in range(len(rows)):
        while dead < len(dying) and dying[dead] < rows[k]:
            dead += 1
        if dead == len(dying) or dying[dead] != rows[k]:
            rows[count], which[count] = rows[k], which[k]
            count += 1
    return rows[:count], which[:count]


def install(app: App) -> None:
    app.add_component(Velocity, Motion, Energy)
    app.add_system(Feeding)
