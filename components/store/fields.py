"""Declare a component once: annotated fields with kind, unit, default, bounds and a line of help.

    @component
    class Perception:
        '''What an entity sees of the others.'''

        radius: float = number(50, "u", 0, 1e4, "how far it sees")

From this one declaration follow the esper component type, the numpy columns, the keys of a scene file
with their validation, and the widgets of the inspector. An instance is a thin handle on one entity's row:
reading `perception.radius` reads the column, writing it checks the value and writes the column.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, TypeVar

import numpy as np

T = TypeVar("T")
Stored = float | int | bool


INHERITS = ("keep", "zero", "half", "mutate")


class Kind(Enum):
    """What a field holds; the value is the dtype of its columns."""

    NUMBER = "float32"
    INTEGER = "int32"
    SWITCH = "bool"
    CHOICE = "int32 index of a choice"
    COLOUR = "uint32 0xRRGGBB"
    VECTOR = "float32 .x .y"
    PREFABS = "uint64 mask"
    AMOUNT = "int64 in units of 1 / AMOUNT_SCALE"
    COUNT = "a whole number of any size, in resources alone"


DTYPES = {
    Kind.NUMBER: np.dtype(np.float32),
    Kind.INTEGER: np.dtype(np.int32),
    Kind.SWITCH: np.dtype(np.bool_),
    Kind.CHOICE: np.dtype(np.int32),
    Kind.COLOUR: np.dtype(np.uint32),
    Kind.VECTOR: np.dtype(np.float32),
    Kind.PREFABS: np.dtype(np.uint64),
    Kind.AMOUNT: np.dtype(np.int64),
    Kind.COUNT: np.dtype(object),
}

AMOUNT_SCALE = 1 << 20  # a million amounts of at most a million fit an int64 sum

MOST_COUNTED = 10**30  # nothing is counted that far, and a file should have an end
MOST_WRITTEN_OUT = 1e21
LARGEST = float(np.finfo(np.float32).max)


@dataclass(frozen=True, slots=True)
class Field:
    """One declared value of a component or resource, or parameter of a system.

    Attributes:
        inherits: what the young have of their parent's value, one of INHERITS: all of it; 0; half, which the parent
            loses; or all, a little different where the parent's Life.mutation says so and it is a number.
    """

    kind: Kind
    default: Any
    unit: str = ""
    low: float = -math.inf
    high: float = math.inf
    help: str = ""
    choices: tuple[str, ...] = ()
    above_low: bool = False
    transient: bool = False
    drawn: bool = False
    starts: tuple[str, ...] = ()
    inherits: str = "mutate"
    was: str = ""
    owner: str = ""
    name: str = ""

    @property
    def key(self) -> str:
        """The name scenes, snapshots and the command line use: `Owner.name`."""
        return f"{self.owner}.{self.name}"

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns it takes: one, or `.x` and `.y` of a vector."""
        return (f"{self.key}.x", f"{self.key}.y") if self.kind is Kind.VECTOR else (self.key,)

    @property
    def in_files(self) -> bool:
        """Prefabs, scenes and commands name it; vectors begin at 0, and only rows and resources hold them."""
        return not self.transient and self.kind is not Kind.VECTOR

    @property
    def dtype(self) -> np.dtype[Any]:
        return DTYPES[self.kind]

    def bounds(self) -> str:
        """What a number must be, in words: "must be 0 to 360 (degrees)"."""
        low, high, unit = plain(self.low), plain(self.high), ""
        if self.unit:
            unit = f", in {self.unit}" if "(" in self.unit else f" ({self.unit})"
        if self.above_low and math.isinf(self.high):
            return f"must be above {low}{unit}"
        if self.above_low:
            return f"must be above {low}, at most {high}{unit}"
        return f"must be {low} to {high}{unit}"

    def parse(self, value: object, prefabs: Mapping[str, int] | None = None) -> Any:
        """The stored value for one written in a file, on the command line or in Python.

        Args:
            value: a number, bool, choice's name, "#rrggbb" or list of prefab names, by the field's kind.
            prefabs: index of each prefab by name; only needed for a set of prefabs.
        Raises:
            ValueError: with what would be right, e.g. "must be 0 to 360 (degrees)".
        """
        if self.kind is Kind.SWITCH:
            if isinstance(value, bool | np.bool_):
                return bool(value)
            raise ValueError("must be true or false")
        if self.kind is Kind.CHOICE:
            return self._parse_choice(value)
        if self.kind is Kind.COLOUR:
            return self._parse_colour(value)
        if self.kind is Kind.PREFABS:
            return self._parse_prefabs(value, prefabs or {})
        if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
            raise ValueError(f"must be a number, {self.bounds().removeprefix('must be ')}")
        whole = self.kind in (Kind.INTEGER, Kind.COUNT)
        if whole and not isinstance(value, int | np.integer):
            raise ValueError(f"must be a whole number, {self.bounds().removeprefix('must be ')}")
        # Bounds come first: a whole number of 400 digits is no float. What float32 rounds to `low` is not above it.
        if not max(self.low, -LARGEST) <= value <= min(self.high, LARGEST) or (
            self.above_low and np.float32(value) <= self.low
        ):
            raise ValueError(self.bounds())
        if self.kind is Kind.AMOUNT:
            return round(float(value) * AMOUNT_SCALE)  # a float first: small integers of numpy overflow
        return int(value) if whole else float(value) + 0.0  # -0.0 becomes 0.0: equal values have equal bits

    def show(self, stored: Any, prefabs: tuple[str, ...] = ()) -> Any:
        """The value as files write it: the inverse of `parse`."""
        if self.kind is Kind.SWITCH:
            return bool(stored)
        if self.kind is Kind.CHOICE:
            return self.choices[int(stored)]
        if self.kind is Kind.COLOUR:
            return f"#{int(stored):06x}"
        if self.kind is Kind.PREFABS:
            return [name for index, name in enumerate(prefabs) if int(stored) >> index & 1]
        if self.kind is Kind.AMOUNT:
            return int(stored) / AMOUNT_SCALE
        if self.kind in (Kind.INTEGER, Kind.COUNT):
            return int(stored)
        return float(str(np.float32(stored)))  # 0.1, not 0.10000000149

    def _parse_choice(self, value: object) -> int:
        if isinstance(value, str) and value in self.choices:
            return self.choices.index(value)
        near = did_you_mean(str(value), self.choices)
        raise ValueError(f"must be one of {', '.join(self.choices)}{near}")

    def _parse_colour(self, value: object) -> int:
        if isinstance(value, str) and re.fullmatch("#[0-9a-fA-F]{6}", value):
            return int(value[1:], 16)
        raise ValueError('must be a colour like "#e8d9a0"')

    def _parse_prefabs(self, value: object, prefabs: Mapping[str, int]) -> int:
        if not isinstance(value, list | tuple):
            raise ValueError('must be a list of prefab names like ["boid"]')
        mask = 0
        for name in value:
            if not isinstance(name, str) or name not in prefabs:  # what TOML and JSON nest in a list has no hash
                near = did_you_mean(name, prefabs) if isinstance(name, str) else ""
                raise ValueError(f"there is no prefab {name!r}{near}")
            mask |= 1 << prefabs[name]
        return mask


def plain(number: float) -> str:
    """A number as people write it: "1,000,000"."""
    whole = abs(number) < MOST_WRITTEN_OUT and number == int(number)
    return f"{int(number):,}" if whole else f"{number:,.10g}"


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The words "; did you mean 'boid'?", or none where nothing is near."""
    close = nearest(word, list(known))
    return f"; did you mean {close!r}?" if close else ""


def nearest(word: str, known: tuple[str, ...] | list[str]) -> str | None:
    """The known name most like `word`, or None when none is close."""
    import difflib

    lowered = {name.lower(): name for name in known}
    close = difflib.get_close_matches(word.lower(), list(lowered), n=1, cutoff=0.6)
    return lowered[close[0]] if close else None


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


def prefabs(help: str, *, was: str = "") -> Any:
    """A set of prefabs: a uint64 column with bit n set for the n-th of `world.prefabs`."""
    return Field(Kind.PREFABS, 0, help=help, was=was)


def older_field(field: Field, older: Mapping[str, Field]) -> Field | None:
    """The field of an older declaration whose values are those of `field` now; None: another kind, or none."""
    known = older.get(field.name) or older.get(field.was)
    return known if known is not None and (known.kind, known.choices) == (field.kind, field.choices) else None


def field_called(name: str, fields: Mapping[str, Field]) -> Field | None:
    """The field that has a name, or had it in an earlier version."""
    return fields.get(name) or next((field for field in fields.values() if field.was == name), None)


def declared(cls: type) -> dict[str, Field]:
    """The fields written in a class body, named and owned; in order of declaration."""
    found = {name: value for name, value in vars(cls).items() if isinstance(value, Field)}
    return {name: replace(field, owner=cls.__name__, name=name) for name, field in found.items()}


class Component:
    """A handle: which entity of which world it belongs to. Its values live in the columns of that world."""

    __slots__ = ("_world", "entity")
    _world: str
    entity: int
    fields: Mapping[str, Field] = {}
    record: np.dtype[Any] = np.dtype([])


class Value:
    """A field as an attribute of a handle; on the class it is the `Field` itself."""

    __slots__ = ("_column", "_high", "_low", "_shown", "field")

    def __init__(self, field: Field, column: str | None = None) -> None:
        self.field = field
        self._column = column or field.key
        self._shown = field.kind is Kind.AMOUNT
        plain = field.dtype == np.float32 and not field.above_low  # such a float between these needs no parsing
        self._low, self._high = (max(field.low, -LARGEST), min(field.high, LARGEST)) if plain else (1.0, 0.0)

    def __get__(self, handle: Component | None, owner: type | None = None) -> Any:
        if handle is None:
            return self.field
        table = _table(handle)
        stored = table.columns[self._column].item(table.row(handle.entity))
        return self.field.show(stored) if self._shown else stored

    def __set__(self, handle: Component, value: object) -> None:
        table = _table(handle)
        stored = value if type(value) is float and self._low <= value <= self._high else parsed(self.field, value)
        table.write(self._column, table.row(handle.entity), stored)


def parsed(field: Field, value: object) -> Any:
    """The stored value for one that Python code assigns: what is read of a choice or a colour may be written.

    Raises:
        ValueError: with the field, the value, and what would be right.
    """
    most = {Kind.CHOICE: len(field.choices) - 1, Kind.COLOUR: 0xFFFFFF}.get(field.kind, -1)
    is_stored = isinstance(value, int | np.integer) and not isinstance(value, bool) and 0 <= int(value) <= most
    try:
        return field.parse(field.show(value) if is_stored else value)
    except ValueError as error:
        raise ValueError(f"{field.key} = {value!r}: {error}") from None


class Pair:
    """A vector field as an attribute of a handle: `motion.acceleration` is `(x, y)`."""

    __slots__ = ("_x", "_y", "field")

    def __init__(self, field: Field) -> None:
        self.field = field
        self._x, self._y = (Value(field, column) for column in field.columns)

    def __get__(self, handle: Component | None, owner: type | None = None) -> Any:
        return self.field if handle is None else (self._x.__get__(handle), self._y.__get__(handle))

    def __set__(self, handle: Component, value: tuple[float, float]) -> None:
        x, y = two(self.field, value)
        self._x.__set__(handle, x)
        self._y.__set__(handle, y)


def two(field: Field, value: Any) -> tuple[Any, Any]:
    """The two parts of what is assigned to a vector.

    Raises:
        ValueError: there are no two.
    """
    try:
        x, y = value
    except (TypeError, ValueError):
        raise ValueError(f"{field.key} = {value!r}: must be two numbers, (x, y)") from None
    return x, y


def _record_type(fields: Mapping[str, Field]) -> np.dtype[Any]:
    """The dtype of one entity's values of a component: a vector takes two items, `_x` and `_y`."""
    items = [
        (field, column.split(".", 1)[1].replace(".", "_")) for field in fields.values() for column in field.columns
    ]
    widest_first = sorted(items, key=lambda item: -item[0].dtype.itemsize)
    return np.dtype([(name, field.dtype) for field, name in widest_first], align=True)


tables: dict[str, Any] = {}
"""The `EntityTable` of each world by the world's name; handles find theirs here."""


def _table(handle: Component) -> Any:
    table = tables.get(handle._world)
    if table is None:
        raise RuntimeError(f"entity {handle.entity} is of {handle._world}, which is closed or not at work")
    return table


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
            raise ValueError(f"{field.key}: only a resource can hold a count, or what is drawn alone")
    body: dict[str, Any] = {
        name: Pair(field) if field.kind is Kind.VECTOR else Value(field) for name, field in fields.items()
    }
    return made_type(cls, Component, fields, body | {"record": _record_type(fields)})


def made_type(cls: type[T], base: type, fields: Mapping[str, Field], body: dict[str, Any]) -> type[T]:
    """The class again, with these attributes in place of its fields.

    Raises:
        ValueError: a field is called like something that all such classes have, or something else is no field.
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
