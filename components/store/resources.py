"""Declare what belongs to a world as a whole, once: with fields like those of a component."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from components.store.fields import Field, Kind, Stored, declared, made_type, parsed, two

T = TypeVar("T")


class Resource:
    """What a world holds one of. Its values are plain attributes; an attribute that is not declared can't be set.

    Attributes:
        stored: its values by column name ("Season.warmth", "Season.drift.x"): what is to be copied and put back.
    """

    __slots__ = ("stored",)
    fields: Mapping[str, Field] = {}

    def __init__(self) -> None:
        self.stored: dict[str, Stored] = {
            column: as_column(field, field.default) for field in self.fields.values() for column in field.columns
        }


class Held:
    """A field as an attribute of a resource; on the class it is the `Field` itself."""

    __slots__ = ("field",)

    def __init__(self, field: Field) -> None:
        self.field = field

    def __get__(self, resource: Resource | None, owner: type | None = None) -> Any:
        if resource is None:
            return self.field
        shown = [resource.stored[column] for column in self.field.columns]
        if self.field.kind is Kind.VECTOR:
            return tuple(shown)
        return self.field.show(shown[0]) if self.field.kind is Kind.AMOUNT else shown[0]

    def __set__(self, resource: Resource, value: Any) -> None:
        parts = two(self.field, value) if self.field.kind is Kind.VECTOR else (value,)
        stored = [as_column(self.field, parsed(self.field, part)) for part in parts]
        resource.stored |= dict(zip(self.field.columns, stored, strict=True))


def as_column(field: Field, stored: Stored) -> Stored:
    """A stored value as a column of the field gives it back: a number of 32 bits is not 0.1 but near it."""
    return field.dtype.type(stored).item()  # type: ignore[no-any-return]


def resource(cls: type[T]) -> type[T]:
    """Make a resource type of a class whose attributes are declared fields: what belongs to a world as a whole.

        @resource
        class Season:
            '''What time of the year it is.'''

            warmth: float = number(0.5, "", 0, 1, "how warm it is")

    Every world has one, `world.resource(Season)`, that begins with the defaults; snapshots keep it.
    """
    fields = declared(cls)
    return made_type(cls, Resource, fields, {name: Held(field) for name, field in fields.items()})
