"""Each world's part of esper: a named esper world whose entities have a handle for each of their components."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import esper
import numpy as np
from numpy.typing import NDArray

from components.store.handles import tables
from components.store.queries import order_queries
from components.store.records import ComponentType

_dropped: list[str] = []  # worlds that nobody holds, while esper is in them still


def enter(name: str) -> None:
    """Make a world esper's current one.

    Raises:
        RuntimeError: it is closed.
    """
    if name not in tables:
        raise RuntimeError(f"{name} is closed")
    if esper.current_world != name:
        esper.switch_world(name)
        order_queries(tables[name])
        while _dropped:
            forget(_dropped.pop())


def leave(name: str) -> None:
    """Let esper be in another world than this one."""
    if esper.current_world == name:
        esper.switch_world("default")


def forget(name: str) -> None:
    """Forget a world; the garbage collector may call this at any time, also while esper switches to another."""
    tables.pop(name, None)
    if esper.current_world == name:
        _dropped.append(name)
    elif name in esper.list_worlds():
        esper.delete_world(name)


def create_entities(presence: NDArray[np.uint64], world: str) -> NDArray[np.int64]:
    """Esper entities, each with a handle on each of its components; returns their ids. All of them, or none."""
    entities = np.zeros(len(presence), np.int64)
    with _collector_asleep():
        try:
            for bits in np.unique(presence):
                components = tables[world].components_in(bits)
                for place in np.flatnonzero(presence == bits).tolist():
                    handles = [component() for component in components]
                    entities[place] = entity = esper.create_entity(*handles)
                    for handle in handles:
                        handle.entity, handle._world = entity, world
        except BaseException:  # memory is full, or someone interrupts
            delete_entities(entities[entities > 0].tolist())
            raise
    return entities


def delete_entities(entities: Iterable[int]) -> None:
    """Delete esper entities of the current world."""
    for entity in entities:
        esper.delete_entity(entity, immediate=True)


def add_handle(component: ComponentType, entity: int, world: str) -> None:
    """Give an esper entity a handle on a component."""
    handle = component()
    handle.entity, handle._world = entity, world
    esper.add_component(entity, handle)


def fit(entity: int, components: list[ComponentType], world: str) -> None:
    """Give an esper entity these components, and no others."""
    handles: tuple[Any, ...] = esper.components_for_entity(entity)
    had = {type(handle) for handle in handles}
    for component in components:
        if component not in had:
            add_handle(component, entity, world)
    for component in had - {*components}:
        esper.remove_component(entity, component)


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
