"""A world's state, held still: what a thread may sort, pack and write while the world goes on.

Taking it copies whole records and no more: sorting by serial and picking columns, most of the work, can wait for the
thread.
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
    """All that a snapshot says; `meta` is a JSON text."""

    savepoint: Savepoint
    meta: bytes

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write a snapshot, whole or not at all.

        Raises:
            WriteError: it can't be written; a file that stood there is whole.
        """
        write_atomically(path, self.packed())

    def packed(self) -> bytes:
        """The bytes of a snapshot."""
        return pack({**arrays_of(self.savepoint), "meta": np.frombuffer(self.meta, np.uint8)})


def hold(world: World) -> HeldState:
    """The state as it is now."""
    meta = json.dumps(meta_of(world), allow_nan=False).encode()
    return HeldState(Savepoint.take(world), meta)


def arrays_of(savepoint: Savepoint, *, drawn: bool = True) -> Arrays:
    """Every array of a snapshot but `meta`, shape (n,); `drawn`: also of resources what is only for eyes."""
    arrays = arrays_of_entities(savepoint)
    for kind, stored in savepoint.stored.items():
        for field in grids_of(kind):
            if stored[field.key].amounts.size and (drawn or not field.drawn):
                arrays[f"{PREFIX}{field.key}"] = stored[field.key].amounts.ravel()
    return arrays
