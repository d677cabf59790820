"""The variables of esper, and what stands in them for each `World`.

esper keeps two dictionaries for each of its worlds: the components of each entity, and the entities that have each
component. Ours replace them and answer from the world's table. The handles of an entity with a row are made when esper
first reads them; until then the table says that the entity exists, and which components it has. Entities without a row,
and components that are not in the table, are stored as esper does.

This is the only module that knows esper's private variables; `tests/components/test_esper_itself.py` tests all that is
relied on.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count as counter
from operator import itemgetter
from typing import Any

import esper
import numpy as np
from numpy.typing import NDArray

from components.store.handles import Component, tables
from components.store.records import ComponentType
from components.store.table import EntityTable

COUNTER, ENTITIES, COMPONENTS, ENDING = "_entity_count", "_entities", "_components", "_dead_entities"
FOUND_OF_ONE, FOUND_OF_SEVERAL = "_get_component_cache", "_get_components_cache"
PROCESSORS = "_processors"
WORLDS = "_context_map"  # the variables of each world that is not the current one
"""Names of variables of esper's module; those before WORLDS change with its current world."""

FIRST_WITHOUT_ROW = 1 << 62  # entities that are esper's alone count from here on: no serial gets so far
_dropped: list[str] = []  # worlds without references that are still esper's current world


class AtWork:
    """A context in which a world is esper's current one; other threads wait for its end, because esper has only one.

    After it, in other threads than the main one, the world that was current before is so again.
    """

    __slots__ = ("_before", "_name")
    _lock = threading.RLock()

    def __init__(self, name: str) -> None:
        self._name = name

    def __enter__(self) -> None:
        self._lock.acquire()
        self._before = esper.current_world
        try:
            enter(self._name)
        except BaseException:
            self._lock.release()
            raise

    def __exit__(self, *_: object) -> None:
        if threading.current_thread() is not threading.main_thread():
            _switch(self._before if self._before in tables else "default")
        self._lock.release()


def enter(name: str) -> None:
    """Make a world esper's current one; wait for threads that are at work, if it is not.

    Raises:
        RuntimeError: the world is closed.
    """
    if name not in tables:
        raise RuntimeError(f"{name} is closed")
    if esper.current_world != name:
        with AtWork._lock:
            _switch(name)


def _switch(name: str) -> None:
    if esper.current_world == name:
        return
    esper.switch_world(name)
    if name in tables and not isinstance(vars(esper)[ENTITIES], HandlesByEntity):
        _read_from(tables[name], name)
    while _dropped:
        forget(_dropped.pop())


def _read_from(table: EntityTable, world: str) -> None:
    """Make esper's current world, which is new, read its entities from this table."""
    handles = HandlesByEntity(table, world)
    vars(esper).update(
        {
            COUNTER: counter(FIRST_WITHOUT_ROW),
            ENTITIES: handles,
            COMPONENTS: EntitiesByComponent(table, handles),
            ENDING: EndingEntities(table),
            FOUND_OF_ONE: Ordered(),
            FOUND_OF_SEVERAL: Ordered(),
        }
    )


def summary() -> tuple[object, ...]:
    """Return a summary of esper's variables, which differs if code other than the world changed them."""
    variables = vars(esper)
    return (
        esper.current_world,
        repr(variables[COUNTER]),
        [id(processor) for processor in variables[PROCESSORS]],
        {kind: len(entities) for kind, entities in variables[COMPONENTS].items()},
        len(variables[ENDING]),
    )


def leave(name: str) -> None:
    """Switch esper to its default world if this world is the current one."""
    with AtWork._lock:
        if esper.current_world == name:
            esper.switch_world("default")


def forget(name: str) -> None:
    """Forget a world; the garbage collector may call this at any time, even while esper switches worlds."""
    tables.pop(name, None)
    if esper.current_world == name:
        _dropped.append(name)
    else:
        vars(esper)[WORLDS].pop(name, None)


def delete_entities(entities: NDArray[np.int64]) -> None:
    """Delete entities with rows from the current esper world."""
    vars(esper)[ENTITIES].drop(entities)
    esper.clear_cache()


def fit(entities: NDArray[np.int64]) -> None:
    """Update esper's handles of entities of the current world whose components have changed."""
    vars(esper)[ENTITIES].fit(entities)
    esper.clear_cache()


class HandlesByEntity(dict[int, dict[ComponentType, Any]]):
    """esper's `_entities`: the components of each entity by type.

    `keys` has only the entities whose handles have been made, and those without a row.
    """

    def __init__(self, table: EntityTable, world: str) -> None:
        super().__init__()
        self._table, self._world = table, world

    def __missing__(self, entity: int) -> dict[ComponentType, Any]:
        return self._make(int(entity), self._components_of(entity))

    def __setitem__(self, entity: int, components: dict[ComponentType, Any]) -> None:
        """Add an entity of `esper.create_entity`; `esper.clear_database` makes it begin again at 1."""
        if self._table.row_of(entity) >= 0:
            raise TypeError(f"entity {entity} has a row: esper.clear_database is not for this world, make a new one")
        super().__setitem__(entity, components)

    def __contains__(self, entity: Any) -> bool:
        return super().__contains__(entity) or self._table.row_of(entity) >= 0

    def get(self, entity: int, default: Any = None) -> Any:
        try:
            return self[entity]
        except KeyError:
            return default

    def __iter__(self) -> Iterator[int]:
        plain = [entity for entity in self.keys() if self._table.row_of(entity) < 0]
        return iter(plain + self._table.serial[self._table.rows_by_serial()].tolist())

    def __len__(self) -> int:
        return len(list(iter(self)))

    def look_at(self, rows: NDArray[np.integer[Any]]) -> list[int]:
        """Make the missing handles of the entities in these rows, and return the entities."""
        entities, presence, made = self._table.serial[rows], self._table.presence[rows], self.keys()
        with collector_disabled():
            for bits in np.unique(presence):
                components = self._table.components_in(bits)
                for entity in entities[presence == bits].tolist():
                    if entity not in made:
                        self._make(entity, components)
        found: list[int] = entities.tolist()
        return found

    def fit(self, entities: NDArray[np.int64]) -> None:
        """Make the handles of these entities anew, to match the components that they have now."""
        for entity in self._made_of(entities):
            others = self._not_in_table(entity)
            self._make(entity, self._components_of(entity)).update(others)

    def drop(self, entities: NDArray[np.int64]) -> None:
        """Delete these entities; the caller removes their rows."""
        for entity in self._made_of(entities):
            super().__setitem__(entity, self._not_in_table(entity))
            esper.delete_entity(entity, immediate=True)

    def _made_of(self, entities: NDArray[np.int64]) -> set[int]:
        """Return those of these entities whose handles have been made."""
        return self.keys() & entities.tolist() if self.keys() else set()

    def _make(self, entity: int, components: tuple[ComponentType, ...]) -> dict[ComponentType, Any]:
        made = {component: _handle(component, entity, self._world) for component in components}
        super().__setitem__(entity, made)
        return made

    def _components_of(self, entity: int) -> tuple[ComponentType, ...]:
        return self._table.components_in(self._table.presence[self._table.row(entity)])

    def _not_in_table(self, entity: int) -> dict[ComponentType, Any]:
        return {kind: own for kind, own in self[entity].items() if not issubclass(kind, Component)}


class EntitiesByComponent(dict[ComponentType, Any]):
    """esper's `_components`: the entities that have each component. esper reads by `get`, and changes by `[...]`, which
    raises an error for components of the table: only the world may change who has them.
    """

    def __init__(self, table: EntityTable, handles: HandlesByEntity) -> None:
        super().__init__()
        self._table, self._handles = table, handles

    def get(self, component: ComponentType, default: Any = None) -> Any:
        if component in self._table.bit_of:
            return EntitiesWith(component, self._table, self._handles)
        return super().get(component, default)

    def __getitem__(self, component: ComponentType) -> Any:
        if component in self._table.bit_of:
            name = component.__name__
            raise TypeError(f"{name} has a row for each entity: use world.spawn, despawn, add and remove, not esper's")
        return super().__getitem__(component)


class EndingEntities(set[int]):
    """esper's `_dead_entities`: entities without a row that are deleted by the next `esper.process`."""

    def __init__(self, table: EntityTable) -> None:
        super().__init__()
        self._table = table

    def add(self, entity: int) -> None:
        if self._table.row_of(entity) >= 0:
            raise TypeError(f"entity {entity} has a row: use world.despawn, not esper's delete_entity")
        super().add(entity)


class EntitiesWith:
    """The entities that have a component of the table; iterating makes their handles."""

    def __init__(self, component: ComponentType, table: EntityTable, handles: HandlesByEntity) -> None:
        self._component, self._table, self._handles = component, table, handles

    def __len__(self) -> int:
        return len(self._table.rows(self._component))

    def __iter__(self) -> Iterator[int]:
        return iter(self._handles.look_at(self._table.rows(self._component)))


class Ordered(dict[Any, Any]):
    """esper's query cache: results are sorted by serial, and each caller gets its own list.

    esper iterates over rows, or over sets of ids. Both orders depend on the history of the world: a loop over
    `esper.get_components` that draws random numbers or spawns entities would differ after saving and loading.
    """

    def __setitem__(self, asked: Any, found: list[Any]) -> None:
        found.sort(key=itemgetter(0))
        super().__setitem__(asked, tuple(found))

    def get(self, asked: Any, default: Any = None) -> Any:
        found = super().get(asked)
        return default if found is None else list(found)


def _handle(component: ComponentType, entity: int, world: str) -> Any:
    handle: Any = object.__new__(component)
    handle.entity, handle._world = entity, world
    return handle


@contextmanager
def collector_disabled() -> Iterator[None]:
    """Disable the garbage collector while many objects are made that form no cycles: collecting only costs time."""
    awake = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if awake:
            gc.enable()
