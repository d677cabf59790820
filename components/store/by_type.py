"""A cache of values derived from classes; it holds weak references, so that old classes of a reloaded mod are freed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

T = TypeVar("T")


def by_type(derive: Callable[[type[Any]], T]) -> Callable[[type[Any]], T]:
    """Cache the result of `derive` for each class; the result must not refer to the class."""
    known: WeakKeyDictionary[type[Any], T] = WeakKeyDictionary()

    def derived(cls: type[Any]) -> T:
        try:
            return known[cls]
        except KeyError:
            return known.setdefault(cls, derive(cls))

    return derived
