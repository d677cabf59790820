"""Sorts the results of esper's queries by serial.

esper iterates over rows, or over sets of ids. Both orders depend on the history of the world: a loop over
`esper.get_components` that draws random numbers or spawns entities would differ after saving and loading.
"""

from __future__ import annotations

from operator import itemgetter
from typing import Any


class Ordered(dict[Any, Any]):
    """esper's query cache: results are sorted by serial, and each caller gets its own list."""

    def __setitem__(self, asked: Any, found: list[Any]) -> None:
        found.sort(key=itemgetter(0))
        super().__setitem__(asked, tuple(found))

    def get(self, asked: Any, default: Any = None) -> Any:
        found = super().get(asked)
        return default if found is None else list(found)
