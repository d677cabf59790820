"""Converts entities to the named arrays of files, and back.

For each component C in use there is an array `C` with the serials of the entities that have it, ascending, and for each
of its fields an array `C.field` in the same order (`C.field.x`, `.y` and, in worlds with depth, `.z` for a vector).
`prefab` has a value for every entity, by ascending serial. Transient fields have no array.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.store.entities import Entities, Records
from components.store.fields import Field, Kind
from components.store.prefab import Prefab
from components.store.records import ComponentType, form_of, item_of, limits
from components.store.world import MOST_ENTITIES
from sandbox.files.state.read_meta import known_component
from sandbox.mods.load.assembly import Assembly

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
            for key, _ in kept_columns(component, entities.axes, transient=transient):
                arrays[key] = kept.values[item_of(key)][order]
    return arrays


def kept_columns(component: ComponentType, axes: str, *, transient: bool = False) -> list[tuple[str, Field]]:
    """Return the stored columns of a component, each with its field; `transient`: all columns."""
    columns = form_of(component, axes).columns.items()
    return [(key, field) for key, field in columns if transient or not field.transient]


def expected_arrays(lengths: Mapping[str, int], axes: str, assembly: Assembly) -> dict[str, tuple[np.dtype[Any], int]]:
    """Return dtype and length of the arrays that a file must have, from those that it has.

    Args:
        lengths: of the arrays of entities in the file, by name.
        axes: those of their world.
        assembly: the program and the mods to read it with.
    Raises:
        ValueError: a component is unknown, or there are too many entities.
    """
    components = {component.__name__: component for component in assembly.app.components}
    brought = {component.__name__ for own in assembly.parts.values() for component in own.components}
    expected: dict[str, tuple[np.dtype[Any], int]] = {"prefab": (PREFAB, lengths.get("prefab", 0))}
    for name in (name for name in lengths if "." not in name and name != "prefab"):
        count = lengths[name]
        if count > MOST_ENTITIES:
            raise ValueError(f"holds more than the {MOST_ENTITIES:,} entities that a world has room for: {count:,}")
        expected[name] = SERIAL, count
        for key, field in kept_columns(known_component(name, components), axes):
            stored = _stored_key(key, field, lengths)
            if stored in lengths or name not in brought:  # a field that a mod has got since then gets its default
                expected[stored] = field.dtype, count
    return expected


def read_entities(
    found: Iterable[tuple[str, NDArray[Any]]],
    axes: str,
    assembly: Assembly,
    prefabs: tuple[Prefab, ...],
    next_serial: int,
    shapes: Mapping[int, int] = MappingProxyType({}),
) -> Entities:
    """Make entities of the expected arrays, by ascending serial.

    Args:
        found: the arrays, by name.
        axes: those of their world.
        next_serial: must be above all serials.
        shapes: the present numbers of shapes, by those in the file.
    Raises:
        ValueError: something is invalid; the message says what would be right.
    """
    components, arrays = assembly.app.components, Arrays()
    for name, array in found:
        if "." not in name and name != "prefab" and not _ascends(array):
            raise ValueError(f"the serials in {name} must be 1 or more, and ascend")
        arrays[name] = array
    for component in components:
        for key, field in kept_columns(component, axes) if component.__name__ in arrays else ():
            stored = arrays.pop(_stored_key(key, field, arrays), None)
            count = len(arrays[component.__name__])
            arrays[key] = np.full(count, field.default, field.dtype) if stored is None else stored
    if shapes and "Look.shape" in arrays:
        shown, which = np.unique(arrays["Look.shape"], return_inverse=True)
        arrays["Look.shape"] = np.array([shapes.get(n, n) for n in shown.tolist()], shown.dtype)[which]
    serials = _checked_serials(arrays, next_serial, len(prefabs))
    presence, records = np.zeros(len(serials), np.uint64), {}
    for bit, component in enumerate(components):
        name = component.__name__
        if name in arrays:
            for key, field in kept_columns(component, axes):
                _check_values(key, field, arrays[key], len(prefabs))
            own = np.searchsorted(serials, arrays[name])
            presence[own] |= np.uint64(1 << bit)
            records[name] = Records(own, _records(component, axes, arrays, len(own)))
    return Entities(
        axes=axes,
        components=tuple(components),
        prefabs=prefabs,
        serial=serials,
        prefab=arrays["prefab"],
        presence=presence,
        records=records,
    )


def _records(component: ComponentType, axes: str, arrays: Arrays, count: int) -> NDArray[np.void]:
    form = form_of(component, axes)
    values = form.default.repeat(count)
    for key, _ in kept_columns(component, axes):
        values[item_of(key)] = arrays[key]
    for key, first in form.starts:
        if key not in arrays:
            values[item_of(key)] = values[item_of(first)]
    return values


def _ascends(serials: NDArray[np.int64]) -> bool:
    return bool(len(serials) and serials[0] >= 1 and (serials[1:] > serials[:-1]).all())


def _stored_key(key: str, field: Field, names: Collection[str]) -> str:
    """Return the name of a field's column in a file, which may be its name in an earlier version of a mod."""
    earlier = key.replace(field.key, f"{field.owner}.{field.was}")
    return earlier if key not in names and earlier in names else key


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
        raise ValueError(f"prefab must be 0 to {prefabs - 1}, the index of one of the {prefabs} prefabs in meta")
    return serials


def _check_values(key: str, field: Field, values: NDArray[Any], prefabs: int) -> None:
    """Raise ValueError if values are outside the bounds of their declaration, compared as the column stores them."""
    if field.kind is Kind.SWITCH:
        right, must = values.view(np.uint8) <= 1, "must be 0 or 1"
    else:
        allowed = limits(field, prefabs)
        right, must = allowed.allow(values), allowed.must
    if not right.all():
        wrong = values[np.argmin(right)]
        raise ValueError(f"{key} = {wrong}: {must}")
