"""Caches the last result of a function in a table, while what it was computed from has the same contents."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, TypeVar

import numpy as np

from components.store.table import EntityTable

P = ParamSpec("P")
R = TypeVar("R")
Derive = Callable[Concatenate[EntityTable, P], R]


def cached(derive: Derive[P, R]) -> Derive[P, R]:
    """Cache the last result of a function of a table and values, until the values have other contents.

        @cached
        def widest_sight(table, clocks):
            return table.columns["Perception.radius"][table.rows(Perception)].max(initial=0)

        widest_sight(table, table.clocks(Perception))

    A value is a number, a text, an array, the result of another such function, or a tuple of these. The result must
    depend on nothing else: what is read from the table must be covered by clocks. Neither the result nor the values may
    be changed.
    """

    def derived(table: EntityTable, /, *values: P.args, **named: P.kwargs) -> R:
        made_of = values, *named.items()
        known: tuple[Any, R] | None = table.derived.get(derive)
        if known is None or not _same(known[0], made_of):
            known = table.derived[derive] = made_of, derive(table, *values, **named)
        return known[1]

    return derived


def _same(one: Any, other: Any) -> bool:
    """Return whether two values have the same contents, bit by bit in arrays."""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, tuple):
        if len(one) != len(other):
            return False
        for own, its in zip(one, other, strict=True):
            if own is not its and not _same(own, its):
                return False
        return True
    if isinstance(one, np.ndarray):
        return bool(one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes())
    return bool(one == other)
