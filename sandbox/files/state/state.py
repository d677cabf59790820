"""The state of a world between two ticks: copied to be written, read again, and its digest.

The member of a state has the arrays of entities (see `entities.py`), for each grid R.field of a resource an array
`resources.R.field`, line after line, and before them `meta`, a JSON text. Waiting commands are not part of the world.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.store.entities import Entities
from components.store.fields import DTYPES, Kind
from components.store.savepoint import Savepoint
from components.store.world import World
from sandbox.design.field_rules import check_world
from sandbox.files.container import OF_CHARACTER, Container, Member
from sandbox.files.state.arrays import arrays_in, little_endian, packed
from sandbox.files.state.entities import Arrays, arrays_of_entities, expected_arrays, read_entities
from sandbox.files.state.grids import PREFIX, grids_of, stored_grids
from sandbox.files.state.meta import canonical, meta_of
from sandbox.files.state.read_meta import Meta, axes_in, other_versions, read_meta
from sandbox.mods.load.loaded_mods import LoadedMods

MOST_META = 8 << 20  # bytes
META = np.dtype(np.uint8)
OF_STATE = 3  # bytes of memory at most while a byte of a state is read and takes its place in a world


@dataclass(frozen=True)
class HeldState:
    """A frozen copy of a state, which a thread can sort, pack and write while the world goes on.

    Taking it only copies whole records; sorting by serial and extracting columns are left to the thread.

    Attributes:
        meta: a JSON text.
    """

    savepoint: Savepoint
    meta: bytes

    def member(self, name: str) -> Member:
        """Return the member of a recording with this state."""
        return name, packed({"meta": np.frombuffer(self.meta, META), **arrays_of(self.savepoint)})


def hold(world: World) -> HeldState:
    """Copy the present state."""
    return HeldState(Savepoint.take(world), json.dumps(meta_of(world), allow_nan=False).encode())


def arrays_of(savepoint: Savepoint, *, drawn: bool = True) -> Arrays:
    """Return all arrays of a state except `meta`, shape (n,); `drawn`: also grids that matter only for drawing."""
    arrays = arrays_of_entities(savepoint)
    for kind, stored in savepoint.stored.items():
        for field in grids_of(kind):
            if stored[field.key].amounts.size and (drawn or not field.drawn):
                arrays[f"{PREFIX}{field.key}"] = stored[field.key].amounts.ravel()
    return arrays


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
class StoredState:
    """The checked contents of a member; `meta.scene` has no entries."""

    meta: Meta
    entities: Entities

    def restore(self, world: World) -> None:
        """Restore tick, serials and entities in the empty world that was made of its scene.

        Raises:
            ValueError: they break a rule that involves several fields.
        """
        world.tick, world.next_serial = self.meta.tick, self.meta.next_serial
        world.bring(self.entities)
        check_world(world)


def read_state(file: Container, member: str, mods: LoadedMods, *, charged: bool) -> StoredState:
    """Read and check a state with these mods.

    Args:
        charged: whether reading it must fit into the budget of the file, to which `meta` is charged.
    Raises:
        RecordingError: it is damaged, or needs parts that this program lacks.
    """
    with arrays_in(file, member) as stored:
        text = stored.first("meta", META, MOST_META).tobytes()
        if charged:
            file.take(OF_CHARACTER * len(text))
            file.check(OF_STATE * file.members[member])
        try:
            mods = mods.fitting(axes_in(text))
            assembly = mods.assembly
            meta = read_meta(text, assembly.app, mods)
            grids = stored_grids(meta.grids, assembly.app)
            lengths = {name: length for name, length in stored.lengths.items() if name not in grids}
            expected = expected_arrays(lengths, meta.scene.settings.axes, assembly)
            expected |= {name: (DTYPES[Kind.AMOUNT], lines * columns) for name, (_, (lines, columns)) in grids.items()}

            def of_entities() -> Iterator[tuple[str, NDArray[Any]]]:
                for name, array in stored.rest(expected):
                    if name not in grids:
                        yield name, array
                        continue
                    field, shape = grids[name]
                    meta.scene.resources.setdefault(field.owner, {})[field.key] = field.parse(array.reshape(shape))

            prefabs = tuple(meta.scene.prefabs.values())
            entities = read_entities(
                of_entities(), meta.scene.settings.axes, assembly, prefabs, meta.next_serial, meta.shapes
            )
        except ValueError as error:
            raise ValueError(f"{error}{other_versions(text, mods)}") from None
    return StoredState(meta, entities)
