"""What of the world's own objects a mod's system may look at, and can't change."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np


class Looking:
    """Stands for another object, of which some attributes can be read: arrays and dictionaries of these not written.

    Attributes:
        shown: the names of these attributes.
    """

    __slots__ = ("_real",)
    shown: ClassVar[frozenset[str]]

    def __init__(self, real: Any) -> None:
        self._real = real

    def __getattr__(self, name: str) -> Any:
        if name not in self.shown:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)
        return read_only(getattr(self._real, name))


def read_only(value: Any) -> Any:
    """A view of an array or a dictionary that can't be written through; anything else is itself."""
    if isinstance(value, dict):
        return MappingProxyType(value)
    if isinstance(value, np.ndarray):
        value = value.view()
        value.flags.writeable = False
    return value
