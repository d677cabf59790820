"""Estimates the memory of undo steps and of commands in the log."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.store.entities import Entities
from components.store.grids import Grid
from components.store.savepoint import Savepoint
from sandbox.design.scene import Entry
from sandbox.serials import Serials
from sandbox.undo.coming import EditedAlone, Remove, Restore
from sandbox.undo.values import Values
from sandbox.undo.world_values import Setting

NUMBER = 32  # bytes of a number in a tuple


def size_of(thing: object) -> int:
    """Estimate the bytes of a change or of a part of a command; only entities, values and places count."""
    if isinstance(thing, np.ndarray):
        return thing.nbytes if any(thing.strides) else thing.itemsize  # a broadcast array stores one value
    if isinstance(thing, Values | Setting | Grid | Restore | Remove | EditedAlone | Entities | Serials | Entry):
        return sum(map(size_of, vars(thing).values()))
    if isinstance(thing, Mapping):
        return sum(map(size_of, thing.values()))
    if isinstance(thing, tuple):
        return sum(map(size_of, thing))
    if isinstance(thing, str):
        return len(thing)
    return NUMBER if isinstance(thing, float) else 0


def arrays_of(savepoint: Savepoint) -> Iterator[NDArray[Any]]:
    """Yield all arrays of a savepoint, to measure its memory: savepoints share some."""
    yield from (savepoint.serial, savepoint.prefab, savepoint.presence)
    for kept in savepoint.records.values():
        yield kept.values
        if isinstance(kept.rows, np.ndarray):
            yield kept.rows
    for stored in savepoint.stored.values():
        yield from (value.amounts for value in stored.values() if isinstance(value, Grid))
