"""A component's values as records: one for each row, whose items are the component's columns."""

from __future__ import annotations

from mmap import ACCESS_COPY, mmap
from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.store.fields import Field
from components.store.handles import Component

ComponentType = type[Any]
Column = NDArray[Any]


def fields_of(component: type[Component] | ComponentType) -> tuple[Field, ...]:
    """The declared fields of a component type, in order."""
    return tuple(component.fields.values())


def default_of(component: ComponentType) -> Column:
    """One record, each field at its default."""
    record: Column = np.zeros(1, component.record)
    for field in fields_of(component):
        for key in field.columns:
            record[item_of(key)] = field.default
    return record


def item_of(key: str) -> str:
    """What a column is called in its component's records: "Position.previous.x" is `previous_x`."""
    return key.split(".", 1)[1].replace(".", "_")


def as_bytes(records: Column) -> Column:
    """Records as plain bytes, which numpy moves ten times faster."""
    return records.view(f"V{records.itemsize}") if records.itemsize else records


def untouched(count: int, dtype: np.dtype[Any]) -> Column:
    """Zeros that take memory only where they are written; `np.zeros` may clear memory that was in use before."""
    pages = mmap(-1, max(count * dtype.itemsize, 1), access=ACCESS_COPY)
    return np.frombuffer(pages, dtype, count) if dtype.itemsize else np.zeros(count, dtype)
