"""Converts commands to JSON tables and back."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.store.entities import Entities
from sandbox.design.scene import Ball, Box, Circle, Entry, Rect, Stream
from sandbox.edit import (
    Clear,
    Command,
    Despawn,
    Erase,
    Move,
    NewPrefab,
    Paste,
    Redo,
    RenamePrefab,
    SetEnabled,
    SetField,
    SetHand,
    SetParameter,
    SetPrefabs,
    SetResource,
    SetSeed,
    SetTables,
    Spawn,
    Undo,
)
from sandbox.mods.load.loading import LoadedMod
from sandbox.mods.run.host import StopMod, SwitchMod
from sandbox.mods.run.upgrade import UseMods
from sandbox.serials import Serials
from sandbox.toml.schemas import Spread

KINDS: tuple[type[Any], ...] = (
    SetHand, Clear, Despawn, Erase, Move, NewPrefab, Paste, Redo, RenamePrefab, SetField, SetParameter,
    SetPrefabs, SetResource, SetSeed, SetTables, Spawn, StopMod, SetEnabled, SwitchMod, Undo, UseMods,
)  # fmt: skip
BY_NAME = {kind.__name__: kind for kind in KINDS}
TABLES = {kind.__name__: kind for kind in (Ball, Box, Circle, Entry, Rect, Spread, Stream)}
MOST_SERIALS = 1_000_000
OF_ARRAY = 128  # bytes of an array beside its values
ALIGNED = 16  # bytes: Python gives an object a multiple of them
PLAIN = {str, int, float, bool, type(None)}  # what most parts of commands are
SHARED = Entities, LoadedMod  # by several commands

Refer = Callable[[Any], int]
Find = Callable[[int], Any]


def as_table(command: Command, copies: Refer, mods: Refer) -> dict[str, Any]:
    """Return a command as a JSON table; fields with their default values are left out.

    Args:
        copies, mods: return the number by which the file refers to copied entities, and to a mod.
    """

    def of(value: Any) -> Any:
        if isinstance(value, Serials):
            return {"serials": value.runs.tolist()}
        if isinstance(value, Entities):
            return {"copies": copies(value)}
        if isinstance(value, LoadedMod):
            return {"mod": mods(value)}
        if type(value) in TABLES.values():
            return {type(value).__name__: _fields_of(value, of)}
        if isinstance(value, Mapping):
            return {"table": {key: of(part) for key, part in value.items()}}
        if isinstance(value, np.ndarray) and value.ndim > 1:
            return {"array": value.tolist()}
        if isinstance(value, np.ndarray | np.generic):
            return value.tolist()
        return [of(part) for part in value] if isinstance(value, list | tuple) else value

    return {"kind": type(command).__name__, **_fields_of(command, of)}


def _fields_of(thing: Any, of: Callable[[Any], Any]) -> dict[str, Any]:
    found = {}
    for field in fields(thing):
        value = getattr(thing, field.name)
        default = field.default_factory() if field.default_factory is not MISSING else field.default
        if type(value) is not type(default) or value != default:
            found[field.name] = of(value)
    return found


def read_command(table: Mapping[str, Any], copies: Find, mods: Find) -> Command:
    """Make a command from a JSON table; its `check` must still be called before it is carried out.

    Args:
        copies, mods: return the copied entities, and the mod, that a number in the file refers to.
    Raises:
        ValueError: the table is no command; the message says what would be right.
    """

    def of(value: Any) -> Any:
        if type(value) in PLAIN:
            return value
        if isinstance(value, list):
            return tuple(of(part) for part in value)
        if not isinstance(value, dict):
            return value
        if len(value) != 1:
            raise ValueError("a table must have one key, which says what it is")
        ((what, inner),) = value.items()
        if what == "serials":
            return _serials(inner)
        if what == "copies":
            return copies(inner)
        if what == "mod":
            return mods(inner)
        if what == "table" and isinstance(inner, dict):
            return {key: of(part) for key, part in inner.items()}
        if what == "array":
            return _numbers(inner)
        if what in TABLES and isinstance(inner, dict):
            return _made(TABLES[what], {key: of(part) for key, part in inner.items()})
        raise ValueError(f"{what!r} is not a value of a command")

    kind = table.get("kind")
    if not isinstance(kind, str) or kind not in BY_NAME:
        raise ValueError(f"kind = {kind!r:.60}: must be one of {', '.join(BY_NAME)}")
    try:
        made: Command = _made(BY_NAME[kind], {key: of(value) for key, value in table.items() if key != "kind"})
    except RecursionError:
        raise ValueError("lists must not be nested so deeply") from None
    return made


def _made(kind: type[Any], values: Mapping[str, Any]) -> Any:
    try:
        return kind(**values)
    except TypeError:
        known = {field.name for field in fields(kind)}
    if others := values.keys() - known:
        raise ValueError(f"{kind.__name__} has no {min(others)!r}: it has {', '.join(sorted(known)) or 'nothing'}")
    raise ValueError(f"{kind.__name__} lacks some of {', '.join(sorted(known))}")


def _numbers(value: Any) -> NDArray[np.float64]:
    try:
        return np.array(value, np.float64)
    except (TypeError, ValueError, OverflowError):
        raise ValueError("an array must be lists of numbers, all of the same length") from None


def _serials(runs: Any) -> Serials:
    if not (isinstance(runs, list) and _are_runs(runs)):
        raise ValueError(f"serials must be [[first, last], ...], ascending, at most {MOST_SERIALS:,}")
    return Serials.of_runs(runs)


def _are_runs(runs: list[Any]) -> bool:
    """Return whether these are runs; a file may have millions, so no loop of Python's goes over them."""
    if len(runs) > MOST_SERIALS or not ({*map(type, runs)} <= {list} and {*map(len, runs)} <= {2}):
        return False
    ends = [*chain.from_iterable(runs)]
    if not {*map(type, ends)} <= {int} or not 0 <= min(ends, default=0) <= max(ends, default=0) < 2**62:
        return False
    first, last = np.array(ends, np.int64).reshape(-1, 2).T
    ascend = np.all(first <= last) and np.all(last[:-1] < first[1:])
    return bool(ascend and np.sum(last - first + 1) <= MOST_SERIALS)


def memory_of(value: object) -> int:
    """Return the bytes of a command or a part of it, without entities and mods, which several commands share."""
    if isinstance(value, SHARED):
        return 0
    if isinstance(value, np.ndarray):
        return value.nbytes + OF_ARRAY
    size, parts = _size(value), value if isinstance(value, tuple) else ()
    if isinstance(value, dict):
        parts = (*value, *value.values())
    elif hasattr(value, "__dict__"):
        size, parts = size + _size(vars(value)), tuple(vars(value).values())
    for part in parts:
        size += _size(part) if type(part) in PLAIN else memory_of(part)
    return size


def _size(one: object) -> int:
    return sys.getsizeof(one) + ALIGNED - 1 & -ALIGNED
