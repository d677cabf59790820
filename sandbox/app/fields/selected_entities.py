"""The selected entities as one subject: the components that all of them have, and where their values differ."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from components.store.fields import Field, Kind, Stored
from components.store.records import ComponentType
from components.store.world import World
from sandbox.app.fields.subjects import OWN_PLACE, Reading, Subject, is_number, shown, stored_in
from sandbox.app.session.session import Session
from sandbox.edit import SetField
from sandbox.serials import Serials

MOST_READ = 256  # of a larger selection only about this many entities are read, evenly spaced
OFTEN = 0.1  # s between two reads of several entities


class Members(Subject):
    """The selected entities, as long as the selection does not change.

    Attributes:
        serials: their serials.
        key: makes the ids of their widgets unique to this selection; it does not change when entities die.
        counts: the number of entities by prefab, the most numerous first.
    """

    name = "selected"

    def __init__(self, session: Session) -> None:
        self.session = session
        self.serials = session.selection.serials
        self.key = str(session.selection.choices)
        self._all = session.selection.array
        self._read = self._all[:: -(-len(self._all) // MOST_READ)]
        self._rows = np.zeros(0, np.int64)
        self._readings: dict[str, Reading] = {}
        self._read_at = 0.0
        table = self._world.table
        indices, counts = np.unique(table.prefab[table.living(self._all)], return_counts=True)
        names = tuple(self._world.prefabs)
        self.counts = {names[indices[n]]: int(counts[n]) for n in np.argsort(-counts, kind="stable")}

    @property
    def _world(self) -> World:
        return self.session.simulation.world

    def is_current(self) -> bool:
        """Return whether they are still the selected entities, and all that are read exist."""
        session = self.session
        if session.selection.serials is not self.serials:
            return False
        table = self._world.table
        rows = self._rows
        if len(rows) != len(self._read) or rows.max() >= table.size or (table.serial[rows] != self._read).any():
            self._rows = table.rows_of(self._read)
        if (now := time.monotonic()) - self._read_at > OFTEN:
            self._readings, self._read_at = {}, now
        return bool((self._rows >= 0).all())

    @property
    def components(self) -> list[ComponentType]:
        """The components that all of them have."""
        table = self._world.table
        mask = int(np.bitwise_and.reduce(table.presence[self._rows]))
        return [component for component, bit in table.bit_of.items() if mask >> bit & 1]

    def holds(self, field: Field) -> Any:
        return self.read(field).value

    def read(self, field: Field) -> Reading:
        if len(self._rows) == 1:
            return self._look(field)
        if (found := self._readings.get(field.key)) is None:
            found = self._readings[field.key] = self._look(field)
        return found

    def usual(self, field: Field) -> Any:
        """Return their prefab's value; None if they are of several prefabs or each entity has its own value."""
        stored = self._usual(field)
        return None if stored is None else field.show(stored, tuple(self._world.prefabs))

    def write(self, field: Field, value: Any, joins: bool) -> bool:
        self._readings = {}
        return self.session.submit(SetField(field.key, value, self.serials), joins=joins)

    def set_key(self, field: Field) -> str:
        """Return the key of their prefab's field, if all are of one prefab."""
        return f"{next(iter(self.counts))}.{field.key}" if len(self.counts) == 1 and field.key not in OWN_PLACE else ""

    def reset(self, field: Field, joins: bool) -> bool:
        """Set each entity to its own prefab's value."""
        if field.key in OWN_PLACE:
            return False
        table, self._readings = self._world.table, {}
        of = table.prefab[table.rows_of(self._all)]
        for index, prefab in enumerate(self._world.prefabs.values()):
            if (own := self._all[of == index]).size:
                value = field.show(stored_in(prefab, field), tuple(self._world.prefabs))
                joins = self.session.submit(SetField(field.key, value, Serials(own)), joins=joins) or joins
        return joins

    def _look(self, field: Field) -> Reading:
        if field.kind is Kind.VECTOR:
            return self._read_vector(field)
        table, rows = self._world.table, self._rows
        column = table.columns[field.key]
        low = column.item(rows[0])
        high = low
        if len(rows) > 1:
            stored = column[rows]
            low, high = stored.min().item(), stored.max().item()
        value = shown(field, low, self._world)
        highest = value if low == high else shown(field, high, self._world)
        if (usual := self._usual(field)) is None:
            return Reading(value, highest)
        return Reading(value, highest, not (_same(field, low, usual) and _same(field, high, usual)))

    def _read_vector(self, field: Field) -> Reading:
        both = [self._world.table.columns[column][self._rows] for column in field.columns]
        value = [column.min().item() for column in both]
        highest = [column.max().item() for column in both]
        return Reading(value, value if value == highest else highest)

    def _usual(self, field: Field) -> Stored | None:
        if field.key in OWN_PLACE or len(self.counts) != 1:
            return None
        prefab = self._world.prefabs.get(next(iter(self.counts)))
        return None if prefab is None else stored_in(prefab, field)


def _same(field: Field, one: Any, other: Any) -> bool:
    return bool(np.float32(one) == np.float32(other)) if is_number(field) else one == other
