"""Declares components: annotated fields with kind, unit, default, bounds and a line of help.

    @component
    class Perception:
        '''What an entity perceives.'''

        radius: float = number(50, "u", 0, 1e4, "how far it sees")

The esper component type, the numpy columns, the keys of scene files with their validation, and the widgets of the
inspector all follow from this declaration. An instance is a thin handle on one entity's row, see `handles.py`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from components.store.fields import LARGEST, MOST_COUNTED, MOST_IN_CELL, Field, Kind, declared
from components.store.grids import PICTURE, PLANES
from components.store.handles import Component, Value, Vector
from components.store.words import OpenChoice as OpenChoice
from components.store.words import did_you_mean, must_be_one_of, plain

T = TypeVar("T")
MOST_ENTRIES = 10_000  # of a list; characters of a text
IN_LISTS = Kind.NUMBER, Kind.INTEGER, Kind.SWITCH, Kind.CHOICE, Kind.COLOUR, Kind.TEXT

MOST = {Kind.NUMBER: LARGEST, Kind.INTEGER: 2**63 - 1, Kind.AMOUNT: 1e12, Kind.GRID: MOST_IN_CELL}
"""The largest bound of each kind; integers in columns have narrower ones."""
MOST_IN_COLUMN = 2**31 - 1
INHERITS = {Kind.NUMBER: ("keep", "zero", "mutate"), Kind.AMOUNT: ("keep", "zero", "half")}


def number(
    default: float,
    unit: str,
    low: float,
    high: float,
    help: str,
    *,
    above_low: bool = False,
    transient: bool = False,
    drawn: bool = False,
    deep: bool = False,
    inherits: str = "mutate",
    was: str = "",
) -> Any:
    """Declare a number: a float32 column.

    Args:
        default, low, high: in its unit; values that people set must be from `low` to `high`.
        unit: shown behind the value ("u/s"); "" for none.
        help: one line about it, without a full stop.
        above_low: the value must be above `low`.
        transient: scenes, snapshots and digests don't contain it, because every tick computes it anew.
        drawn: only for display, and only in resources: snapshots contain it, digests don't.
        deep: only worlds with depth have it.
        inherits: the value of the young: "keep", the parent's; "zero"; or "mutate", the parent's, varied by
            Life.mutation.
        was: its name in earlier versions, so that their snapshots and worlds keep their values; all kinds have this.
    """
    flags: dict[str, Any] = {"above_low": above_low, "transient": transient, "drawn": drawn, "deep": deep, "was": was}
    return _checked(Field(Kind.NUMBER, default, unit, low, high, help, inherits=inherits, **flags))


def integer(default: int, unit: str, low: int, high: int, help: str, *, was: str = "") -> Any:
    """Declare an integer: an int32 column; the arguments are those of `number`."""
    return _checked(Field(Kind.INTEGER, default, unit, low, high, help, was=was))


def quantity(
    default: float, low: float, high: float, help: str, *, unit: str = "", inherits: str = "keep", was: str = ""
) -> Any:
    """Declare an exact amount: a number in files, an int64 column in units of 1 / AMOUNT_SCALE.

    Args:
        unit: shown behind the value ("s"); "" for none.
        inherits: the value of the young: "keep", the parent's; "zero"; or "half" of it, which the parent loses.
    """
    return _checked(Field(Kind.AMOUNT, default, unit, low, high, help, inherits=inherits, was=was))


def switch(default: bool, help: str, *, drawn: bool = False, deep: bool = False, was: str = "") -> Any:
    """Declare a switch, on or off: a bool column.

    Args:
        drawn: only for display, and only in resources: snapshots contain it, digests don't.
        deep: only worlds with depth have it.
    """
    return _checked(Field(Kind.SWITCH, default, help=help, drawn=drawn, deep=deep, was=was))


def count(help: str, *, unit: str = "", was: str = "") -> Any:
    """Declare a count: an integer without an upper bound, only in resources, not in components."""
    return _checked(Field(Kind.COUNT, 0, unit, 0, MOST_COUNTED, help, was=was))


def grid(
    cell_size: float,
    unit: str,
    low: float,
    high: float,
    help: str,
    *,
    plane: str = PICTURE,
    drawn: bool = False,
    transient: bool = False,
    was: str = "",
) -> Any:
    """Declare an amount for each cell of the world, at first 0 everywhere; only in resources, not in components.

    The cells cover the world, whatever its size; on a torus those at opposite borders are adjacent. Scene files don't
    contain the amounts: systems set them.

    Args:
        cell_size: approximate width and height of a cell, u; larger if there would be more than 1,024 along an axis.
        low, high: the bounds of a cell's amount, at most a million; stored in fixed point, like a `quantity`.
        plane: in worlds with depth, "picture": the cells lie over x and y, and go through the depth; or "floor": over x
            and z.
        drawn: only for display: snapshots contain it, digests don't.
    Raises:
        ValueError: the size of cells is not above 0, the bounds exceed a million, or there is no such plane.
    """
    flags: dict[str, Any] = {"drawn": drawn, "transient": transient, "was": was}
    made = _checked(Field(Kind.GRID, 0, unit, low, high, help, cell_size=cell_size, plane=plane, **flags))
    if plane not in PLANES:
        raise ValueError(f"plane = {plane!r:.60}: {must_be_one_of(PLANES, str(plane))}")
    if not (_is_number(cell_size) and 0 < cell_size < math.inf and low <= 0 <= high):
        raise ValueError(f"a grid has cells wider than 0 and holds {-MOST_IN_CELL:,} to {MOST_IN_CELL:,}, 0 among it")
    return replace(made, cell_size=float(cell_size))


def text(default: str, longest: int, help: str, *, was: str = "") -> Any:
    """Declare a text in one line of at most `longest` characters (10,000); only in resources and preferences."""
    return _checked(Field(Kind.TEXT, default, high=_most("longest", longest), help=help, was=was))


def several(each: Any, most: int, help: str, *, default: Sequence[Any] = (), drawn: bool = False, was: str = "") -> Any:
    """Declare a list, read as a tuple; only in resources and preferences.

    Args:
        each: what its entries are: `number(...)`, `integer(...)`, `switch(...)`, `choice(...)`, `colour(...)` or
            `text(...)`.
        most: the most entries it may have, up to 10,000.
        default: its entries at first, as files write them.
        drawn: only for display: snapshots contain it, digests don't.
    Raises:
        ValueError: an argument is invalid; the message says what would be right.
    """
    if not isinstance(each, Field) or each.kind not in IN_LISTS:
        raise ValueError("a list is of one kind: several(text(...), ...), with number, integer, switch, choice, colour")
    return _checked(Field(Kind.LIST, default, each=each, high=_most("most", most), help=help, drawn=drawn, was=was))


def _most(name: str, most: int) -> int:
    if type(most) is not int or not 1 <= most <= MOST_ENTRIES:
        raise ValueError(f"{name} = {most!r}: must be a whole number, 1 to {MOST_ENTRIES:,}")
    return most


def choice(*choices: str, default: str, help: str, drawn: bool = False, deep: bool = False, was: str = "") -> Any:
    """Declare a choice of words: an int32 column with the index of the word.

    Python reads the word, from handles (`stone.kind == "rough"`), resources and `sim.column`; kernels read the index.
    To compare it with a word that can't be chosen raises a ValueError.

    Args:
        drawn: only for display, and only in resources: snapshots contain it, digests don't.
        deep: only worlds with depth have it.
    """
    if not choices or len({*choices}) < len(choices) or not all(isinstance(word, str) for word in choices):
        raise ValueError(f"the choices are {choices!r:.60}: must be different words, at least one")
    return _checked(Field(Kind.CHOICE, default, choices=choices, help=help, drawn=drawn, deep=deep, was=was))


def open_choice(choices: OpenChoice, default: str, help: str) -> Any:
    """Declare a choice of words to which mods add."""
    return Field(Kind.CHOICE, choices.index(default), choices=choices, help=help)


def colour(default: str, help: str, *, was: str = "") -> Any:
    """Declare a colour "#rrggbb": a uint32 column, 0xRRGGBB."""
    return _checked(Field(Kind.COLOUR, default, help=help, was=was))


def vector(unit: str, help: str, *, transient: bool = False, starts: tuple[str, ...] = (), was: str = "") -> Any:
    """Declare a vector: the float32 columns `.x` and `.y`, and `.z` in worlds with depth.

    Args:
        starts: number fields of the same component, two or, for worlds with depth, three, whose values are the initial
            vector of a new entity; without them it is 0.
    """
    return _checked(Field(Kind.VECTOR, 0.0, unit, -1e9, 1e9, help, transient=transient, starts=starts, was=was))


def prefabs(help: str, *, having: str = "", was: str = "") -> Any:
    """Declare a set of prefabs: a uint64 column with bit n set for the n-th of `world.prefabs`.

    Args:
        having: the name of a component: only prefabs that have it are offered to people; "": all.
    """
    return _checked(Field(Kind.PREFABS, [], help=help, having=having, was=was))


def _checked(field: Field) -> Field:
    """Return a field whose default is given as files write it, with the stored value as its default.

    Raises:
        ValueError: an argument of the declaration is invalid; the message says what would be right.
    """
    for name in ("unit", "help", "was", "having"):
        if not isinstance(getattr(field, name), str):
            raise ValueError(f"{name} = {getattr(field, name)!r:.60}: must be a text")
    if field.was and not field.was.isidentifier():
        raise ValueError(f"was = {field.was!r:.60}: must be the former name of the field")
    if most := MOST.get(field.kind):
        for name, bound in (("lowest", field.low), ("highest", field.high)):
            if not (_is_number(bound) and -most <= bound <= most):
                raise ValueError(f"{name} = {bound!r:.60}: must be a number, {plain(-most)} to {plain(most)}")
            if field.kind is Kind.INTEGER and bound != int(bound):
                raise ValueError(f"{name} = {bound!r:.60}: must be a whole number")
        if field.low > field.high:
            raise ValueError(f"the lowest, {plain(field.low)}, is above the highest, {plain(field.high)}")
    if (ways := INHERITS.get(field.kind)) and field.inherits not in ways:
        near = did_you_mean(str(field.inherits), ways)
        raise ValueError(f"inherits = {field.inherits!r:.60}: must be one of {', '.join(ways)}{near}")
    try:
        return field if field.kind is Kind.GRID else replace(field, default=field.parse(field.default))
    except ValueError as error:
        raise ValueError(f"default = {field.default!r:.60}: {error}") from None


def _is_number(value: object) -> bool:
    return isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)


def component(cls: type[T]) -> type[T]:
    """Make a component type from a class whose attributes are declared fields.

        @component
        class Magnet:
            '''Attracts the entities around it.'''

            strength: float = number(250, "u/s²", 0, 2000, "how hard it pulls")

    After `app.add_component`, each field is a column ("Magnet.strength"), a key in scene files and a widget of the
    inspector. An instance is a handle of one entity: `magnet.strength` reads and writes its row.
    """
    fields = declared(cls)
    for field in fields.values():
        if len(field.starts) not in (0, 2, 3):
            raise ValueError(f"{field.key} starts with {field.starts!r:.60}: must be the names of two or three numbers")
        if unknown := [name for name in field.starts if name not in fields or fields[name].kind is not Kind.NUMBER]:
            raise ValueError(f"{field.key} starts with {unknown[0]!r}, which is no number of {cls.__name__}")
        if field.dtype.hasobject or field.drawn:
            raise ValueError(
                f"{field.key}: only a resource can hold a count, text, list or grid, or what is drawn alone"
            )
    body: dict[str, Any] = {
        name: Vector(field) if field.kind is Kind.VECTOR else Value(field) for name, field in fields.items()
    }
    return made_type(cls, Component, fields, body)


def made_type(cls: type[T], base: type, fields: Mapping[str, Field], body: dict[str, Any]) -> type[T]:
    """Make a type from a class, with these attributes in place of its fields.

    Raises:
        ValueError: the class extends another one, a field has the name of an attribute of `base`, or an attribute is
            neither a field nor a method.
    """
    methods = [name for name, value in vars(cls).items() if isinstance(value, Callable | property | classmethod)]  # type: ignore[arg-type]
    stated = {*vars(cls).get("__annotations__", {}), *(name for name in vars(cls) if not name.startswith("__"))}
    if lost := sorted(stated - fields.keys() - {*methods}):
        raise ValueError(
            f"{cls.__name__}.{lost[0]}: must be declared by number, integer, quantity, switch, choice, colour, vector "
            f"or prefabs, or in a resource by text, several, count or grid: it holds nothing else, no array or constant"
        )
    refuse_wide(fields.values())
    if cls.__bases__ != (object,):
        raise ValueError(f"{cls.__name__} extends {cls.__bases__[0].__name__}, whose fields it would lose: repeat them")
    if taken := [name for name in fields if hasattr(base, name)]:
        raise ValueError(f"{cls.__name__}.{taken[0]}: the name {taken[0]} is taken, choose another")
    body |= {"__slots__": (), "__doc__": cls.__doc__, "__module__": cls.__module__, "__qualname__": cls.__qualname__}
    body["fields"] = fields
    body |= {name: vars(cls)[name] for name in methods if name not in body}
    made: Any = type(cls.__name__, (base,), body)
    return made  # type: ignore[no-any-return]


def refuse_wide(fields: Iterable[Field]) -> None:
    """Raise ValueError if a field is an integer that can exceed its column."""
    for field in fields:
        if field.kind is Kind.INTEGER and max(-field.low, field.high) > MOST_IN_COLUMN:
            raise ValueError(f"{field.key} {field.bounds()}: an integer is at most {MOST_IN_COLUMN:,}")
