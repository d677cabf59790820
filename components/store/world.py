"""The world: entities (esper), their table, and resources."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import count as counter
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

import esper
import numpy as np
from numpy.typing import ArrayLike, NDArray

from components.store.fields import Stored, tables
from components.store.queries import order_queries
from components.store.resources import Resource
from components.store.table import ComponentType, EntityTable, fields_of, item_of

R = TypeVar("R")
_names = counter(1)
MOST_ENTITIES = 1_000_000
_dropped: list[str] = []  # worlds that nobody holds, while esper is in them still


@dataclass(frozen=True)
class Prefab:
    """A named bundle of components: stored values by component name, then field name."""

    name: str
    components: Mapping[str, Mapping[str, Stored]]
    help: str = ""

    def values(self) -> dict[str, Stored]:
        """Its values by field key ("Motion.max_speed")."""
        return dict(self._values)

    @cached_property
    def _values(self) -> dict[str, Stored]:
        return {f"{name}.{key}": value for name, fields in self.components.items() for key, value in fields.items()}


class Asked(NamedTuple):
    """A change of structure that waits: what carries it out, and what it will have done.

    Attributes:
        entities: how many it makes.
        entity, component, present: whom it gives a component, or takes it from.
    """

    carry_out: Callable[[], None]
    entities: int = 0
    entity: int = -1
    component: ComponentType | None = None
    present: bool = True


@dataclass
class World:
    """Entities with components, and what the systems share.

    A world is one named esper world; `enter` makes it esper's current one. `spawn` is the only door for
    entities with a row. Between `begin_tick` and `commit` changes of structure are queued, so that rows
    stay where they are while kernels run. They are checked when they are asked for: what is refused changes nothing.

    Attributes:
        coming: how many entities were asked for that `commit` has still to make.
    """

    seed: int = 0
    tick: int = 0
    next_serial: int = 1
    table: EntityTable = field(default_factory=EntityTable)
    prefabs: dict[str, Prefab] = field(default_factory=dict)
    resources: dict[type, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.name = f"world {next(_names)}"
        tables[self.name] = self.table
        self._forget = weakref.finalize(self, _forget, self.name)
        self._forget.atexit = False
        self.coming = 0
        self._highest = 0  # the highest serial that anyone ever had
        self._queue: list[Asked] = []
        self._records: dict[str, tuple[Prefab, dict[ComponentType, NDArray[np.void]]]] = {}  # see `_records_of`
        self._dying: list[NDArray[np.int64]] = []
        self._locked = False

    def enter(self) -> None:
        """Make this esper's current world: its entities are found from now on.

        Raises:
            RuntimeError: the world is closed.
        """
        if self.name not in tables:
            raise RuntimeError(f"{self.name} is closed")
        if esper.current_world != self.name:
            esper.switch_world(self.name)
            order_queries(self.table)
            while _dropped:
                _forget(_dropped.pop())

    def close(self) -> None:
        """Forget the world: its esper entities, handles and table. A world that nobody holds is forgotten anyway."""
        if esper.current_world == self.name:
            esper.switch_world("default")
        self._forget()

    def resource(self, kind: type[R]) -> R:
        """The one resource of this type; one that is declared is always there.

        Raises:
            KeyError: of another type, when no system has put one in.
        """
        if kind not in self.resources and issubclass(kind, Resource):
            self.resources[kind] = kind()
        return self.resources[kind]  # type: ignore[no-any-return]

    @property
    def declared(self) -> dict[str, type[Resource]]:
        """The types of its declared resources, by name."""
        return {kind.__name__: kind for kind in self.resources if issubclass(kind, Resource)}

    def prefab_index(self, name: str) -> int:
        """Where a prefab stands in `prefabs`: what the table's `prefab` column holds.

        Raises:
            KeyError: there is none of that name.
        """
        if name not in self.prefabs:
            raise KeyError(f"there is no prefab {name!r}")
        return list(self.prefabs).index(name)

    def spawn(self, prefab: str, count: int = 1, values: Mapping[str, ArrayLike] | None = None) -> NDArray[np.int64]:
        """Make entities of a prefab; returns their serials, int64 (count,).

        Args:
            values: by field key ("Velocity.x"), one stored value or `count` of them; what they don't name is
                the prefab's. A component the prefab lacks is added by naming one of its fields.
        Raises:
            KeyError: an unknown prefab or field.
            ValueError: `count` is no whole number, 0 or more; a value is none that its column can hold; there is
                another number of them than `count`, or there are too many entities.
        """
        count, given = counted(count), values or {}
        self.prefab_index(prefab)
        records = self._records_of(self.prefabs[prefab])
        self._refuse_unknown_fields(given)
        components = dict.fromkeys([*records, *(self.table.components[key.split(".")[0]] for key in given)])
        serials = np.arange(self.next_serial, self.next_serial + count, dtype=np.int64)
        self.restore(prefab, serials, [*components], given, records)
        self.next_serial += count
        return serials

    def restore(
        self,
        prefab: str,
        serials: NDArray[np.int64],
        components: list[ComponentType],
        values: Mapping[str, ArrayLike],
        records: Mapping[ComponentType, NDArray[np.void]] = MappingProxyType({}),
    ) -> None:
        """Make entities that already have serials, with just these components: those of a snapshot or an undo.

        Args:
            records: what they begin with instead of the defaults, one record each, shape (1,); `values` go before.
        Raises:
            KeyError: an unknown prefab, component or field.
            ValueError: a value that its column can't hold, another number of them than serials, or too many entities.
        """
        self.prefab_index(prefab)
        self.table.mask(components)
        count = len(serials)
        if not self.has_room(count):
            room = MOST_ENTITIES - self.table.size - self.coming + len(self.dying)
            raise ValueError(f"can't make {count:,} entities: there is room for {room:,} more")
        ready = {key: self._column(key, value, count) for key, value in values.items()}
        self._do(Asked(lambda: self._spawn(prefab, serials, components, ready, records), count))

    def _records_of(self, prefab: Prefab) -> dict[ComponentType, NDArray[np.void]]:
        """A record of each component of a prefab, shape (1,), with the prefab's values.

        Raises:
            KeyError: there is no such field.
            ValueError: a value that its column can't hold.
        """
        self._refuse_unknown_fields(prefab.components)
        components = [self.table.components[name] for name in prefab.components]
        made_of, records = self._records.get(prefab.name, (None, {}))
        if made_of is not prefab or [*records] != components:
            self._refuse_unknown_fields(prefab.values())
            records = {component: self.table.default(component) for component in components}
            for key, value in prefab.values().items():
                owner = self.table.components[key.split(".")[0]]
                records[owner][item_of(key)] = self._column(key, value, 1)
            self._records[prefab.name] = prefab, records
        return records

    def _refuse_unknown_fields(self, keys: Iterable[str]) -> None:
        for key in keys:
            if key not in self.table.columns and key not in self.table.components:
                raise KeyError(f"there is no field {key!r}")

    def has_room(self, count: int, most: int = MOST_ENTITIES) -> bool:
        """Whether at most `most` live with so many more, once all that was asked for so far is carried out."""
        living = self.table.size + self.coming + count
        return living <= most or living - len(self.dying) <= most

    def despawn(self, serials: ArrayLike) -> None:
        """End the entities with these serials; those already gone are passed over."""
        wanted = np.atleast_1d(np.asarray(serials, np.int64))
        rows = self.table.rows_of(wanted)
        self.despawn_rows(rows[rows >= 0])
        if self._locked and (unborn := wanted[rows < 0]).size:
            self._do(Asked(lambda: self.despawn(unborn)))

    def despawn_rows(self, rows: NDArray[np.integer[Any]]) -> None:
        """End the entities in these rows, each once however often it is asked for."""
        self._dying.append(self.table.entity[rows])
        if not self._locked:
            self._bury()

    @property
    def dying(self) -> NDArray[np.int64]:
        """The rows of those who were asked to end in this tick so far, ascending, each once."""
        entities = np.concatenate([np.zeros(0, np.int64), *self._dying])
        return np.array(sorted(set(self.table.rows_of_entities(entities).tolist())), np.int64)

    def add(self, entity: int, component: ComponentType, **values: Stored) -> None:
        """Give an entity a component, unless it dies before this is carried out.

        Raises:
            KeyError: it is gone or was not made by `spawn`, or the component has no such field.
            ValueError: a value that its column can't hold.
        """
        self.table.row(entity)
        if unknown := [name for name in values if name not in component.fields]:
            raise KeyError(f"{component.__name__} has no field {unknown[0]!r}")
        columns = ((key, value) for name, value in values.items() for key in component.fields[name].columns)
        ready = {key: self._column(key, value, 1) for key, value in columns}
        self._do(Asked(lambda: self._add(entity, component, ready), 0, entity, component))

    def remove(self, entity: int, component: ComponentType) -> None:
        """Take a component from an entity, unless it dies, or this is its last one, before this is carried out.

        Raises:
            KeyError: it has none.
            ValueError: when it is its last one.
        """
        self.get(entity, component)
        if esper.components_for_entity(entity) == (esper.try_component(entity, component),):
            raise ValueError(f"{component.__name__} is the last component of entity {entity}: despawn it instead")
        self._do(Asked(lambda: self._remove(entity, component), 0, entity, component, present=False))

    def coming_components(self, entity: int) -> set[ComponentType]:
        """What an entity will have once all that was asked for so far is carried out."""
        row = self.table.row(entity)
        found = {component for component in self.table.bit_of if self.table.has(row, component)}
        for asked in self._queue:
            if asked.component and asked.entity == entity:
                if asked.present:
                    found.add(asked.component)
                elif len(found) > 1:  # the last one stays
                    found.discard(asked.component)
        return found

    def redeclare(self, component: ComponentType) -> None:
        """Take a newer declaration of a component, between ticks: see `EntityTable.redeclare`; handles follow."""
        self.enter()
        older = self.table.redeclare(component)
        for entity in self.table.entity[self.table.rows(component)].tolist():
            esper.remove_component(entity, older)
            esper.add_component(entity, _handle(component, entity, self.name))

    def has(self, entity: int, component: ComponentType) -> bool:
        """Whether an entity has a component."""
        self.enter()
        return esper.has_component(entity, component)

    def get(self, entity: int, component: type[R]) -> R:
        """An entity's handle on a component.

        Raises:
            KeyError: when it has none.
        """
        self.enter()
        return esper.component_for_entity(entity, component)

    @property
    def waits(self) -> bool:
        """Whether changes of structure wait for `commit`."""
        return self._locked

    def begin_tick(self) -> None:
        """From now on changes of structure wait for `commit`."""
        self._locked = True

    def commit(self) -> None:
        """Carry out what was asked for: those who end, then the rest in its order; only here rows move.

        Raises:
            Exception: what the first change raised that could not be carried out; all others are.
        """
        self._locked = False
        self._bury()
        queue, self._queue, self.coming = self._queue, [], 0
        errors: list[Exception] = []
        for asked in queue:
            try:
                asked.carry_out()
            except Exception as error:
                errors.append(error)
        if errors:
            raise errors[0]

    def cancel(self) -> None:
        """Forget what was asked for since `begin_tick`, instead of carrying it out."""
        self._locked = False
        self._queue.clear()
        self._dying.clear()
        self.coming = 0

    @property
    def asked(self) -> tuple[int, int, int]:
        """How much was asked for so far, and the next serial: what `take_back` goes back to."""
        return len(self._queue), len(self._dying), self.next_serial

    def take_back(self, asked: tuple[int, int, int]) -> None:
        """Forget what was asked for since then."""
        changes, deaths, self.next_serial = asked
        self.coming -= sum(change.entities for change in self._queue[changes:])
        del self._queue[changes:], self._dying[deaths:]

    def repopulate(self, serials: NDArray[np.int64], prefabs: NDArray[np.int32], presence: NDArray[np.uint64]) -> None:
        """Let exactly these live, in these rows, and forget what was asked for; their values are to be set then.

        Esper entities are made for those alone who do not live now, and deleted for those who are not among these.
        """
        self.enter()
        self.cancel()
        table = self.table
        rows = table.rows_of(serials)
        stays = rows >= 0
        entities = np.where(stays, table.entity[rows], 0)
        for bits in np.unique(presence[~stays]):
            group = np.flatnonzero(~stays & (presence == bits))
            entities[group] = _create_entities(len(group), table.components_in(bits), self.name)
        for row in np.flatnonzero(stays & (table.presence[rows] != presence)).tolist():
            self._fit(int(entities[row]), table.components_in(presence[row]))
        gone = np.ones(table.size, bool)
        gone[rows[stays]] = False
        for entity in table.entity[: table.size][gone].tolist():
            esper.delete_entity(entity, immediate=True)
        table.assign(rows, entities, prefabs, presence)
        table.serial[: table.size] = serials
        self._highest = int(serials.max(initial=self._highest))

    def _fit(self, entity: int, components: list[ComponentType]) -> None:
        """Give an esper entity these components, and no others."""
        handles: tuple[Any, ...] = esper.components_for_entity(entity)
        had = {type(handle) for handle in handles}
        for component in components:
            if component not in had:
                esper.add_component(entity, _handle(component, entity, self.name))
        for component in had - {*components}:
            esper.remove_component(entity, component)

    def _do(self, asked: Asked) -> None:
        if self._locked:
            self._queue.append(asked)
            self.coming += asked.entities
        else:
            asked.carry_out()

    def _column(self, key: str, value: ArrayLike, count: int) -> NDArray[Any]:
        """A copy of one value or of `count` of them as their column holds them."""
        column = np.empty(count, self.table.columns[key].dtype)
        try:
            column[:] = value
            is_same = getattr(value, "dtype", None) == column.dtype
            if column.dtype.kind in "iu" and not is_same and np.any(column != value):
                raise ValueError("too large, too small, or no whole number")
        except (TypeError, ValueError, OverflowError) as error:
            raise ValueError(f"{key}: must be one value or {count}, of {column.dtype}: {error}") from None
        return column

    def _spawn(
        self,
        prefab: str,
        serials: NDArray[np.int64],
        components: list[ComponentType],
        values: Mapping[str, NDArray[Any]],
        records: Mapping[ComponentType, NDArray[np.void]],
    ) -> None:
        self.enter()
        table, kind = self.table, self.prefab_index(prefab)
        table.reserve(len(serials))
        entities = _create_entities(len(serials), components, self.name)
        rows = table.append(len(serials))  # from here on nothing can fail
        table.serial[rows] = serials
        table.prefab[rows] = kind
        table.set_presence(rows, components, records=records)
        if serials.min(initial=self._highest + 1) <= self._highest:  # someone comes again, maybe with other values
            table.changed(*(component.__name__ for component in components))
        self._highest = int(serials.max(initial=self._highest))
        for key, value in values.items():
            table.columns[key][rows] = value
        for key, first in (pair for component in components for pair in _starts(component)):  # type: ignore[arg-type]
            if key not in values:
                table.columns[key][rows] = table.columns[first][rows]
        table.bind(rows, entities)

    def _bury(self) -> None:
        rows, self._dying = self.dying, []
        if len(rows):
            self.enter()
            for entity in self.table.entity[rows].tolist():
                esper.delete_entity(entity, immediate=True)
            self.table.remove(rows)

    def _add(self, entity: int, component: ComponentType, values: Mapping[str, NDArray[Any]]) -> None:
        self.enter()
        if not esper.entity_exists(entity):
            return
        row = self.table.row(entity)
        self.table.set_presence([row], [component])
        self.table.changed(component.__name__)
        for key, value in values.items():
            self.table.columns[key][row] = value[0]
        esper.add_component(entity, _handle(component, entity, self.name))

    def _remove(self, entity: int, component: ComponentType) -> None:
        self.enter()
        if not esper.entity_exists(entity) or not esper.has_component(entity, component):
            return
        if len(esper.components_for_entity(entity)) == 1:  # the others were taken since
            return
        self.table.set_presence([self.table.row(entity)], [component], present=False)
        esper.remove_component(entity, component)


@cache
def _starts(component: ComponentType) -> tuple[tuple[str, str], ...]:
    """The columns of vectors that begin as another column, each with that one."""
    return tuple(
        (key, f"{declared.owner}.{first}")
        for declared in fields_of(component)
        for key, first in zip(declared.columns, declared.starts, strict=False)
    )


def counted(count: object) -> int:
    """A number of entities to spawn.

    Raises:
        ValueError: it is none.
    """
    if not isinstance(count, int | np.integer) or count < 0:
        raise ValueError(f"can't spawn {count} entities: must be a whole number, 0 or more")
    return int(count)


def _forget(name: str) -> None:
    """Forget a world; the garbage collector may call this at any time, also while esper switches to another."""
    tables.pop(name, None)
    if esper.current_world == name:
        _dropped.append(name)
    elif name in esper.list_worlds():
        esper.delete_world(name)


def _handle(component: ComponentType, entity: int, world: str) -> Any:
    handle = component()
    handle.entity, handle._world = entity, world
    return handle


def _create_entities(count: int, components: list[ComponentType], world: str) -> NDArray[np.int64]:
    """Esper entities, each with a handle per component; returns their ids. All of them, or none."""
    entities = np.zeros(count, np.int64)
    with _collector_asleep():
        try:
            for index in range(count):
                handles = [component() for component in components]
                entities[index] = entity = esper.create_entity(*handles)
                for handle in handles:
                    handle.entity, handle._world = entity, world
        except BaseException:  # memory is full, or someone interrupts
            for entity in entities[entities > 0].tolist():
                esper.delete_entity(entity, immediate=True)
            raise
    return entities


@contextmanager
def _collector_asleep() -> Iterator[None]:
    """Handles make no cycles: collecting while half a million are made only costs time."""
    awake = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if awake:
            gc.enable()
