"""esper's queries in order of serials.

esper walks through rows, or through sets of ids, and both depend on what became of a world before: a loop over
`esper.get_components` that draws lots or has young would go another way after loading than before saving.
"""

from __future__ import annotations

from typing import Any

from components.store.table import EntityTable


class Ordered(dict[Any, Any]):
    """esper's memory of the answers to its queries: each is put in order, and handed out as a list of one's own."""

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
