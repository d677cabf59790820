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
from collections.abc import Collection, Container, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.store.fields import AMOUNT_SCALE, DTYPES, Field, Kind
from components.store.limits import limits
from components.store.new_rows import starts
from components.store.records import ComponentType, item_of
from components.store.savepoint import Savepoint
from components.store.world import MOST_ENTITIES, World
from sandbox.design.rules import check_world
from sandbox.mods.load.loaded_mods import LoadedMods
from sandbox.state.array_file import ArrayFile, SnapshotError, little_endian
from sandbox.state.grids import read_grids
from sandbox.state.held_state import Arrays, arrays_of, hold, kept_columns
from sandbox.state.meta import canonical
from sandbox.state.read_meta import Meta, known_component, other_versions, read_meta

MOST_META = 8 << 20  # bytes
SERIAL, PREFAB, META = np.dtype(np.int64), np.dtype(np.int32), np.dtype(np.uint8)


def write_snapshot(world: World, path: str | os.PathLike[str]) -> None:
    """Write the state to a file, whole or not at all.

    Raises:
        WriteError: it can't be written; a file that stood there is whole.
    """
    hold(world).write(path)


@dataclass(frozen=True)
class Digest:
    """What the digest of a state is made of, held still: another thread may compute it while the world goes on."""

    savepoint: Savepoint
    canonical: bytes

    @classmethod
    def of(cls, world: World) -> Digest:
        """That of the state as it is now."""
        return cls(Savepoint.take(world), canonical(world))

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
        serials: of all entities, int64 (n,), ascending.
    """

    file: ArrayFile
    meta: Meta
    serials: NDArray[np.int64]
    arrays: Arrays

    def restore(self, world: World) -> None:
        """Bring tick, serials and entities into the empty world that was made of its scene.

        Raises:
            SnapshotError: they break a rule across fields.
        """
        world.tick, world.next_serial = self.meta.tick, self.meta.next_serial
        _bring_back(world, self.serials, self.arrays)
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
    with ArrayFile(path, None if content is None else io.BytesIO(content)) as file:
        header = file.headers.get("meta")
        if header is None or header.length > MOST_META:
            raise file.error("has no meta that tells what it is: it is not a snapshot")
        try:
            text = file.read("meta", META, header.length).tobytes()
            meta = read_meta(text, app, mods)
            brought = {component.__name__ for part in assembly.parts.values() for component in part.components}
            grids = read_grids(meta.grids, file, meta.scene, app)
            arrays = _read_arrays(file, {c.__name__: c for c in app.components}, brought, grids)
            serials = _checked_serials(arrays, meta.next_serial, len(meta.scene.prefabs))
            for component in app.components:
                for key, field in kept_columns(component):
                    _check_values(key, field, arrays.get(key), len(meta.scene.prefabs))
        except SnapshotError:
            raise
        except ValueError as error:
            told = str(error).replace("\n", "; ")
            raise file.error(f"{told}{other_versions(text, mods)}") from None
    return Snapshot(file, meta, serials, arrays)


def _read_arrays(
    file: ArrayFile, components: Mapping[str, ComponentType], brought: Collection[str], grids: Collection[str]
) -> Arrays:
    """All arrays of entities, none of another length or dtype than declared: serials first, for they say how many.

    Args:
        grids: the names of other arrays, which are read.
        brought: the names of components of mods: their fields that are new since then have their defaults.
    """
    lengths = {name: header.length for name, header in file.headers.items() if name not in grids}
    most = max((length for name, length in lengths.items() if name != "meta"), default=0)
    if most > MOST_ENTITIES:
        raise ValueError(f"holds more than the {MOST_ENTITIES:,} entities that a world has room for: {most:,}")
    names = [name for name in lengths if "." not in name and name not in ("meta", "prefab")]
    owners = [known_component(name, components) for name in names]
    expected = {"meta", "prefab", *(owner.__name__ for owner in owners)}
    stored = {key: _stored_key(key, field, lengths) for owner in owners for key, field in kept_columns(owner)}
    expected |= {*stored.values()}
    if others := set(lengths) - expected:
        raise ValueError(f"holds an array {min(others)!r} that this version does not know")
    arrays = {owner.__name__: file.read(owner.__name__, SERIAL, lengths[owner.__name__]) for owner in owners}
    for name, serials in arrays.items():
        if not len(serials) or serials[0] < 1 or not (serials[1:] > serials[:-1]).all():
            raise ValueError(f"the serials in {name} must be 1 or more, and ascend")
    for owner in owners:
        for key, field in kept_columns(owner):
            count = len(arrays[owner.__name__])
            if stored[key] not in lengths and owner.__name__ in brought:
                arrays[key] = np.full(count, field.default, field.dtype)
            else:
                arrays[key] = _read_column(file, stored[key], field, count)
    return arrays | {"prefab": file.read("prefab", PREFAB, lengths.get("prefab", 0))}


def _stored_key(key: str, field: Field, names: Container[str]) -> str:
    """What the column of a field is called in a file: maybe as in an earlier version."""
    earlier = key.replace(field.key, f"{field.owner}.{field.was}")
    return earlier if key not in names and earlier in names else key


def _read_column(file: ArrayFile, key: str, field: Field, length: int) -> NDArray[Any]:
    """A column; older snapshots hold ages as float32 seconds."""
    header, seconds = file.headers.get(key), DTYPES[Kind.NUMBER]
    if key != "Life.age" or header is None or header.dtype != seconds.newbyteorder("<"):
        return file.read(key, field.dtype, length)
    age = file.read(key, seconds, length).astype(np.float64)
    kept: NDArray[Any] = np.rint(np.nan_to_num(age, nan=-1).clip(-1, 2e9) * AMOUNT_SCALE).astype(field.dtype)
    return kept


def _checked_serials(arrays: Arrays, next_serial: int, prefabs: int) -> NDArray[np.int64]:
    """The serials of all entities, int64 (n,) ascending."""
    found = [array for name, array in arrays.items() if "." not in name and name != "prefab"]
    serials = np.unique(np.concatenate([np.zeros(0, SERIAL), *found]))
    if len(serials) and serials[-1] >= next_serial:
        raise ValueError(f"there is an entity {serials[-1]}, and the next serial is {next_serial}: it must be higher")
    kinds = arrays["prefab"]
    if len(kinds) != len(serials):
        raise ValueError(f"prefab has {len(kinds)} values, and must have {len(serials)}, one for each entity")
    if len(kinds) and not (kinds.min() >= 0 and kinds.max() < prefabs):
        raise ValueError(f"prefab must be 0 to {prefabs - 1}, the place of one of the {prefabs} prefabs in meta")
    return serials


def _check_values(key: str, field: Field, values: NDArray[Any] | None, prefabs: int) -> None:
    """Refuse values that the declaration forbids. Bounds are compared as the column stores them."""
    if values is None:
        return
    if field.kind is Kind.SWITCH:
        right, must = values.view(np.uint8) <= 1, "must be 0 or 1"
    else:
        allowed = limits(field, prefabs)
        right, must = allowed.allow(values), allowed.must
    if not right.all():
        wrong = values[np.argmin(right)]
        raise ValueError(f"{key} = {wrong}: {must}")


def _bring_back(world: World, serials: NDArray[np.int64], arrays: Arrays) -> None:
    """Bring the entities into an empty world."""
    presence, records = np.zeros(len(serials), np.uint64), {}
    for component in (component for name, component in world.table.components.items() if name in arrays):
        own = np.searchsorted(serials, arrays[component.__name__])
        presence[own] |= np.uint64(1 << world.table.bit_of[component])
        values = world.table.default(component).repeat(len(own))
        for key, _ in kept_columns(component):
            values[item_of(key)] = arrays[key]
        for key, first in starts(component):
            if key not in arrays:
                values[item_of(key)] = values[item_of(first)]
        records[component.__name__] = own, values
    world.bring(serials, arrays["prefab"], presence, records)
