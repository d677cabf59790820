"""Read-only proxies and views of a world's objects, for the systems of mods."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np


class ReadOnlyProxy:
    """A proxy of another object; some of its attributes can be read, arrays and dictionaries as read-only views.

    Attributes:
        shown: the names of the attributes that can be read.
    """

    __slots__ = ("_real",)
    shown: ClassVar[frozenset[str]]

    def __init__(self, real: Any) -> None:
        self._real = real

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self.shown})

    def __getattr__(self, name: str) -> Any:
        if name not in self.shown:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)
        return read_only(getattr(self._real, name))


def read_only(value: Any) -> Any:
    """Return a read-only view of an array or dictionary; return anything else unchanged."""
    if isinstance(value, dict):
        return MappingProxyType(value)
    if isinstance(value, np.ndarray):
        value = value.view()
        value.flags.writeable = False
    return value
