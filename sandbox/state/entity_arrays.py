"""Converts entities to the named arrays of files, and back.

For each component C in use there is an array `C` with the serials of the entities that have it, ascending, and for each
of its fields an array `C.field` in the same order (`C.field.x` and `.y` for a vector). `prefab` has a value for every
entity, by ascending serial. Transient fields have no array.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.store.entities import Entities, Records
from components.store.fields import AMOUNT_SCALE, DTYPES, Field, Kind
from components.store.prefab import Prefab
from components.store.records import ComponentType, default_of, fields_of, item_of, limits, starts
from components.store.world import MOST_ENTITIES
from sandbox.mods.load.assembly import Assembly
from sandbox.state.array_file import ArrayFile
from sandbox.state.read_meta import known_component

Arrays = dict[str, NDArray[Any]]
SERIAL, PREFAB = np.dtype(np.int64), np.dtype(np.int32)


def arrays_of_entities(entities: Entities, *, transient: bool = False) -> Arrays:
    """Return the arrays of entities, shape (n,); `transient`: also those of transient fields."""
    arrays: Arrays = {"prefab": entities.prefab[np.argsort(entities.serial)]}
    for component in entities.components:
        kept = entities.records.get(component.__name__)
        serials = entities.serial[kept.rows] if kept else ()
        if kept and len(serials):
            order = np.argsort(serials)
            arrays[component.__name__] = serials[order]
            for key, _ in kept_columns(component, transient=transient):
                arrays[key] = kept.values[item_of(key)][order]
    return arrays


def kept_columns(component: ComponentType, *, transient: bool = False) -> list[tuple[str, Field]]:
    """Return the stored columns of a component, each with its field; `transient`: all columns."""
    return [(key, field) for field in fields_of(component) if transient or not field.transient for key in field.columns]


def read_entities(
    file: ArrayFile,
    assembly: Assembly,
    prefabs: tuple[Prefab, ...],
    next_serial: int,
    others: Collection[str],
    shapes: Mapping[int, int] = MappingProxyType({}),
) -> Entities:
    """Read the entities of a file, by ascending serial.

    Args:
        assembly: the program and the mods to read it with.
        next_serial: must be above all serials.
        others: the names of arrays that are not of entities.
        shapes: the present numbers of shapes, by those in the file.
    Raises:
        ValueError: something is invalid; the message says what would be right.
    """
    components = {component.__name__: component for component in assembly.app.components}
    brought = {component.__name__ for part in assembly.parts.values() for component in part.components}
    arrays = _read_arrays(file, components, brought, others)
    if shapes and "Look.shape" in arrays:
        shown, which = np.unique(arrays["Look.shape"], return_inverse=True)
        arrays["Look.shape"] = np.array([shapes.get(n, n) for n in shown.tolist()], shown.dtype)[which]
    serials = _checked_serials(arrays, next_serial, len(prefabs))
    for component in components.values():
        for key, field in kept_columns(component):
            _check_values(key, field, arrays.get(key), len(prefabs))
    presence, records = np.zeros(len(serials), np.uint64), {}
    for bit, (name, component) in enumerate(components.items()):
        if name in arrays:
            own = np.searchsorted(serials, arrays[name])
            presence[own] |= np.uint64(1 << bit)
            records[name] = Records(own, _records(component, arrays, len(own)))
    return Entities(
        components=tuple(components.values()),
        prefabs=prefabs,
        serial=serials,
        prefab=arrays["prefab"],
        presence=presence,
        records=records,
    )


def _records(component: ComponentType, arrays: Arrays, count: int) -> NDArray[np.void]:
    values = default_of(component).repeat(count)
    for key, _ in kept_columns(component):
        values[item_of(key)] = arrays[key]
    for key, first in starts(component):
        if key not in arrays:
            values[item_of(key)] = values[item_of(first)]
    return values


def _read_arrays(
    file: ArrayFile, components: Mapping[str, ComponentType], brought: Collection[str], others: Collection[str]
) -> Arrays:
    """Read all arrays of entities and check length and dtype: serials first, because they determine the lengths.

    Args:
        brought: the names of mods' components: if a field of these is missing in the file, it gets its default.
        others: the names of arrays that are not of entities.
    """
    lengths = {name: header.length for name, header in file.headers.items() if name not in others}
    most = max(lengths.values(), default=0)
    if most > MOST_ENTITIES:
        raise ValueError(f"holds more than the {MOST_ENTITIES:,} entities that a world has room for: {most:,}")
    names = [name for name in lengths if "." not in name and name != "prefab"]
    owners = [known_component(name, components) for name in names]
    expected = {"prefab", *(owner.__name__ for owner in owners)}
    stored = {key: _stored_key(key, field, lengths) for owner in owners for key, field in kept_columns(owner)}
    expected |= {*stored.values()}
    if unknown := set(lengths) - expected:
        raise ValueError(f"holds an array {min(unknown)!r} that this version does not know")
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
    """Return the name of a field's column in a file, which may be its name in an earlier version."""
    earlier = key.replace(field.key, f"{field.owner}.{field.was}")
    return earlier if key not in names and earlier in names else key


def _read_column(file: ArrayFile, key: str, field: Field, length: int) -> NDArray[Any]:
    """Read a column; older snapshots have ages as float32 seconds."""
    header, seconds = file.headers.get(key), DTYPES[Kind.NUMBER]
    if key != "Life.age" or header is None or header.dtype != seconds.newbyteorder("<"):
        return file.read(key, field.dtype, length)
    age = file.read(key, seconds, length).astype(np.float64)
    kept: NDArray[Any] = np.rint(np.nan_to_num(age, nan=-1).clip(-1, 2e9) * AMOUNT_SCALE).astype(field.dtype)
    return kept


def _checked_serials(arrays: Arrays, next_serial: int, prefabs: int) -> NDArray[np.int64]:
    """Return the serials of all entities, int64 (n,) ascending; check them and the prefabs."""
    found = [array for name, array in arrays.items() if "." not in name and name != "prefab"]
    every = np.sort(np.concatenate([np.zeros(0, SERIAL), *found]), kind="stable")  # quick, because each of them ascends
    serials = every[np.diff(every, prepend=0) > 0]
    if len(serials) and serials[-1] >= next_serial:
        raise ValueError(f"there is an entity {serials[-1]}, and the next serial is {next_serial}: it must be higher")
    kinds = arrays["prefab"]
    if len(kinds) != len(serials):
        raise ValueError(f"prefab has {len(kinds)} values, and must have {len(serials)}, one for each entity")
    if len(kinds) and not (kinds.min() >= 0 and kinds.max() < prefabs):
        raise ValueError(f"prefab must be 0 to {prefabs - 1}, the place of one of the {prefabs} prefabs in meta")
    return serials


def _check_values(key: str, field: Field, values: NDArray[Any] | None, prefabs: int) -> None:
    """Raise ValueError if values are outside the bounds of their declaration, compared as the column stores them."""
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
