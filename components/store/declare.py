"""Declares components: annotated fields with kind, unit, default, bounds and a line of help.

    @component
    class Perception:
        '''What an entity sees of the others.'''

        radius: float = number(50, "u", 0, 1e4, "how far it sees")

The esper component type, the numpy columns, the keys of scene files with their validation, and the widgets of the
inspector all follow from this declaration. An instance is a thin handle on one entity's row, see `handles.py`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import numpy as np

from components.store.fields import AMOUNT_SCALE, MOST_COUNTED, MOST_IN_CELL, Field, Kind, declared
from components.store.handles import Component, Pair, Value
from components.store.records import item_of

T = TypeVar("T")


def number(
    default: float,
    unit: str,
    low: float,
    high: float,
    help: str,
    *,
    above_low: bool = False,
    transient: bool = False,
    inherits: str = "mutate",
    was: str = "",
) -> Any:
    """A number: a float32 column.

    Args:
        default, low, high: in its unit; what people set lies from `low` to `high`.
        unit: what people read behind it ("u/s"); "" for none.
        help: one line about it, without a full stop.
        above_low: it must be above `low`.
        transient: it is in no scene, snapshot or digest: something that every tick computes again.
        inherits: what the young have of their parent's: "keep", "zero", or "mutate" where Life.mutation says so.
        was: its name in earlier versions, whose snapshots and worlds keep their values; all kinds have this.
    """
    bounds: dict[str, Any] = {"low": low, "high": high, "above_low": above_low}
    return Field(
        Kind.NUMBER, float(default), unit, help=help, transient=transient, inherits=inherits, was=was, **bounds
    )


def integer(default: int, unit: str, low: int, high: int, help: str, *, was: str = "") -> Any:
    """A whole number: an int32 column; the rest as for `number`."""
    return Field(Kind.INTEGER, default, unit, low, high, help, was=was)


def quantity(
    default: float, low: float, high: float, help: str, *, unit: str = "", inherits: str = "keep", was: str = ""
) -> Any:
    """Something of which nothing may be lost: a number in files, an int64 column in units of 1 / AMOUNT_SCALE.

    Args:
        unit: what people read behind it ("s"); "" for none.
        inherits: what the young have of their parent's: "keep", "zero", or "half", which the parent loses.
    """
    return Field(Kind.AMOUNT, round(default * AMOUNT_SCALE), unit, low, high, help, inherits=inherits, was=was)


def switch(default: bool, help: str, *, was: str = "") -> Any:
    """On or off: a bool column."""
    return Field(Kind.SWITCH, default, help=help, was=was)


def count(help: str, *, unit: str = "", was: str = "") -> Any:
    """How often or how much of something, whole and without an upper end; a resource may hold one, a component not."""
    return Field(Kind.COUNT, 0, unit, 0, MOST_COUNTED, help, was=was)


def grid(
    cell: float,
    unit: str,
    low: float,
    high: float,
    help: str,
    *,
    drawn: bool = False,
    transient: bool = False,
    was: str = "",
) -> Any:
    """An amount for each cell of the world; a resource may hold one, a component not. It begins with 0 everywhere.

    The cells cover the world whatever its size, and on a torus those at one border lie beside those at the other. No
    scene file says what they hold: systems do.

    Args:
        cell: about how wide and high a cell is, u; larger where there would be more than 1,024 along an axis.
        low, high: what a cell may hold, within a million; kept in fixed point, as a `quantity` is.
        drawn: it is only for eyes: snapshots hold it, and no digest tells it apart.
    Raises:
        ValueError: cells of no size, or bounds beyond a million.
    """
    if not (0 < cell < math.inf and -MOST_IN_CELL <= low <= 0 <= high <= MOST_IN_CELL):
        raise ValueError(f"a grid has cells wider than 0 and holds {-MOST_IN_CELL:,} to {MOST_IN_CELL:,}, 0 among it")
    flags: dict[str, Any] = {"drawn": drawn, "transient": transient, "was": was}
    return Field(Kind.GRID, 0, unit, low, high, help, cell=float(cell), **flags)


def choice(*choices: str, default: str, help: str, drawn: bool = False, was: str = "") -> Any:
    """One of some words: an int32 column with the index among them.

    Args:
        drawn: it is of a resource and only for eyes: snapshots hold it, and no digest tells it apart.
    """
    return Field(Kind.CHOICE, choices.index(default), choices=choices, help=help, drawn=drawn, was=was)


def colour(default: str, help: str, *, was: str = "") -> Any:
    """A colour "#rrggbb": a uint32 column, 0xRRGGBB."""
    return Field(Kind.COLOUR, int(default[1:], 16), help=help, was=was)


def vector(
    unit: str, help: str, *, transient: bool = False, starts: tuple[str, str] | tuple[()] = (), was: str = ""
) -> Any:
    """Two numbers: the float32 columns `.x` and `.y`.

    Args:
        starts: two number fields of the same component whose values a new entity's vector starts with; without them
            it starts at 0, 0.
    """
    return Field(Kind.VECTOR, 0.0, unit, -1e9, 1e9, help, transient=transient, starts=starts, was=was)


def prefabs(help: str, *, having: str = "", was: str = "") -> Any:
    """A set of prefabs: a uint64 column with bit n set for the n-th of `world.prefabs`.

    Args:
        having: the name of a component: people are offered only prefabs that have it; "": all.
    """
    return Field(Kind.PREFABS, 0, help=help, having=having, was=was)


def component(cls: type[T]) -> type[T]:
    """Make a component type of a class whose attributes are declared fields.

        @component
        class Magnet:
            '''Draws those around to itself.'''

            strength: float = number(250, "u/s²", 0, 2000, "how hard it pulls")

    Once an app has it (`app.add_component`), a field is a column ("Magnet.strength"), a key of scene files and a widget
    of the inspector; an instance is a handle on one entity: `magnet.strength` reads and writes its row.
    """
    fields = declared(cls)
    for field in fields.values():
        if unknown := [name for name in field.starts if name not in fields or fields[name].kind is not Kind.NUMBER]:
            raise ValueError(f"{field.key} starts with {unknown[0]!r}, which is no number of {cls.__name__}")
        if field.dtype.hasobject or field.drawn:
            raise ValueError(f"{field.key}: only a resource can hold a count or grid, or what is drawn alone")
    body: dict[str, Any] = {
        name: Pair(field) if field.kind is Kind.VECTOR else Value(field) for name, field in fields.items()
    }
    return made_type(cls, Component, fields, body | {"record": _record_type(fields)})


def made_type(cls: type[T], base: type, fields: Mapping[str, Field], body: dict[str, Any]) -> type[T]:
    """Make a type from a class, with these attributes in place of its fields.

    Raises:
        ValueError: a field has the name of an attribute of `base`, or the class has an attribute that is no field.
    """
    kept = [name for name, member in vars(cls).items() if isinstance(member, Callable | property | classmethod)]  # type: ignore[arg-type]
    stated = {*vars(cls).get("__annotations__", {}), *(name for name in vars(cls) if not name.startswith("__"))}
    if lost := sorted(stated - fields.keys() - {*kept}):
        raise ValueError(
            f"{cls.__name__}.{lost[0]}: must be declared by number, integer, quantity, switch, choice, colour, vector "
            f"or prefabs: it holds nothing else, no array or constant"
        )
    if cls.__bases__ != (object,):
        raise ValueError(f"{cls.__name__} extends {cls.__bases__[0].__name__}, whose fields it would lose: repeat them")
    if taken := [name for name in fields if hasattr(base, name)]:
        raise ValueError(f"{cls.__name__}.{taken[0]}: the name {taken[0]} is taken, choose another")
    body |= {"__slots__": (), "__doc__": cls.__doc__, "__module__": cls.__module__, "__qualname__": cls.__qualname__}
    body["fields"] = fields
    body |= {name: vars(cls)[name] for name in kept if name not in body}
    made: Any = type(cls.__name__, (base,), body)
    return made  # type: ignore[no-any-return]


def _record_type(fields: Mapping[str, Field]) -> np.dtype[Any]:
    """Return the dtype of a component's records; a vector has two items, `_x` and `_y`."""
    items = [(field, item_of(column)) for field in fields.values() for column in field.columns]
    widest_first = sorted(items, key=lambda item: -item[0].dtype.itemsize)
    return np.dtype([(name, field.dtype) for field, name in widest_first], align=True)
