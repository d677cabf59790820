"""Sorts the results of esper's queries by serial.

esper iterates over rows, or over sets of ids. Both orders depend on the history of the world: a loop over
`esper.get_components` that draws random numbers or spawns entities would differ after saving and loading.
"""

from __future__ import annotations

from typing import Any

from components.store.table import EntityTable


class Ordered(dict[Any, Any]):
    """esper's query cache: results are sorted by serial, and each caller gets its own list."""

    def __init__(self, table: EntityTable) -> None:
        super().__init__()
        self._table = table

    def __setitem__(self, asked: Any, found: list[Any]) -> None:
        serial_of = self._table.serial_of
        found.sort(key=lambda pair: serial_of(pair[0]))
        super().__setitem__(asked, tuple(found))

    def get(self, asked: Any, default: Any = None) -> Any:
        found = super().get(asked)
        return default if found is None else list(found)
