"""Who dies and who is born: asked for here, carried out in COMMIT.

    starved   Energy.level <= 0
    aged      max_age > 0 and age >= max_age
    births    birth_level > 0 and Energy.level >= birth_level, by ascending serial, while fewer than
              population_limit live once the dead are gone and
              those are there whom systems before asked for; the young gets half the energy, rounded down

What the dying still have is booked as lost, whoever asked for their end.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from components.life import Energy, Food, Life
from components.predation import Predator
from components.store.fields import AMOUNT_SCALE
from components.store.table import EntityTable
from components.store.world import World
from systems.engine.app import App
from systems.engine.happenings import Happenings, note
from systems.engine.kernel import inlined, parallel_kernel, prange
from systems.engine.ledger import Ledger
from systems.engine.settings import Settings
from systems.engine.system import Phase, System
from systems.life.inheritance import halved, inherited, make_young
from systems.space.neighbour_lists import by_serial

f64, u8, u64 = np.float64, np.uint8, np.uint64
LIVES, DIES, BEARS = u8(0), u8(1), u8(2)


class Lifecycle(System):
    """Ends those who starved or grew too old, and lets those who have enough have young."""

    phase = Phase.LIFE
    reads = (EntityTable, Life, Settings)  # the young have all components of their parents
    writes = (Energy, Food)
    adds = (Ledger, Happenings)
    after = ("metabolism",)

    def run(self, world: World) -> None:
        table = world.table
        if not (len(table.rows(Energy)) or len(table.rows(Life)) or len(world.dying)):
            return
        energy, life = table.records(Energy), table.records(Life)
        fates = np.zeros(table.size, u8)
        has_energy, has_life = u64(table.mask([Energy])), u64(table.mask([Life]))
        _judge(fates, table.presence, has_energy, has_life, energy, life)
        ends = np.flatnonzero(fates == DIES)
        if len(ends):
            world.despawn_rows(ends)
        dying = world.dying
        fates[dying] = DIES
        if len(dying):
            _book_deaths(world, dying)
        room = world.resource(Settings).population_limit - (table.size - len(dying) + world.coming)
        parents = np.asarray(by_serial(world, np.flatnonzero(fates == BEARS)), np.int64)[: max(room, 0)]
        if len(parents):
            _give_birth(world, parents)


def _book_deaths(world: World, dying: NDArray[np.int64]) -> None:
    table, ledger = world.table, world.resource(Ledger)
    ledger.deaths += len(dying)
    for component, key in ((Energy, "Energy.level"), (Food, "Food.amount")):
        rows = dying[table.presence[dying] & u64(table.mask([component])) != 0]
        ledger.lost += int(table.columns[key][rows].sum())


def _give_birth(world: World, parents: NDArray[np.int64]) -> None:
    """Ask for the young of these parents, whose serials ascend: those of one kind and make together."""
    table = world.table
    serials = np.arange(world.next_serial, world.next_serial + len(parents), dtype=np.int64)
    world.next_serial += len(parents)
    world.resource(Ledger).births += len(parents)
    note(world, "births", parents)
    names = list(world.prefabs)
    makes = np.stack([table.prefab[parents].astype(u64), table.presence[parents]], axis=1)
    for prefab, presence in np.unique(makes, axis=0):
        members = (makes == (prefab, presence)).all(axis=1)
        components = [c for c, bit in table.bit_of.items() if int(presence) >> bit & 1]
        values = inherited(table, parents[members], components)
        make_young(values, components, world.seed, world.tick, serials[members])
        for key in halved(components):
            table.columns[key][parents[members]] -= values[key]
        world.restore(names[int(prefab)], serials[members], components, values)


@parallel_kernel
def _judge(fates, presence, has_energy, has_life, energy, life):
    for row in prange(len(fates)):
        fates[row] = _fate(row, presence[row] & has_energy != 0, presence[row] & has_life != 0, energy, life)


@inlined
def _fate(row, feeds, ages, energy, life):
    if feeds and energy[row].level <= 0:
        return DIES
    if ages and life[row].max_age > 0 and life[row].age >= f64(life[row].max_age) * AMOUNT_SCALE:
        return DIES
    if feeds and ages and 0 < life[row].birth_level <= energy[row].level:
        return BEARS
    return LIVES


def install(app: App) -> None:
    app.add_component(Energy, Food, Life, Predator)
    app.add_system(Lifecycle)
