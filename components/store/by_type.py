"""What is derived from a class once, and forgotten with it: a reloaded mod's older classes are freed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

T = TypeVar("T")


def by_type(derive: Callable[[type[Any]], T]) -> Callable[[type[Any]], T]:
    """A function of a class that is computed once for each; its result must not refer to the class."""
    known: WeakKeyDictionary[type[Any], T] = WeakKeyDictionary()

    def derived(cls: type[Any]) -> T:
        try:
            return known[cls]
        except KeyError:
            return known.setdefault(cls, derive(cls))

    return derived
