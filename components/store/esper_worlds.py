"""The named esper world of each `World`; its dictionaries are computed from the world's table."""

from __future__ import annotations

from itertools import count as counter

import esper
import numpy as np
from numpy.typing import NDArray

from components.store.handles import tables
from components.store.on_demand import EndingEntities, EntitiesByComponent, HandlesByEntity
from components.store.queries import Ordered
from components.store.table import EntityTable

_contexts = esper._context_map  # esper's own dict: while a system of a mod runs, its guard replaces the attribute
FIRST_WITHOUT_ROW = 1 << 62  # entities that are esper's alone count from here on: no serial gets so far
_dropped: list[str] = []  # worlds without references that are still esper's current world


def enter(name: str) -> None:
    """Make a world esper's current one.

    Raises:
        RuntimeError: the world is closed.
    """
    if name not in tables:
        raise RuntimeError(f"{name} is closed")
    if esper.current_world != name:
        esper.switch_world(name)
        if not isinstance(esper._entities, HandlesByEntity):
            _read_from(tables[name], name)
        while _dropped:
            forget(_dropped.pop())


def _read_from(table: EntityTable, world: str) -> None:
    """Make esper's current world, which is new, read its entities from this table."""
    handles = HandlesByEntity(table, world)
    vars(esper).update(
        _entity_count=counter(FIRST_WITHOUT_ROW),
        _entities=handles,
        _components=EntitiesByComponent(table, handles),
        _dead_entities=EndingEntities(table),
        _get_component_cache=Ordered(),
        _get_components_cache=Ordered(),
    )


def leave(name: str) -> None:
    """Switch esper to its default world if this world is the current one."""
    if esper.current_world == name:
        esper.switch_world("default")


def forget(name: str) -> None:
    """Forget a world; the garbage collector may call this at any time, even while esper switches worlds."""
    tables.pop(name, None)
    if esper.current_world == name:
        _dropped.append(name)
    else:
        _contexts.pop(name, None)


def delete_entities(entities: NDArray[np.int64]) -> None:
    """Delete entities with rows from the current esper world."""
    vars(esper)["_entities"].drop(entities)
    esper.clear_cache()


def fit(entities: NDArray[np.int64]) -> None:
    """Update esper's handles of entities of the current world whose components have changed."""
    vars(esper)["_entities"].fit(entities)
    esper.clear_cache()
