"""How much memory is held by what is kept: by steps that can be undone, and by commands in the log."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from sandbox.design.scene import Entry
from sandbox.edit.entity_copies import ArchetypeGroup, EntityCopies
from sandbox.edit.undo.coming import Come, Go, Handled
from sandbox.edit.undo.values import Values
from sandbox.serials import Serials

NUMBER = 32  # bytes of one, in a tuple


def size_of(thing: object) -> int:
    """About how many bytes a change or a part of a command holds; entities, values and places are what is large."""
    if isinstance(thing, np.ndarray):
        return thing.nbytes if any(thing.strides) else thing.itemsize  # of one value for all, that value alone
    if isinstance(thing, Values | Come | Go | Handled | EntityCopies | ArchetypeGroup | Serials | Entry):
        return sum(map(size_of, vars(thing).values()))
    if isinstance(thing, Mapping):
        return sum(map(size_of, thing.values()))
    if isinstance(thing, tuple):
        return sum(map(size_of, thing))
    return NUMBER if isinstance(thing, float) else 0
