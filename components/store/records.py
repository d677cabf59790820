"""A component's values as structured arrays: one record per row, whose items are the component's columns."""

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
    """Return the declared fields of a component type, in order."""
    return tuple(component.fields.values())


def default_of(component: ComponentType) -> Column:
    """Return one record, shape (1,), with each field at its default."""
    record: Column = np.zeros(1, component.record)
    for field in fields_of(component):
        for key in field.columns:
            record[item_of(key)] = field.default
    return record


def item_of(key: str) -> str:
    """Return the name of a column's item in the records: "Position.previous.x" is `previous_x`."""
    return key.split(".", 1)[1].replace(".", "_")


def as_bytes(records: Column) -> Column:
    """View records as plain bytes, which numpy copies ten times faster."""
    return records.view(f"V{records.itemsize}") if records.itemsize else records


def untouched(count: int, dtype: np.dtype[Any]) -> Column:
    """Return zeros whose pages are allocated only when they are written; `np.zeros` may clear reused memory instead."""
    pages = mmap(-1, max(count * dtype.itemsize, 1), access=ACCESS_COPY)
    return np.frombuffer(pages, dtype, count) if dtype.itemsize else np.zeros(count, dtype)
