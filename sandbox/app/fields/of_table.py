"""A label or a picture of the world, as a subject of widgets."""

from __future__ import annotations

from typing import Any

from components.store.fields import Field
from sandbox.app.fields.subjects import Subject
from sandbox.app.session.session import Session
from sandbox.design.kept_tables import KeptTables
from sandbox.edit import SetTables


class OfTable(Subject):
    """One of the tables of a kind; usual is what the scene's file says, else the declared default."""

    def __init__(self, session: Session, kind: type[KeptTables], table: str) -> None:
        self.session, self.name = session, f"{kind.table}/{table}"
        self._kind, self._table = kind, table

    def holds(self, field: Field) -> Any:
        return self._shown(field, self.session.simulation.world.resource(self._kind).kept)

    def usual(self, field: Field) -> Any:
        return self._shown(field, self.session.simulation.scene.tables.get(self._kind.table, {}))

    def write(self, field: Field, value: Any, joins: bool) -> bool:
        tables = self._kind.now(self.session.simulation.world)
        tables = {**tables, self._table: {**tables[self._table], field.name: value}}
        return self.session.submit(
            SetTables(self._kind.table, tables, f"set {field.name} of {self._table}"), joins=joins
        )

    def _shown(self, field: Field, kept: Any) -> Any:
        return field.show(kept.get(self._table, {}).get(field.name, field.default))
