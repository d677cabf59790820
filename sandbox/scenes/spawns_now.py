"""Returns the `[[spawn]]` tables of a running world.

Entities that were placed, moved or edited individually get a table each; a crowd keeps one, with the number of the
living as count. Movement by itself is not saved: an entity that the scene placed starts at the same place again.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sandbox.design.origins import Origins
from sandbox.scenes.design import Table, shown_entry
from sandbox.scenes.shown_entities import shown_entities
from sandbox.simulation import Simulation

Rows = NDArray[np.int64]


def spawns_now(simulation: Simulation) -> list[tuple[int | None, Table]]:
    """Return each table with the index of the scene's entry that it comes from, or None."""
    world = simulation.world
    names = tuple(world.prefabs)
    origins = world.resource(Origins)
    rows = np.argsort(world.table.serial[: world.table.size])
    serials = world.table.serial[rows]
    handled = np.isin(serials, origins.handled.array)
    ranges = [slice(*np.searchsorted(serials, (first, last)).tolist()) for first, last, _ in origins.entries]
    alone = np.ones(len(rows), bool)  # entities that get a table of their own, behind all others
    for members in ranges:
        alone[members] = handled[members]
    young = _count_born(simulation, ranges, rows, handled, alone)
    in_scene = [place if place < len(simulation.scene.entries) else None for place in range(len(ranges))]

    spawns: list[tuple[int | None, Table]] = []
    for place, ((_, _, entry), members) in enumerate(zip(origins.entries, ranges)):
        living, theirs = rows[members], handled[members]
        is_whole = len(living) == entry.entities and not theirs.any()
        if len(living) and not is_whole and (entry.points or entry.entities == 1):
            alone[members] = False
            tables = shown_entities(world, living, always=entry.values)
            spawns += [(in_scene[place] if n == 0 else None, table) for n, table in enumerate(tables)]
            continue
        count = int((~theirs).sum()) + young[place]
        if count or not entry.entities:
            entry = entry if entry.points else replace(entry, count=count)
            spawns.append((in_scene[place], shown_entry(entry, entry.prefab, world.table.components, names)))
    return spawns + [(None, table) for table in shown_entities(world, rows[alone])]


def _count_born(
    simulation: Simulation, ranges: list[slice], rows: Rows, handled: NDArray[np.bool_], alone: NDArray[np.bool_]
) -> Counter[int]:
    """Count entities that were born, by the entry that includes them: the first crowd of their prefab, if any."""
    world, entries = simulation.world, simulation.world.resource(Origins).entries
    crowds: dict[int, int] = {}
    for place, ((_, _, entry), members) in enumerate(zip(entries, ranges)):
        is_crowd = entry.entities and not entry.points and not entry.at
        if is_crowd and not (entry.entities == 1 and handled[members].any()):
            crowds.setdefault(world.prefab_index(entry.prefab), place)
    counted: Counter[int] = Counter()
    for n in np.flatnonzero(alone & ~handled).tolist():
        prefab = int(world.table.prefab[rows[n]])
        if prefab in crowds:
            counted[crowds[prefab]] += 1
            alone[n] = False
    return counted
