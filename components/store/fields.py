"""The declaration of one value (kind, unit, default, bounds, help), and its conversion between files and storage."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from typing import Any

import numpy as np

from components.store.grids import PICTURE, Grid, grid_of
from components.store.words import Choices, did_you_mean, must_be_one_of, plain

Stored = float | int | bool
FLAT, DEEP = "xy", "xyz"
"""The axes of a flat world, and of one with depth."""
GIVEN_BY_KEYS = ("Position", "Velocity")
"""The components whose tables in files are empty: `at`, `velocity` and other keys give their values."""


class Kind(Enum):
    """The kind of a field; the value says how it is stored."""

    NUMBER = "float32"
    INTEGER = "int32"
    SWITCH = "bool"
    CHOICE = "int32 index of a choice"
    COLOUR = "uint32 0xRRGGBB"
    VECTOR = "float32 .x .y, and .z where there is depth"
    PREFABS = "uint64 mask"
    AMOUNT = "int64 in units of 1 / AMOUNT_SCALE"
    COUNT = "a whole number of any size, only in resources"
    GRID = "a Grid of int64 in units of 1 / AMOUNT_SCALE, only in resources"
    TEXT = "a text in one line, only in resources"
    LIST = "a tuple of values of one kind, only in resources"


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
    Kind.GRID: np.dtype(object),
    Kind.TEXT: np.dtype(object),
    Kind.LIST: np.dtype(object),
}

AMOUNT_SCALE = 1 << 20  # a million amounts of at most a million fit an int64 sum

MOST_IN_CELL = 1_000_000
MOST_COUNTED = 10**30  # far above any real count; bounds the digits in a file
LARGEST = float(np.finfo(np.float32).max)


@dataclass(frozen=True, slots=True)
class Field:
    """One declared value of a component or resource, or parameter of a system; for more attributes see `declare.py`.

    Attributes:
        inherits: what the young get of their parent's value. "keep": the same; "zero": 0; "half": half of it, which the
            parent loses; "mutate": the same, but numbers vary by the parent's Life.mutation.
        cell_size: approximate width and height of a grid's cells, u.
        plane: where a grid lies in worlds with depth, one of PLANES.
        deep: whether only worlds with depth have it.
        high: of a text, the most characters; of a list, the most entries.
        low: of a list, the fewest entries of one that is not empty.
        each: the declaration of a list's entries.
    """

    kind: Kind
    default: Any
    unit: str = ""
    low: float = -math.inf
    high: float = math.inf
    help: str = ""
    choices: Choices = ()
    above_low: bool = False
    transient: bool = False
    drawn: bool = False
    deep: bool = False
    starts: tuple[str, ...] = ()
    inherits: str = "mutate"
    was: str = ""
    having: str = ""
    cell_size: float = 0.0
    plane: str = PICTURE
    each: Field | None = None
    owner: str = ""
    name: str = ""

    @property
    def key(self) -> str:
        """The name scenes, snapshots and the command line use: `Owner.name`."""
        return f"{self.owner}.{self.name}"

    def columns(self, axes: str = FLAT) -> tuple[str, ...]:
        """Return the names of its columns in a world with these axes: one, or one for each axis of a vector."""
        return tuple(f"{self.key}.{axis}" for axis in axes) if self.kind is Kind.VECTOR else (self.key,)

    @property
    def in_files(self) -> bool:
        """Whether prefabs and `[[spawn]]` can set it on entities: not if transient, a vector or a `.z`."""
        given_by_keys = self.deep and self.owner in GIVEN_BY_KEYS
        return not self.transient and self.kind is not Kind.VECTOR and not given_by_keys

    @property
    def settable(self) -> bool:
        """Whether a resource's table and widgets can set it: not if transient, nor a grid, which only systems fill."""
        return not self.transient and self.kind is not Kind.GRID

    @property
    def dtype(self) -> np.dtype[Any]:
        return DTYPES[self.kind]

    def bounds(self) -> str:
        """Return the bounds in words: "must be 0 to 360 (degrees)"."""
        low, high, unit = plain(self.low), plain(self.high), ""
        if self.unit:
            unit = f", in {self.unit}" if "(" in self.unit else f" ({self.unit})"
        if self.above_low and math.isinf(self.high):
            return f"must be above {low}{unit}"
        if self.above_low:
            return f"must be above {low}, at most {high}{unit}"
        return f"must be {low} to {high}{unit}"

    def parse(self, value: object, prefabs: Mapping[str, int] | None = None) -> Any:
        """Convert a value written in a file, on the command line or in Python to the one that is stored.

        Args:
            value: depends on the kind: a number, bool, choice, "#rrggbb", list of prefab names, text, list, or Grid or
                its array.
            prefabs: index of each prefab by name; only needed for a set of prefabs.
        Raises:
            ValueError: the message says what is allowed, e.g. "must be 0 to 360 (degrees)".
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
        if self.kind is Kind.GRID:
            return self._parse_grid(value)
        if self.kind is Kind.TEXT:
            return self._parse_text(value)
        if self.kind is Kind.LIST:
            return self._parse_list(value)
        if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
            raise ValueError(f"must be a number, {self.bounds().removeprefix('must be ')}")
        whole = self.kind in (Kind.INTEGER, Kind.COUNT)
        if whole and not isinstance(value, int | np.integer):
            raise ValueError(f"must be a whole number, {self.bounds().removeprefix('must be ')}")
        # Before float(), which a whole number of 400 digits overflows. What float32 rounds to `low` is not above it.
        low, high = max(self.low, -LARGEST), min(self.high, LARGEST)
        if not (low <= value <= high or self._is_rounded(value, low, high)) or (
            self.above_low and np.float32(value) <= self.low
        ):
            raise ValueError(self.bounds())
        if self.kind is Kind.AMOUNT:
            return round(float(value) * AMOUNT_SCALE)  # float() first: small integer types of numpy overflow
        return int(value) if whole else float(value) + 0.0  # -0.0 becomes 0.0: equal values have equal bits

    def show(self, stored: Any, prefabs: tuple[str, ...] = ()) -> Any:
        """Return the value as files write it: the inverse of `parse`."""
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
        if self.kind is Kind.TEXT:
            return stored
        if self.each is not None:
            return [self.each.within(self.each.show(value)) for value in stored]
        return _shortest(float(stored)) if stored else float(stored)  # a cache can't tell 0.0 from -0.0

    def _is_rounded(self, value: object, low: float, high: float) -> bool:
        """Return whether a value is a bound as a float32 column holds it: what was read may be set again."""
        return self.dtype == np.float32 and value in (float(np.float32(low)), float(np.float32(high)))

    def within(self, shown: Any) -> Any:
        """Return a shown value within the bounds, which rounding to a float32 may exceed."""
        return min(max(shown, self.low), self.high) if self.dtype == np.float32 else shown

    def _parse_text(self, value: object) -> str:
        if isinstance(value, str) and len(value) <= self.high and value.isprintable():
            return str(value)
        raise ValueError(f"must be a text in one line, of at most {plain(self.high)} characters")

    def _parse_list(self, value: object) -> tuple[Any, ...]:
        assert self.each is not None
        if not isinstance(value, list | tuple) or len(value) > self.high:
            raise ValueError(f"must be a list of at most {plain(self.high)} entries")
        if 0 < len(value) < self.low:
            raise ValueError(f"must be a list of at least {plain(self.low)} entries, or empty")
        found = []
        for number, entry in enumerate(value, 1):
            try:
                found.append(self.each.parse(entry))
            except ValueError as error:
                raise ValueError(f"entry {number} {error}") from None
        return tuple(found)

    def _parse_choice(self, value: object) -> int:
        word = str(value)
        if isinstance(value, str) and word in self.choices:
            return self.choices.index(word)
        raise ValueError(must_be_one_of(self.choices, word))

    def _parse_colour(self, value: object) -> int:
        if isinstance(value, str) and re.fullmatch("#[0-9a-fA-F]{6}", value):
            return int(value[1:], 16)
        raise ValueError('must be a colour like "#e8d9a0"')

    def _parse_prefabs(self, value: object, prefabs: Mapping[str, int]) -> int:
        if not isinstance(value, list | tuple):
            raise ValueError('must be a list of prefab names like ["boid"]')
        mask = 0
        for name in value:
            if not isinstance(name, str) or name not in prefabs:  # a nested list or table has no hash
                near = did_you_mean(name, prefabs) if isinstance(name, str) else ""
                raise ValueError(f"there is no prefab {name!r}{near}")
            mask |= 1 << prefabs[name]
        return mask

    def _parse_grid(self, value: object) -> Grid:
        found = grid_of(self.cell_size, value, self.plane)
        low, high = (int(bound * AMOUNT_SCALE) for bound in (self.low, self.high))
        if found.amounts.size and not low <= found.amounts.min() <= found.amounts.max() <= high:
            raise ValueError(f"every cell {self.bounds()}")
        return found


@lru_cache(maxsize=4096)
def _shortest(stored: float) -> float:
    """Return the number with the fewest digits that is stored as the same float32: 0.1, not 0.10000000149."""
    return float(str(np.float32(stored)))


def older_field(field: Field, older: Mapping[str, Field]) -> Field | None:
    """Return the field of an older declaration whose values `field` takes over; None if there is none of its kind."""
    known = older.get(field.name) or older.get(field.was)
    if known is None or _form(known) != _form(field):
        return None
    return known


def _form(field: Field) -> tuple[Any, ...]:
    return field.kind, field.choices, field.cell_size, field.plane, _form(field.each) if field.each else ()


def by_key(fields: Iterable[Field]) -> dict[str, Field]:
    """Return fields by key; renamed fields also by their former key."""
    known = list(fields)
    return {f"{f.owner}.{f.was}": f for f in known if f.was} | {f.key: f for f in known}


def declared(cls: type) -> dict[str, Field]:
    """Return the fields of a class by name, inherited ones first, with `name` and `owner` filled in."""
    names = dict.fromkeys(name for base in reversed(cls.__mro__) for name in vars(base))
    fields = ((name, value) for name in names if isinstance(value := getattr(cls, name, None), Field))
    return {name: replace(field, owner=cls.__name__, name=name) for name, field in fields}
