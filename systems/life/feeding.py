"""Food grows again, and whoever stands in it eats.

    regrowth   amount += min(regrowth, what is missing to capacity)
    a bite     min(bite, what is missing to the eater's capacity), of the nearest food in whose circle it stands

Of one food the eaters are served by ascending serial, until it is empty. Everyone eats, hungry or not. Rates per s
are rounded to whole units per tick; what food loses the eaters gain, to the unit.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np
from numpy.typing import NDArray

from components.life import Energy, Food
from components.motion import Motion, Position, Velocity
from components.predation import Predator
from components.store.table import EntityTable
from components.store.world import World
from systems.engine.app import App
from systems.engine.kernel import kernel, parallel_kernel, prange
from systems.engine.ledger import Ledger
from systems.engine.settings import Settings
from systems.engine.system import Phase, System
from systems.exact.amounts import per_tick
from systems.space.food import FoodMap, build_patches, food_at, patches_of

i32, i64 = np.int32, np.int64


Eaters = namedtuple("Eaters", "position energy food prefab presence hunts")
"""What is read of eaters and food by table row.

hunts: uint64, the presence bit of Predator."""


class Feeding(System):
    """Lets food grow again, and everyone eat of the food it stands in."""

    phase = Phase.LIFE
    after = ("predation",)
    reads = ("Position.x", "Position.y", Predator, "Energy.capacity", FoodMap, Settings)
    writes = (Food, "Energy.level")
    adds = (Ledger,)
    needs = (Position, Food)

    def run(self, world: World) -> None:
        table, index, tick_rate = world.table, world.resource(FoodMap), world.resource(Settings).tick_rate
        ledger = world.resource(Ledger)
        energy, food = table.records(Energy), table.records(Food)
        ledger.regrown += int(_regrow(index.rows, food, tick_rate))
        rows = table.rows(Position, Energy)
        meals = _found(world, index, rows)
        eaters = np.flatnonzero(meals >= 0)
        if len(eaters):
            rows, meals = rows[eaters], meals[eaters]
            asked = np.zeros(len(index.rows), i64)
            _ask(rows, meals, index.rows, energy, food, tick_rate, asked)
            short = asked[meals] > table.columns["Food.amount"][index.rows[meals]]
            rows, meals = _in_turn(table, rows, meals, short)
            ledger.meals += int(_serve(rows, meals, index.rows, energy, food, tick_rate))


def _found(world: World, index: FoodMap, rows: NDArray[np.int32]) -> NDArray[np.int32]:
    """Of which food each of these rows eats: its place in the index's rows, -1 for none. The dying don't eat."""
    table = world.table
    patches = index.patches
    if len(table.rows(Position, Velocity, Motion, Food)):  # food that moved since it was indexed
        patches = build_patches(patches_of(table, index.rows, index.shapes.torus))
    records = (table.records(c) for c in (Position, Energy, Food))
    eaters = Eaters._make((*records, table.prefab, table.presence, np.uint64(table.mask([Predator]))))
    meals = np.empty(len(rows), i32)
    _find(rows, eaters, patches, index.rows, meals)
    if len(rows) and len(dying := world.dying):
        places = np.searchsorted(rows, dying)
        meals[places[rows.take(places, mode="clip") == dying]] = -1
    return meals


def _in_turn(
    table: EntityTable, rows: NDArray[np.int32], meals: NDArray[np.int32], short: NDArray[np.bool_]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Eaters and their meals, those who find too little for all by ascending serial: for others no order matters."""
    served_in_turn = np.flatnonzero(short)
    by_serial = served_in_turn[np.argsort(table.serial[rows[served_in_turn]])]
    order = np.concatenate([np.flatnonzero(~short), by_serial])
    return rows[order], meals[order]


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


@parallel_kernel
def _find(rows, eaters, patches, foods, meals):
    for k in prange(len(rows)):
        energy = eaters.energy[rows[k]]
        meals[k] = -1 if energy.level >= energy.capacity else food_at(rows[k], eaters, patches, foods, False)


@kernel
def _ask(rows, meals, foods, energy, food, tick_rate, asked):
    """Add up what all want of each food."""
    for k in range(len(rows)):
        room = energy[rows[k]].capacity - energy[rows[k]].level
        asked[meals[k]] += min(per_tick(food[foods[meals[k]]].bite, tick_rate), room)


@kernel
def _serve(rows, meals, foods, energy, food, tick_rate):
    """Let them eat, one after the other; returns how many got something."""
    served = i64(0)
    for k in range(len(rows)):
        row, source = rows[k], foods[meals[k]]
        room = energy[row].capacity - energy[row].level
        got = min(min(per_tick(food[source].bite, tick_rate), room), food[source].amount)
        energy[row].level += got
        food[source].amount -= got
        served += got > 0
    return served


def install(app: App) -> None:
    app.add_component(Position, Velocity, Motion, Predator, Energy, Food)
    app.add_system(Feeding)
