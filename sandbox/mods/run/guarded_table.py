"""The table as a mod's system gets it: columns that the system declares as written are writable, others read-only.

A writable column is a draft: a copy of the column, made when it is first accessed, or zeros if the system only adds to
it. The drafts are written into the world, or added to it, only if the run ends without an error. So nothing has to be
put back, no system can undo what others have added, and an array that a mod keeps from an earlier tick has no effect.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from components.store.fields import Field
from components.store.records import Column, ComponentType, Limits
from components.store.table import EntityTable
from components.store.words import did_you_mean
from sandbox.mods.find.fault import TrespassError
from sandbox.mods.run.read_only import ReadOnlyProxy, read_only


class Draft:
    """A copy of a column that a system may write into, or the amounts that it adds to a column."""

    __slots__ = ("_checked", "_column", "_limits", "_owner", "_rows", "_values", "adds", "key", "lent")

    def __init__(self, key: str, table: EntityTable, allowed: Limits, adds_from: float | None = None) -> None:
        """`adds_from`: if given, the system only adds, and the draft starts with this number in all rows."""
        self._owner = table.components[key.split(".")[0]]
        rows, self.key, self._limits = table.rows(self._owner), key, allowed
        self._column = table.columns[key][: table.size]
        self._rows: Any = rows if 2 * len(rows) < table.size else slice(table.size)
        self.adds = adds_from is not None
        if adds_from is not None:
            self._values = np.full(table.size, adds_from, self._column.dtype)
        elif isinstance(self._rows, slice):
            self._values = self._column.copy()
        else:
            self._values = np.zeros(table.size, self._column.dtype)
            self._values[rows] = self._column[rows]
        self.lent = self._values.view()

    def check(self, table: EntityTable) -> None:
        """Check that the array has kept its shape and dtype, and that all values are within the declared bounds.

        Raises:
            TrespassError: otherwise; the message names the column, an entity, and what would be right.
        """
        if self.lent.shape != self._values.shape or self.lent.dtype != self._values.dtype:
            now, was = (f"{a.dtype} {a.shape}" for a in (self.lent, self._values))
            raise TrespassError(f"the array of {self.key} became {now}: it must stay {was}")
        self._checked = self._result(self._rows)
        if self._limits.hold(self._checked):
            return
        rows = table.rows(self._owner)
        result = self._result(rows)
        is_wrong = ~self._limits.allow(result)
        wrong = rows[is_wrong]
        if len(wrong):
            others = f", and of {len(wrong) - 1:,} others" if len(wrong) > 1 else ""
            became = result[is_wrong][0].item()
            raise TrespassError(
                f"{self.key} of entity {table.serial[wrong[0]]}{others} became {became}: {self._limits.must}"
            )

    def _result(self, rows: Any) -> Any:
        """Return the column's new values in these rows; sums of integers are int64, so that none wraps around."""
        if not self.adds:
            return self._values[rows]
        wide = np.dtype(np.int64) if self._column.dtype.kind in "iu" else self._column.dtype
        with np.errstate(over="ignore", invalid="ignore"):  # rows without the component have undefined values
            return np.add(self._column[rows], self._values[rows], dtype=wide, casting="unsafe")

    def differs(self, other: Draft, by: float) -> bool:
        """Return whether this draft added other amounts than another draft, whose start value was lower by `by`."""
        rows = np.flatnonzero(np.isfinite(other._values))
        added = other._values[rows].astype(np.float64)
        off = np.abs(self._values[rows].astype(np.float64) - by - added)
        return bool((off > by / 64 + np.abs(added) / 1000).any())  # smaller differences are due to rounding

    @property
    def is_changed(self) -> bool:
        """Whether the draft has other values than the column."""
        return bool(self._values[self._rows].tobytes() != self._column[self._rows].tobytes())

    def keep(self, table: EntityTable) -> None:
        """Write the draft into the world's table; `check` must have been called before."""
        table.write(self.key, self._rows, self._checked)


class Access(NamedTuple):
    """The columns that a system may set, add to, and read: prefixes of their names, each with a dot at the end."""

    set: tuple[str, ...] = ()
    add: tuple[str, ...] = ()
    read: tuple[str, ...] = ("",)
    adds_from: float = 0


class GuardedColumns(Mapping[str, Column]):
    """The columns by field key; each draft or view is made when it is first accessed."""

    def __init__(
        self, table: EntityTable, may: Access, limits_of: Callable[[Field], Limits], tell: Callable[[str], None]
    ) -> None:
        self._table, self._may, self._limits_of, self._tell = table, may, limits_of, tell
        self._made: dict[str, Column] = {}
        self.drafts: list[Draft] = []

    def __getitem__(self, key: str) -> Column:
        column = self._made.get(key)
        if column is None:
            column = self._made[key] = self._make(key)
        return column

    def _make(self, key: str) -> Column:
        if key not in self._table.columns:
            raise KeyError(f"no component has a column {key!r}{did_you_mean(str(key), self._table.columns)}")
        writes, adds = (f"{key}.".startswith(names) for names in (self._may.set, self._may.add))
        if not (writes or adds):
            if not f"{key}.".startswith(self._may.read):
                self._tell(self._table.field(key).key)
            found: Column = read_only(self._table.columns[key][: self._table.size])
            return found
        allowed = self._limits_of(self._table.field(key))
        draft = Draft(key, self._table, allowed, None if writes else self._may.adds_from)
        self.drafts.append(draft)
        return draft.lent

    def __contains__(self, key: object) -> bool:
        return key in self._table.columns

    def __iter__(self) -> Iterator[str]:
        return iter(self._table.columns)

    def __len__(self) -> int:
        return len(self._table.columns)

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TrespassError("a column can't be replaced by another array: write into it, `column[:] = ...`")

    __setitem__ = __delitem__ = __ior__ = pop = popitem = clear = update = setdefault = _refuse


class GuardedTable(ReadOnlyProxy):
    """The table of a world, with one row per entity; rows move only between ticks.

    Attributes:
        size: the number of rows.
        columns: arrays (size,) by field key ("Velocity.x"); undefined in rows without that component. Only columns
            that the system declares in `writes` or `adds` are writable; those in `adds` start at 0.
        serial: int64 (size,), the serial of each entity.
        prefab: int32 (size,), index into `world.prefabs`.
        presence: uint64 (size,), bit `bit_of[component]` is set if the row has that component.
    """

    __slots__ = ("columns", "row", "size")  # slots are fastest, and handles look up their row at each access
    _real: EntityTable
    arrays = frozenset({"serial", "prefab", "presence"})
    methods = frozenset({"has", "mask", "rows_of", "living", "row_of", "pairs"})
    shown = arrays | methods | {"components", "bit_of"}

    def __init__(
        self, table: EntityTable, may: Access, limits_of: Callable[[Field], Limits], tell: Callable[[str], None]
    ) -> None:
        """`tell` is called with the name of what is read without being declared."""
        super().__init__(table)
        self.size, self.row = table.size, table.row
        self.columns = GuardedColumns(table, may, limits_of, tell)

    def __getattr__(self, name: str) -> Any:
        found = super().__getattr__(name)
        return found[: self.size] if name in self.arrays else found

    def rows(self, *components: ComponentType) -> NDArray[np.int32]:
        """Return the rows of the entities that have all these components, ascending, int32."""
        found: NDArray[np.int32] = read_only(self._real.rows(*components))
        return found

    def vectors(self, key: str) -> tuple[Column, ...]:
        """Return the columns of "Position", "Velocity", "Motion.acceleration" and such, one for each axis."""
        return EntityTable.vectors(self, key)  # type: ignore[arg-type]

    def records(self, component: ComponentType) -> NDArray[np.void]:
        """Return all values of a component as records, shape (size,), read-only, as they were before the run."""
        found: NDArray[np.void] = read_only(self._real.records(component)[: self.size])
        return found

    def write(self, key: str, rows: Any, values: Any) -> None:
        """Set values of a column in these rows; handles call it."""
        self.columns[key][rows] = values
