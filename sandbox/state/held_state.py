"""A frozen copy of a world's state, which a thread can sort, pack and write while the world goes on.

Taking it only copies whole records; sorting by serial and extracting columns, most of the work, are left to the thread.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass

import numpy as np

from components.store.savepoint import Savepoint
from components.store.world import World
from sandbox.files import write_atomically
from sandbox.state.array_file import pack
from sandbox.state.entity_arrays import Arrays, arrays_of_entities
from sandbox.state.grids import PREFIX, grids_of
from sandbox.state.meta import meta_of


@dataclass(frozen=True)
class HeldState:
    """The contents of a snapshot; `meta` is a JSON text."""

    savepoint: Savepoint
    meta: bytes

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write a snapshot atomically.

        Raises:
            WriteError: it can't be written; an existing file is unchanged.
        """
        write_atomically(path, self.packed())

    def packed(self) -> bytes:
        """Return the bytes of a snapshot."""
        return pack({**arrays_of(self.savepoint), "meta": np.frombuffer(self.meta, np.uint8)})


def hold(world: World) -> HeldState:
    """Copy the present state."""
    meta = json.dumps(meta_of(world), allow_nan=False).encode()
    return HeldState(Savepoint.take(world), meta)


def arrays_of(savepoint: Savepoint, *, drawn: bool = True) -> Arrays:
    """Return all arrays of a snapshot except `meta`, shape (n,); `drawn`: also grids that matter only for drawing."""
    arrays = arrays_of_entities(savepoint)
    for kind, stored in savepoint.stored.items():
        for field in grids_of(kind):
            if stored[field.key].amounts.size and (drawn or not field.drawn):
                arrays[f"{PREFIX}{field.key}"] = stored[field.key].amounts.ravel()
    return arrays
