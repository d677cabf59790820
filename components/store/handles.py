"""Handles: an entity's component as a Python object whose attributes are stored in the columns.

Reading `perception.radius` reads the column; assigning to it checks the value and writes the column.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from components.store.fields import DEEP, LARGEST, Field, Kind
from components.store.words import Words, numbers_of

COLOURS = range(1 << 24)
tables: dict[str, Any] = {}
"""The `EntityTable` of each world, by the world's name; used by handles."""


class Component:
    """A handle: it stores only its world and its entity. The values are in the columns of that world."""

    __slots__ = ("_world", "entity")
    _world: str
    entity: int
    fields: Mapping[str, Field] = {}

    def __init__(self, *values: Any, **named: Any) -> None:
        if values or named:
            name = type(self).__name__
            raise TypeError(f"{name} takes no values: world.add(serial, {name}, ...) gives them to an entity")


def _table(handle: Component) -> Any:
    table = tables.get(handle._world)
    if table is None:
        raise RuntimeError(f"entity {handle.entity} is of {handle._world}, which is closed or not at work")
    return table


class Value:
    """The descriptor of a field of a handle, a choice as its word; on the class it returns the `Field` itself."""

    __slots__ = ("_column", "_high", "_low", "_shown", "_words", "field")

    def __init__(self, field: Field, column: str | None = None) -> None:
        self.field = field
        self._column = column or field.key
        self._shown, self._words = field.kind is Kind.AMOUNT, Words.of(field)
        plain = field.dtype == np.float32 and not field.above_low  # a float within these bounds needs no parsing
        self._low, self._high = (max(field.low, -LARGEST), min(field.high, LARGEST)) if plain else (1.0, 0.0)

    def __get__(self, handle: Component | None, owner: type | None = None) -> Any:
        if handle is None:
            return self.field
        table = _table(handle)
        stored = table.columns[self._column].item(table.row(handle.entity))
        if self._words is not None:
            return self._words[stored]
        return self.field.show(stored) if self._shown else stored

    def __set__(self, handle: Component, value: object) -> None:
        table = _table(handle)
        stored = value if type(value) is float and self._low <= value <= self._high else parsed(self.field, value)
        table.write(self._column, table.row(handle.entity), stored)


def parsed(field: Field, value: object) -> Any:
    """Convert a value assigned by Python code to the stored value; choices and colours may also be stored values.

    Raises:
        ValueError: the value is invalid; the message names the field, the value and what is allowed.
    """
    try:
        return field.parse(_as_written(field, value))
    except ValueError as error:
        raise ValueError(f"{field.key} = {' '.join(repr(value).split()):.80}: {error}") from None


def _as_written(field: Field, value: object) -> object:
    """Return a value as files write it; it may be a stored choice or colour."""
    if field.each is not None and isinstance(value, list | tuple):
        return [_as_written(field.each, entry) for entry in value]
    stored = {Kind.CHOICE: numbers_of(field.choices), Kind.COLOUR: COLOURS}.get(field.kind, ())
    is_stored = isinstance(value, int | np.integer) and not isinstance(value, bool) and int(value) in stored
    return field.show(value) if is_stored else value


class Vector:
    """The descriptor of a vector field of a handle: `motion.acceleration` is `(x, y)`, with depth `(x, y, z)`."""

    __slots__ = ("_elements", "field")

    def __init__(self, field: Field) -> None:
        self.field = field
        self._elements = tuple(Value(field, column) for column in field.columns(DEEP))

    def __get__(self, handle: Component | None, owner: type | None = None) -> Any:
        if handle is None:
            return self.field
        return tuple(element.__get__(handle) for element in self._elements[: len(_table(handle).axes)])

    def __set__(self, handle: Component, value: Sequence[float]) -> None:
        axes = _table(handle).axes
        for element, number in zip(self._elements, as_many(self.field, axes, value), strict=False):
            element.__set__(handle, number)


def as_many(field: Field, axes: str, value: Any) -> tuple[Any, ...]:
    """Return the numbers of a value that is assigned to a vector, one for each axis.

    Raises:
        ValueError: it is not so many numbers.
    """
    try:
        numbers = tuple(value)
    except TypeError:
        numbers = ()
    if len(numbers) != len(axes):
        many = {2: "two", 3: "three"}[len(axes)]
        raise ValueError(f"{field.key} = {value!r}: must be {many} numbers, ({', '.join(axes)})")
    return numbers
