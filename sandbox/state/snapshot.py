"""Snapshots: the exact state of a simulation in a file, and its digest.

A snapshot (`.npz`) holds for each component C that anyone has an array `C` of the serials of those who have it,
ascending, and for each of its fields an array `C.field` in the same order (a vector's `C.field.x` and `.y`);
`prefab`, for every serial ascending; for each grid R.field of a resource `resources.R.field`, line after line; and
`meta`, a JSON text. Transient fields are in none. It is the state between
two ticks: commands that still wait to be carried out belong to the program, not to the world, and are not in it.
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
from sandbox.state.entity_arrays import read_entities
from sandbox.state.grids import read_grids
from sandbox.state.held_state import arrays_of
from sandbox.state.meta import canonical
from sandbox.state.read_meta import Meta, other_versions, read_meta

MOST_META = 8 << 20  # bytes
META = np.dtype(np.uint8)


@dataclass(frozen=True)
class Digest:
    """What the digest of a state is made of, held still: another thread may compute it while the world goes on."""

    savepoint: Savepoint
    canonical: bytes

    @classmethod
    def of(cls, world: World, savepoint: Savepoint | None = None) -> Digest:
        """That of the state as it is now, where `savepoint` holds it already: of that."""
        return cls(savepoint or Savepoint.take(world), canonical(world))

    def value(self) -> str:
        """SHA-256 of the state but for names, descriptions and how it is drawn, 64 hexadecimal digits.

        Of each array in order of name: the name, dtype and shape as `"Velocity.x <f4 (3000,)\\n"`, then its data,
        little-endian; last, see `canonical`, `meta` as JSON with sorted keys and no spaces.
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
    """What a snapshot says, checked.

    Attributes:
        file: what it was read from, closed: errors name it.
    """

    file: ArrayFile
    meta: Meta
    entities: Entities

    def restore(self, world: World) -> None:
        """Bring tick, serials and entities into the empty world that was made of its scene.

        Raises:
            SnapshotError: they break a rule across fields.
        """
        world.tick, world.next_serial = self.meta.tick, self.meta.next_serial
        self.entities.come(world)
        try:
            check_world(world)
        except ValueError as error:
            raise self.file.error(str(error)) from None


def read_snapshot(path: str | os.PathLike[str], mods: LoadedMods, content: bytes | None = None) -> Snapshot:
    """What a snapshot says, with these mods.

    Args:
        content: its bytes; without them those of the file at `path`.
    Raises:
        SnapshotError: it is none, damaged, or needs what this program lacks.
    """
    assembly = mods.assembly
    app = assembly.app
    with closing(ArrayFile(path, None if content is None else io.BytesIO(content))) as file:
        header = file.headers.get("meta")
        if header is None or header.length > MOST_META:
            raise file.error("has no meta that tells what it is: it is not a snapshot")
        try:
            text = file.read("meta", META, header.length).tobytes()
            meta = read_meta(text, app, mods)
            grids = read_grids(meta.grids, file, meta.scene, app)
            prefabs = tuple(meta.scene.prefabs.values())
            entities = read_entities(file, assembly, prefabs, meta.next_serial, {"meta", *grids})
        except SnapshotError:
            raise
        except ValueError as error:
            told = str(error).replace("\n", "; ")
            raise file.error(f"{told}{other_versions(text, mods)}") from None
    return Snapshot(file, meta, entities)
