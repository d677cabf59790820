"""Prefabs, and the checks and conversion of all values that new entities get, to the dtypes of their columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from components.store.fields import Stored
from components.store.records import ComponentType, item_of
from components.store.table import EntityTable


@dataclass(frozen=True)
class Prefab:
    """A named bundle of components: stored values by component name, then field name."""

    name: str
    components: Mapping[str, Mapping[str, Stored]]
    help: str = ""

    def values(self) -> dict[str, Stored]:
        """Return the values by field key ("Motion.max_speed")."""
        return dict(self._values)

    @cached_property
    def _values(self) -> dict[str, Stored]:
        return {f"{name}.{key}": value for name, fields in self.components.items() for key, value in fields.items()}


def counted(count: object) -> int:
    """Check a number of entities to spawn, and return it.

    Raises:
        ValueError: it is not an integer, or negative.
    """
    if not isinstance(count, int | np.integer) or count < 0:
        raise ValueError(f"can't spawn {count} entities: must be a whole number, 0 or more")
    return int(count)


def refuse_unknown_fields(table: EntityTable, keys: Iterable[str]) -> None:
    """Raise KeyError if a key is neither a column nor a component of the table."""
    for key in keys:
        if key not in table.columns and key not in table.components:
            raise KeyError(f"there is no field {key!r}")


def column_of(table: EntityTable, key: str, value: ArrayLike, count: int) -> NDArray[Any]:
    """Make an array (count,) of the column's dtype, from one value or `count` values.

    Raises:
        ValueError: the column can't hold a value, or the number of values is neither 1 nor `count`.
    """
    column = np.empty(count, table.columns[key].dtype)
    try:
        column[:] = value
        is_same = getattr(value, "dtype", None) == column.dtype
        if column.dtype.kind in "iu" and not is_same and np.any(column != value):
            raise ValueError("too large, too small, or no whole number")
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"{key}: must be one value or {count}, of {column.dtype}: {error}") from None
    return column


def records_of(table: EntityTable, prefab: Prefab) -> dict[ComponentType, NDArray[np.void]]:
    """Return a record, shape (1,), for each component of a prefab, with the prefab's values.

    A flat world has no use for those of fields that only worlds with depth have.

    Raises:
        KeyError: a field is unknown.
        ValueError: a column can't hold a value.
    """
    values = {key: value for key, value in prefab.values().items() if not _is_missing(table, key)}
    refuse_unknown_fields(table, [*prefab.components, *values])
    records = {table.components[name]: table.default(table.components[name]) for name in prefab.components}
    for key, value in values.items():
        records[table.components[key.split(".")[0]]][item_of(key)] = column_of(table, key, value, 1)
    return records


def _is_missing(table: EntityTable, key: str) -> bool:
    """Return whether a field is one that only worlds with depth have, and this one is flat."""
    owner, _, name = key.partition(".")
    field = table.components[owner].fields.get(name) if owner in table.components else None
    return field is not None and field.deep and key not in table.columns
