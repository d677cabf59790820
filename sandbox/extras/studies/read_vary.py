"""Reads the `[vary]` table of a study file: the values of each key."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from sandbox.extras.studies.format import MOST_LEVELS, RANGE
from sandbox.extras.studies.study import Levels, Value
from sandbox.toml.key_places import KeyPath
from sandbox.toml.schemas import Wrong, refuse
from sandbox.toml.source import TomlSource

Varied = dict[str, tuple[KeyPath, Levels]]
"""By key: its path in the file, and its values."""


def read_vary(source: TomlSource, value: Any) -> Varied:
    """Read the varied keys; a key may be in quotes, or nested tables."""
    found: Varied = {}
    for path, levels in _levels(source, ("vary",), value):
        key = ".".join(map(str, path[1:]))
        if key in found:
            source.mistake(path, "is given twice, in another spelling: give each key once")
        found[key] = path, levels
    return found


def _levels(source: TomlSource, path: KeyPath, value: Any) -> Iterator[tuple[KeyPath, Levels]]:
    if not isinstance(value, dict):
        refuse(source, path, "must be a table: a list of values, or { from, to, steps }, for each key")
        return
    for key, levels in value.items():
        here = (*path, key)
        found = None
        if isinstance(levels, list):
            found = _listed(source, here, levels)
        elif isinstance(levels, dict) and levels.keys() & {"from", "to", "steps"}:
            found = _range(source, here, levels)
        elif isinstance(levels, dict) and levels:
            yield from _levels(source, here, levels)
        else:
            refuse(source, here, "must be a list of values, or { from = 20, to = 80, steps = 7 }")
        if found is not None:
            yield here, found


def _listed(source: TomlSource, path: KeyPath, values: list[Any]) -> Levels | None:
    wrong = [index for index, value in enumerate(values) if not isinstance(value, bool | int | float | str)]
    for index in wrong:
        refuse(source, (*path, index), "must be a number, a text, true or false")
    if not values or len(values) > MOST_LEVELS or len({*map(repr, values)}) < len(values):
        refuse(source, path, f"must be 1 to {MOST_LEVELS:,} values, each once")
    elif not wrong:
        return Levels(tuple(values))
    return None


def _range(source: TomlSource, path: KeyPath, table: dict[str, Any]) -> Levels | None:
    read = RANGE.read(source, path, table)
    if isinstance(read, Wrong) or read.keys() != table.keys():
        return None
    low, high, steps = table["from"], table["to"], table.get("steps")  # as written: a field rounds to 32 bits
    if not low < high:
        refuse(source, (*path, "to"), f"must be above from, {low}")
        return None
    whole = type(low) is int and type(high) is int
    values: tuple[Value, ...] = ()
    if steps is not None:
        drawn = np.linspace(low, high, steps).tolist()
        whole = whole and all(value == round(value) for value in drawn)
        values = tuple(round(value) for value in drawn) if whole else tuple(drawn)
    return Levels(values, low, high, whole)
