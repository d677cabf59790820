"""Deaths and births: requested here, carried out in COMMIT; see docs/equations.md, *Food and life*.

The population that limits births leaves out the dying and includes all requested spawns. The remaining energy and food
of the dying are recorded in the ledger as lost, whichever system requested their end.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np
from numpy.typing import NDArray

from components.life import Energy, Food, Life
from components.predation import Predator
from components.store.entities import Entities, Records
from components.store.fields import AMOUNT_SCALE
from components.store.table import EntityTable
from components.store.world import World
from systems.engine.app import App
from systems.engine.kernel import inlined
from systems.engine.ledger import Ledger
from systems.engine.rows import PORTIONS, for_each_portion, gathered, portion_of
from systems.engine.settings import Settings
from systems.engine.system import Phase, System
from systems.life.inheritance import young_of
from systems.space.neighbour_lists import by_serial

f64, i32, i64, u64 = np.float64, np.int32, np.int64, np.uint64

Fates = namedtuple("Fates", "ends parents ending bearing")
"""The rows that die (`ends`) and the rows that give birth (`parents`), int32; those of a portion begin at the portion's
first row. `ending` and `bearing`: their numbers by portion, int64 (PORTIONS,)."""


class Lifecycle(System):
    """Ends entities that starved or grew too old, and lets those with enough energy have young."""

    phase = Phase.LIFE
    reads = (EntityTable, Life, Settings)  # young get all components of their parents
    writes = (Energy, Food)
    adds = (Ledger,)
    after = ("metabolism",)

    def applies(self, world: World) -> bool:
        return len(world.table.rows(Energy)) > 0 or len(world.table.rows(Life)) > 0 or len(world.dying) > 0

    def run(self, world: World) -> None:
        table = world.table
        fates = Fates(
            np.empty(table.size, i32), np.empty(table.size, i32), np.empty(PORTIONS, i64), np.empty(PORTIONS, i64)
        )
        bits = u64(table.mask([Energy])), u64(table.mask([Life]))
        _judge(table.size, table.presence, *bits, table.records(Energy), table.records(Life), fates)
        if fates.ending.any():
            world.despawn_rows(gathered(fates.ends, fates.ending))
        dying = world.dying
        if len(dying):
            _book_deaths(world, dying)
        if not fates.bearing.any():
            return
        parents = gathered(fates.parents, fates.bearing)
        room = world.resource(Settings).population_limit - (table.size - len(dying) + world.waiting.coming)
        parents = by_serial(world, np.setdiff1d(parents, dying, assume_unique=True))[: max(room, 0)]
        if len(parents):
            give_birth(world, np.asarray(parents, i64))


def _book_deaths(world: World, dying: NDArray[np.int64]) -> None:
    table, ledger = world.table, world.resource(Ledger)
    ledger.deaths += len(dying)
    for component, key in ((Energy, "Energy.level"), (Food, "Food.amount")):
        rows = dying[table.has(dying, component)]
        ledger.lost += int(table.columns[key][rows].sum())


def give_birth(world: World, parents: NDArray[np.int64]) -> None:
    """Request one young for each of these parents, whose serials must ascend; one request for each kind of young."""
    table = world.table
    serials = np.arange(world.next_serial, world.next_serial + len(parents), dtype=np.int64)
    world.next_serial += len(parents)
    nearby = np.argsort(parents)  # the young take rows in this order, so relatives are near each other in memory
    parents, serials = parents[nearby], serials[nearby]
    world.resource(Ledger).births += len(parents)
    presence, components, prefabs = table.presence[parents], tuple(table.bit_of), tuple(world.prefabs.values())
    makes = sorted(set(presence.tolist()))
    for make in makes:
        alike = presence == make if len(makes) > 1 else slice(None)
        own, bearing = serials[alike], parents[alike]
        young = young_of(table, bearing, table.components_in(make), world.seed, world.tick, own)
        world.bring(
            Entities(
                axes=table.axes,
                components=components,
                prefabs=prefabs,
                serial=own,
                prefab=table.prefab[bearing],
                presence=presence[alike],
                records={name: Records(slice(0, len(own)), values) for name, values in young.items()},
                parents=table.serial[bearing],
            )
        )


@for_each_portion
def _judge(portion, size, presence, has_energy, has_life, energy, life, fates):
    """Note the rows that die and those that give birth."""
    first, last = portion_of(portion, size)
    ending, bearing = first, first
    for row in range(first, last):
        feeds, ages = presence[row] & has_energy != 0, presence[row] & has_life != 0
        if (feeds and energy[row].level <= 0) or (ages and _is_old(life[row])):
            fates.ends[ending] = row
            ending += 1
        elif feeds and ages and 0 < life[row].birth_level <= energy[row].level:
            fates.parents[bearing] = row
            bearing += 1
    fates.ending[portion], fates.bearing[portion] = ending - first, bearing - first


@inlined
def _is_old(life):
    return life.max_age > 0 and life.age >= f64(life.max_age) * AMOUNT_SCALE


def install(app: App) -> None:
    app.add_component(Energy, Food, Life, Predator)
    app.add_system(Lifecycle)
