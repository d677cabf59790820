"""Drafts: copies of a component's records, into which a system writes instead of the world's.

They reach the world only if the run ends without an error, so nothing has to be put back. A column that the system only
adds to is 0 in its draft, so no system can undo what others have added.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.store.fields import Field, Kind
from components.store.records import Array, ComponentType, Form, Limits, as_bytes, item_of, read_only
from components.store.table import EntityTable
from sandbox.mods.find.fault import TrespassError

Declared = Iterable[type | str]


class Draft:
    """A draft of one component, used again in every run.

    Attributes:
        form: how the table stored the component's values when the draft was made.
        sets, adds: the keys of the columns that the system sets, and that it only adds to.
        records: the draft, shape (capacity,); undefined in rows without the component.
        columns: its columns by key; those that the system does not declare are read-only.
    """

    def __init__(self, component: ComponentType, form: Form, writes: Declared, adds: Declared) -> None:
        """`writes`, `adds`: what the system declares."""
        self._component, self.form = component, form
        keys = [*form.columns]
        self.sets = _among(keys, writes)
        self.adds = [key for key in _among(keys, adds) if key not in self.sets]
        self._others = [key for key in keys if key not in self.sets and key not in self.adds]
        self.records: NDArray[np.void] = np.zeros(0, form.record)
        self.columns: dict[str, Array] = {}
        self._rows: Any = slice(0)
        self._checked: dict[str, Array] = {}

    def begin(self, table: EntityTable, adds_from: float = 0) -> None:
        """Fill the draft from the world's table; `adds_from`: the number at which columns begin that are added to."""
        if len(self.records) != len(table.serial):
            self.records = np.zeros(len(table.serial), self.form.record)
        rows = table.rows(self._component)
        self._rows = rows if 2 * len(rows) < table.size else slice(table.size)
        as_bytes(self.records)[self._rows] = table.plain[self.name][self._rows]
        columns = {key: self.records[item_of(key)] for key in (*self.sets, *self.adds)}
        for key in self.adds:
            columns[key][self._rows] = adds_from
        self.columns = {**{key: read_only(self.records[item_of(key)]) for key in self._others}, **columns}

    def again(self, table: EntityTable, adds_from: float) -> Draft:
        """Return another draft for the same system, filled from the table."""
        other = Draft(self._component, self.form, self.sets, self.adds)
        other.begin(table, adds_from)
        return other

    def written(self, key: str) -> Array:
        """Return what the system has written into a column so far."""
        column: Array = self.records[item_of(key)][self._rows]
        return column

    @property
    def name(self) -> str:
        """The name of the component."""
        return self._component.__name__

    @property
    def shown(self) -> NDArray[np.void]:
        """The records as the system gets them."""
        return self.records if self.sets or self.adds else read_only(self.records)

    def check_others(self, table: EntityTable, system: str) -> None:
        """Check that no undeclared column was changed.

        Raises:
            TrespassError: one was.
        """
        for key in self._others:
            now, before = _bits(self.written(key)), _bits(table.columns[key][self._rows])
            if (now != before).any() and not self._is_nobodys(table, now != before):
                raise TrespassError(f"{key} was changed, which {system} does not declare: add it to `writes` or `adds`")

    def check(self, table: EntityTable, limits_of: Callable[[Field], Limits]) -> None:
        """Check that all values are within the declared bounds.

        Raises:
            TrespassError: one is not; the message names the column, an entity, and what would be right.
        """
        for key in (*self.sets, *self.adds):
            allowed = limits_of(table.field(key))
            result = self._checked[key] = self._result(table, key, self._rows)
            if not allowed.hold(result):
                self._refuse(table, key, allowed)

    def _is_nobodys(self, table: EntityTable, which: NDArray[np.bool_]) -> bool:
        """Return whether no entity with the component is in these of the draft's rows."""
        return isinstance(self._rows, slice) and not which[table.rows(self._component)].any()

    def _refuse(self, table: EntityTable, key: str, allowed: Limits) -> None:
        rows = table.rows(self._component)
        result = self._result(table, key, rows)
        is_wrong = ~allowed.allow(result)
        wrong = rows[is_wrong]
        if len(wrong):
            others = f", and of {len(wrong) - 1:,} others" if len(wrong) > 1 else ""
            became, field = result[is_wrong][0].item(), table.field(key)
            shown = f", which is {field.show(became):.6g}" if field.kind is Kind.AMOUNT else ""
            raise TrespassError(
                f"{key} of entity {table.serial[wrong[0]]}{others} became {became}{shown}: {allowed.must}"
            )

    def _result(self, table: EntityTable, key: str, rows: Any) -> Any:
        """Return the column's new values in these rows; sums of integers are int64, so that none wraps around."""
        own = self.records[item_of(key)][rows]
        if key in self.sets:
            return own
        column = table.columns[key]
        wide = np.dtype(np.int64) if column.dtype.kind in "iu" else column.dtype
        with np.errstate(over="ignore", invalid="ignore"):  # rows without the component have undefined values
            return np.add(column[rows], own, dtype=wide, casting="unsafe")

    def keep(self, table: EntityTable) -> None:
        """Write the draft into the world's table; `check` must have been called before."""
        for key, values in self._checked.items():
            table.write(key, self._rows, values)


def _among(keys: Collection[str], declared: Declared) -> list[str]:
    """Return those of these columns that a declaration names, by their component, their field or themselves."""
    names = tuple(f"{name if isinstance(name, str) else name.__name__}." for name in declared)
    return [key for key in keys if f"{key}.".startswith(names)]


def _bits(column: Array) -> Array:
    return column.view(f"u{column.itemsize}")
