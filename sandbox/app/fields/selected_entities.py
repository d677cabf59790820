"""Binds fields of the selected entities: the components that all of them have, and where their values differ."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from components.store.fields import Field, Kind
from components.store.records import ComponentType
from components.store.world import World
from sandbox.app.fields.binding import OWN, Binding, Reading, shown, stored_in
from sandbox.app.session.session import Session
from sandbox.edit import SetField
from sandbox.serials import Serials

MOST_READ = 256  # of a larger selection only about this many entities are read, evenly spaced
OFTEN = 0.1  # s between two reads of several entities


class Members:
    """The selected entities, as long as the selection does not change.

    Attributes:
        serials: their serials.
        key: makes the ids of their widgets unique to this selection; it does not change when entities die.
        counts: the number of entities by prefab, the most numerous first.
    """

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

    def bind(self, field: Field) -> Binding:
        """Bind a field of all of them; the usual value is their prefab's, or each one's own if they are of several."""
        usual = path = None
        if len(self.counts) == 1 and field.key not in OWN:
            prefab = next(iter(self.counts))
            path = f"{prefab}.{field.key}"
            if (own := self._world.prefabs.get(prefab)) is not None:
                usual = shown(field, stored_in(own, field), self._world)

        def set(value: Any, joins: bool) -> bool:
            self._readings = {}
            if value is None:
                return self._as_prefabs_have_it(field, joins)
            return self.session.submit(SetField(field.key, value, self.serials), joins=joins)

        return Binding(lambda: self.read(field), set, usual, f"selected/{field.key}", path or "")

    def read(self, field: Field) -> Reading:
        """Return the value of a field, or the range of the values."""
        if len(self._rows) == 1:
            return self._look(field)
        if (found := self._readings.get(field.key)) is None:
            found = self._readings[field.key] = self._look(field)
        return found

    def _as_prefabs_have_it(self, field: Field, joins: bool) -> bool:
        """Set each entity to its own prefab's value; return whether the next command should join that step."""
        if field.key in OWN:
            return False
        table = self._world.table
        of = table.prefab[table.rows_of(self._all)]
        for index, prefab in enumerate(self._world.prefabs.values()):
            if (own := self._all[of == index]).size:
                value = field.show(stored_in(prefab, field), tuple(self._world.prefabs))
                joins = self.session.submit(SetField(field.key, value, Serials(own)), joins=joins) or joins
        return joins

    def _look(self, field: Field) -> Reading:
        table, rows = self._world.table, self._rows
        if field.kind is Kind.VECTOR:
            both = [table.columns[column][rows] for column in field.columns(table.axes)]
            value = [column.min().item() for column in both]
            highest = [column.max().item() for column in both]
            return Reading(value) if value == highest else Reading(value, highest)
        stored = table.columns[field.key][rows]
        low, high = stored.min().item(), stored.max().item()
        value = shown(field, low, self._world)
        return Reading(value) if low == high else Reading(value, shown(field, high, self._world))
