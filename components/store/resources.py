"""Declares resources: values that a world has once, with fields like those of a component.

Keys in scene files, commands, snapshots, undo and widgets follow from the declaration.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any, Self, TypeVar, dataclass_transform

import numpy as np

from components.store.declare import made_type
from components.store.fields import FLAT, Field, Kind, declared
from components.store.grids import Grid, empty
from components.store.handles import as_many, parsed
from components.store.words import Words

T = TypeVar("T")


class Resource:
    """A set of values that a world has once. They are plain attributes; an undeclared attribute can't be set.

    Attributes:
        stored: the values by key ("Season.warmth", "Season.drift.x"), for savepoints and snapshots. It is
            replaced, never changed in place, so copies of the resource may share it.
    """

    __slots__ = ("stored",)
    fields: Mapping[str, Field] = {}

    def __init__(self, *values: Any, **named: Any) -> None:
        """Make a resource with these values, in the order of its fields or by name; all others have their defaults.

        Raises:
            TypeError: there are more values than fields, or two values for a field.
        """
        given = [*self.fields][: len(values)]
        if len(values) > len(self.fields):
            raise TypeError(f"{type(self).__name__} has {len(self.fields)} fields, not {len(values)}")
        if twice := [name for name in given if name in named]:
            raise TypeError(f"{type(self).__name__}.{twice[0]} is given twice: in order and by name")
        self.stored: Mapping[str, Any] = {
            key: as_stored(field, field.default) for field in self.fields.values() for key in field.columns()
        }
        for name, value in (*zip(given, values, strict=True), *named.items()):
            setattr(self, name, value)

    def for_readers(self) -> Self:
        """Return a copy that stays as it is."""
        return copy(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Resource) and self.fields is other.fields and self.stored == other.stored

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in self.fields)})"


class ResourceValue:
    """The descriptor of a field of a resource, a choice as its word; on the class it returns the `Field` itself."""

    __slots__ = ("_is_amount", "_keys", "_whole", "_words", "field")

    def __init__(self, field: Field) -> None:
        self.field = field
        self._keys = field.columns()
        self._words, self._is_amount = Words.of(field.each or field), field.kind is Kind.AMOUNT
        self._whole = range(int(field.low), int(field.high) + 1) if field.kind is Kind.COUNT else range(0)

    def __get__(self, resource: Resource | None, owner: type | None = None) -> Any:
        if resource is None:
            return self.field
        if len(self._keys) > 1:
            return tuple(resource.stored[key] for key in self._keys)
        stored = resource.stored[self._keys[0]]
        if self._words is not None:
            return self._words[stored] if self.field.each is None else tuple(self._words[entry] for entry in stored)
        return self.field.show(stored) if self._is_amount else stored

    def __set__(self, resource: Resource, value: Any) -> None:
        if type(value) is int and value in self._whole:  # counts are written in every tick
            resource.stored = {**resource.stored, self._keys[0]: value}
            return
        elements = as_many(self.field, FLAT, value) if self.field.kind is Kind.VECTOR else (value,)
        resource.stored = {
            **resource.stored,
            **stored_by_key(self.field, [parsed(self.field, one) for one in elements]),
        }


def as_stored(field: Field, stored: Any) -> Any:
    """Convert a value to what is stored: as a float32, 0.1 becomes 0.10000000149."""
    if field.kind is Kind.GRID:
        return stored if isinstance(stored, Grid) else empty(field.cell_size, field.plane)
    if field.kind is Kind.TEXT:
        return stored
    if field.each is not None:
        return tuple(as_stored(field.each, entry) for entry in stored)
    return np.array(stored, field.dtype).item()


def read_field(field: Field, value: Any, prefabs: Mapping[str, int]) -> dict[str, Any]:
    """Parse a value of a resource's field as files write it (a vector is two numbers); return what is stored, by key.

    Args:
        prefabs: index of each prefab by name.
    Raises:
        ValueError: the value is invalid; the message says what is allowed.
    """
    if field.kind is not Kind.VECTOR:
        return stored_by_key(field, [field.parse(value, prefabs)])
    if not isinstance(value, list | tuple) or len(value) != len(field.columns()):
        raise ValueError("must be two numbers: [x, y]")
    return stored_by_key(field, [field.parse(element) for element in value])


def show_field(field: Field, stored: Mapping[str, Any], prefabs: tuple[str, ...]) -> Any:
    """Return the value of a resource's field as files write it: the inverse of `read_field`."""
    shown = [field.within(field.show(stored[key], prefabs)) for key in field.columns()]
    return shown if field.kind is Kind.VECTOR else shown[0]


def stored_by_key(field: Field, elements: Sequence[Any]) -> dict[str, Any]:
    """Return what is stored of a resource's field, by key: two of a vector, else one."""
    return {key: as_stored(field, element) for key, element in zip(field.columns(), elements, strict=True)}


@dataclass_transform()
def resource(cls: type[T]) -> type[T]:
    """Make a resource type from a class whose attributes are declared fields: values that a world has once.

        @resource
        class Season:
            '''The season of the world.'''

            warmth: float = number(0.5, "", 0, 1, "how warm it is")

    Every world has one, `world.resource(Season)`, with the defaults, or the values in the scene; snapshots contain
    it. Its values are plain attributes; a choice is read as its word.
    """
    fields = declared(cls)
    if starting := [field for field in fields.values() if field.starts]:
        raise ValueError(f"{starting[0].key} starts with {starting[0].starts!r:.60}: only a component's vector can")
    return made_type(cls, Resource, fields, {name: ResourceValue(field) for name, field in fields.items()})
