"""Values of columns as scene files write them, as arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.store.fields import AMOUNT_SCALE, Kind
from components.store.world import World

WORDS = (Kind.CHOICE, Kind.COLOUR, Kind.PREFABS)
"""The kinds that are stored as numbers and written as words."""


def shown_values(world: World, column: str, rows: NDArray[np.integer[Any]]) -> NDArray[Any]:
    """Return the values of a column in these rows as files write them, shape (n,).

    Choices and colours are texts, sets of prefabs tuples of their names (dtype object), amounts float64.
    """
    field = world.table.field(column)
    stored: NDArray[Any] = world.table.columns[column][rows]
    if field.kind is Kind.AMOUNT:
        return np.asarray(stored / AMOUNT_SCALE)
    if field.kind not in WORDS:
        return stored
    values, which = np.unique(stored, return_inverse=True)
    words = np.empty(len(values), object)
    for n, value in enumerate(values.tolist()):
        shown = field.show(value, tuple(world.prefabs))
        words[n] = tuple(shown) if field.kind is Kind.PREFABS else shown
    return (words if field.kind is Kind.PREFABS else words.astype(str))[which]
