"""How much memory is held by what is kept: by steps that can be undone, and by commands in the log."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from components.store.entities import Entities
from components.store.grids import Grid
from sandbox.design.scene import Entry
from sandbox.serials import Serials
from sandbox.undo.coming import Come, Go, Handled
from sandbox.undo.settings import Setting
from sandbox.undo.values import Values

NUMBER = 32  # bytes of one, in a tuple


def size_of(thing: object) -> int:
    """About how many bytes a change or a part of a command holds; entities, values and places are what is large."""
    if isinstance(thing, np.ndarray):
        return thing.nbytes if any(thing.strides) else thing.itemsize  # of one value for all, that value alone
    if isinstance(thing, Values | Setting | Grid | Come | Go | Handled | Entities | Serials | Entry):
        return sum(map(size_of, vars(thing).values()))
    if isinstance(thing, Mapping):
        return sum(map(size_of, thing.values()))
    if isinstance(thing, tuple):
        return sum(map(size_of, thing))
    return NUMBER if isinstance(thing, float) else 0
