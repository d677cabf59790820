"""A table of size, shape and colour of animals: one entry for each prefab, and one for each row if any look differs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from components.look import Look
from components.store.table import MOST_PREFABS, EntityTable
from systems.engine.kept import kept
from systems.engine.kernel import inlined, kernel
from systems.engine.rows import PARTS, for_each_part, for_each_row, part_of
from systems.view.layers import animals

LOOK = np.dtype([("size", np.float32), ("shape_colour", np.uint32)])
"""Half the length (u), and 0xSSRRGGBB: shape and colour."""

Looks = NDArray[np.void]


@kept
def looks_of(table: EntityTable, clocks: tuple[int, ...]) -> Looks:
    """Return looks, dtype LOOK: that of each prefab's first animal, (MOST_PREFABS,); if one differs, also of rows.

    If all animals of each prefab look alike, the values stay the same when animals are born, die or change their rows.
    """
    rows, records = animals(table), table.records(Look)
    looks, known = np.zeros(MOST_PREFABS, LOOK), np.zeros(MOST_PREFABS, bool)
    _note_first(rows, table.prefab, records, known, looks)
    others = np.zeros(PARTS, np.int64)
    _count_others(rows, table.prefab, records, looks, others)
    if others.any():
        looks = np.append(looks, np.zeros(table.size, LOOK))
        _note_all(rows, records, looks)
    return looks


@kernel
def _note_first(rows, prefab, look, known, looks):
    for row in rows:
        if not known[prefab[row]]:
            known[prefab[row]] = True
            _note(look[row], looks[prefab[row]])


@for_each_part
def _count_others(part, rows, prefab, look, looks, others):
    begin, end = part_of(part, len(rows))
    for k in range(begin, end):
        others[part] += look_number(rows[k], prefab, look, looks) >= MOST_PREFABS


@for_each_row
def _note_all(row, look, looks):
    _note(look[row], looks[MOST_PREFABS + row])


@inlined
def _note(look, noted):
    noted.size, noted.shape_colour = look.size, shape_colour(look)


@inlined
def shape_colour(look):
    return np.uint32(look.colour) | np.uint32(look.shape) << np.uint32(24)


@inlined
def look_number(row, prefab, look, looks):
    """Return the index of a row's look in `looks_of`."""
    usual, own = looks[np.uint64(prefab[row])], look[row]
    if usual.size == own.size and usual.shape_colour == shape_colour(own):
        return np.int64(prefab[row])
    return MOST_PREFABS + np.int64(row)
