"""A component's values as structured arrays: one record per row, whose items are the component's columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from mmap import ACCESS_COPY, mmap
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from components.store.fields import AMOUNT_SCALE, DEEP, FLAT, LARGEST, Field, Kind
from components.store.words import ROOM, OpenChoice

T = TypeVar("T")
ComponentType = type[Any]
Array = NDArray[Any]


def item_of(key: str) -> str:
    """Return the name of a column's item in the records: "Position.previous.x" is `previous_x`."""
    return key.split(".", 1)[1].replace(".", "_")


def as_bytes(records: Array) -> Array:
    """View records as plain bytes, which numpy copies ten times faster."""
    return records.view(f"V{records.itemsize}") if records.itemsize else records


def read_only(array: Array) -> Array:
    """Return a view of an array that can't be written."""
    view = array.view()
    view.flags.writeable = False
    return view


def untouched(count: int, dtype: np.dtype[Any]) -> Array:
    """Return zeros whose pages are allocated only when they are written; `np.zeros` may clear reused memory instead."""
    pages = mmap(-1, max(count * dtype.itemsize, 1), access=ACCESS_COPY)
    return np.frombuffer(pages, dtype, count) if dtype.itemsize else np.zeros(count, dtype)


def by_type(derive: Callable[[Any], T]) -> Callable[[Any], T]:
    """Cache the result of `derive` for each class, or form of one; the result must not refer to it.

    References to them are weak, so that old ones of a reloaded mod are freed.
    """
    known: WeakKeyDictionary[Any, T] = WeakKeyDictionary()

    def derived(kind: Any) -> T:
        try:
            return known[kind]
        except KeyError:
            return known.setdefault(kind, derive(kind))

    return derived


@dataclass(frozen=True, eq=False)
class Form:
    """How the values of a component are stored in worlds with the same axes.

    Attributes:
        axes: those of the worlds.
        fields: the declared fields that these worlds have.
        columns: the field of each column, by its key.
        record: the type of its records, with an item for each column.
        starts: pairs of columns: a vector's column that starts as a copy of another column, and that other column.
        default: a record, shape (1,), with each field at its default.
    """

    axes: str
    fields: tuple[Field, ...]
    columns: Mapping[str, Field]
    record: np.dtype[Any]
    starts: tuple[tuple[str, str], ...]
    default: Array

    def fitted(self, records: Array) -> Array:
        """Return records of the component in this form, shape (n,); what it has more is at its default."""
        if records.dtype == self.record:
            return records
        found = self.default.repeat(len(records))
        for item in set(found.dtype.names or ()) & set(records.dtype.names or ()):
            found[item] = records[item]
        return found


def form_of(component: ComponentType, axes: str = FLAT) -> Form:
    """Return the form of a component in worlds with these axes."""
    return _forms(component)[axes]


@by_type
def _forms(component: ComponentType) -> dict[str, Form]:
    return {axes: _form(component.fields, axes) for axes in (FLAT, DEEP)}


def _form(fields: Mapping[str, Field], axes: str) -> Form:
    own = tuple(field for field in fields.values() if axes == DEEP or not field.deep)
    columns = {key: field for field in own for key in field.columns(axes)}
    widest_first = sorted(columns.items(), key=lambda each: -each[1].dtype.itemsize)
    record = np.dtype([(item_of(key), field.dtype) for key, field in widest_first], align=True)
    starts = tuple(
        (key, f"{field.owner}.{first}")
        for field in own
        for key, first in zip(field.columns(axes), field.starts, strict=False)
    )
    default: Array = np.zeros(1, record)
    for key, field in columns.items():
        default[item_of(key)] = field.default
    return Form(axes, own, columns, record, starts, default)


@dataclass(frozen=True)
class Limits:
    """Attributes:
    low, high: the lowest and highest allowed value; NaN is never allowed.
    must: the bounds in words: "must be 0 to 360 (degrees)".
    """

    low: Any
    high: Any
    must: str

    def hold(self, values: NDArray[Any]) -> bool:
        """Return whether all these values are allowed."""
        return not values.size or bool(self.low <= values.min() and values.max() <= self.high)

    def allow(self, values: NDArray[Any]) -> NDArray[np.bool_]:
        """Return a mask of the values that are allowed."""
        allowed: NDArray[np.bool_] = (values >= self.low) & (values <= self.high)
        return allowed


@dataclass(frozen=True)
class OpenLimits(Limits):
    """Those of a choice to which mods add."""

    choices: OpenChoice

    def hold(self, values: NDArray[Any]) -> bool:
        return bool(self.allow(values).all())

    def allow(self, values: NDArray[Any]) -> NDArray[np.bool_]:
        return np.isin(values, self.choices.numbers)


def limits(field: Field, prefabs: int) -> Limits:
    """Return the bounds of a column in a world with `prefabs` prefabs; a transient float may be any finite value."""
    if isinstance(field.choices, OpenChoice):
        more = [f"{number} ({field.choices[number]})" for number in field.choices.numbers[field.choices.built_in :]]
        must = " or ".join([f"must be 0 to {field.choices.built_in - 1}", *more])
        return OpenLimits(np.int32(0), np.int32(ROOM - 1), must, field.choices)
    return _limits(field, prefabs)


@cache
def _limits(field: Field, prefabs: int) -> Limits:
    if field.kind is Kind.SWITCH:
        return Limits(False, True, "must be true or false")
    if field.kind is Kind.CHOICE:
        return _whole(field, len(field.choices) - 1, f"must be 0 to {len(field.choices) - 1}")
    if field.kind is Kind.COLOUR:
        return _whole(field, 0xFFFFFF, "must be 0 to 0xffffff")
    if field.kind is Kind.PREFABS:
        return _whole(field, (1 << prefabs) - 1, f"must name some of the {prefabs} prefabs")
    if field.transient and field.dtype.kind == "f":
        return Limits(np.float32(-LARGEST), np.float32(LARGEST), "must be finite")
    if field.kind in (Kind.AMOUNT, Kind.GRID):
        return Limits(np.int64(field.low * AMOUNT_SCALE), np.int64(field.high * AMOUNT_SCALE), field.bounds())
    low, high = field.dtype.type(field.low), field.dtype.type(field.high)
    return Limits(np.nextafter(low, high) if field.above_low else low, high, field.bounds())


def _whole(field: Field, most: int, must: str) -> Limits:
    return Limits(field.dtype.type(0), field.dtype.type(most), must)
