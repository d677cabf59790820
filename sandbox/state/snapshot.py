"""Snapshots: the exact state of a simulation in a file, and its digest.

A snapshot (`.npz`) has the arrays of entities (see `entity_arrays.py`), for each grid R.field of a resource an array
`resources.R.field`, line after line, and `meta`, a JSON text. It is the state between two ticks; waiting commands
are not part of the world, and not in it.
"""

from __future__ import annotations

import hashlib
import io
import os
from contextlib import closing
from dataclasses import dataclass

import numpy as np

from components.store.entities import Entities
from components.store.savepoint import Savepoint
from components.store.world import World
from sandbox.design.rules import check_world
from sandbox.mods.load.loaded_mods import LoadedMods
from sandbox.state.array_file import ArrayFile, SnapshotError, little_endian
from sandbox.state.budget import Budget
from sandbox.state.entity_arrays import read_entities
from sandbox.state.grids import read_grids
from sandbox.state.held_state import arrays_of
from sandbox.state.meta import canonical
from sandbox.state.read_meta import Meta, other_versions, read_meta
from sandbox.state.strict_zip import OF_CHARACTER

MOST_META = 8 << 20  # bytes
META = np.dtype(np.uint8)


@dataclass(frozen=True)
class Digest:
    """A frozen copy of all that a digest depends on: a thread can compute it while the world goes on."""

    savepoint: Savepoint
    canonical: bytes

    @classmethod
    def of(cls, world: World, savepoint: Savepoint | None = None) -> Digest:
        """Copy the present state, unless `savepoint` has it already."""
        return cls(savepoint or Savepoint.take(world), canonical(world))

    def value(self) -> str:
        """Return the SHA-256 of the state without names, descriptions and how it is drawn, 64 hexadecimal digits.

        Each array, in order of name, is hashed as name, dtype and shape, `"Velocity.x <f4 (3000,)\\n"`, followed by its
        data, little-endian; at the end comes `meta` as JSON with sorted keys and no spaces, see `canonical`.
        """
        sha = hashlib.sha256()
        for name, array in sorted(arrays_of(self.savepoint, drawn=False).items()):
            stored = little_endian(array)
            sha.update(f"{name} {stored.dtype.str} ({len(stored)},)\n".encode())
            sha.update(stored.data)
        sha.update(self.canonical)
        return sha.hexdigest()


@dataclass(frozen=True)
class Snapshot:
    """The checked contents of a snapshot.

    Attributes:
        file: the file that it was read from, closed; errors name it.
    """

    file: ArrayFile
    meta: Meta
    entities: Entities

    def restore(self, world: World) -> None:
        """Restore tick, serials and entities in the empty world that was made of its scene.

        Raises:
            SnapshotError: they break a rule that involves several fields.
        """
        world.tick, world.next_serial = self.meta.tick, self.meta.next_serial
        world.bring(self.entities)
        try:
            check_world(world)
        except ValueError as error:
            raise self.file.error(str(error)) from None


def read_snapshot(
    path: str | os.PathLike[str], mods: LoadedMods, content: bytes | None = None, budget: Budget | None = None
) -> Snapshot:
    """Read and check a snapshot with these mods.

    Args:
        content: its bytes; None: read the file at `path`.
        budget: is charged with `meta`; arrays must fit into what is left.
    Raises:
        SnapshotError: it is not a snapshot, is damaged, or needs parts that this program lacks.
    """
    assembly = mods.assembly
    app = assembly.app
    with closing(ArrayFile(path, None if content is None else io.BytesIO(content))) as file:
        header = file.headers.get("meta")
        if header is None or header.length > MOST_META:
            raise file.error("has no meta that tells what it is: it is not a snapshot")
        try:
            text = file.read("meta", META, header.length).tobytes()
            if budget is not None:
                budget.take(OF_CHARACTER * len(text))
                budget.check(file.size)
            meta = read_meta(text, app, mods)
            grids = read_grids(meta.grids, file, meta.scene, app)
            prefabs = tuple(meta.scene.prefabs.values())
            entities = read_entities(file, assembly, prefabs, meta.next_serial, {"meta", *grids}, meta.shapes)
        except SnapshotError:
            raise
        except ValueError as error:
            told = str(error).replace("\n", "; ")
            raise file.error(f"{told}{other_versions(text, mods)}") from None
    return Snapshot(file, meta, entities)
