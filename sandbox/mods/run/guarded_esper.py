"""Makes esper read-only while a system of a mod runs: queries work, changes raise an error.

Entities with rows are changed through the world only, and systems are added by `install(app)`. esper's functions keep
their state in variables of its module. During the run these hold read-only proxies, so that `esper.delete_entity`
fails in the mod's own line, however it was imported, and before it has changed anything.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, NoReturn

import esper

from components.store.esper_state import (
    COMPONENTS,
    COUNTER,
    ENDING,
    ENTITIES,
    PROCESSOR_OF_TYPE,
    PROCESSORS,
    WORLDS,
)
from sandbox.mods.find.fault import TrespassError

INSTEAD = {
    "create_entity": "ask the world, `world.spawn(prefab)`",
    "delete_entity": "ask the world, `world.despawn(serials)`",
    "add_component": "ask the world, `world.add(serial, Component)`",
    "remove_component": "ask the world, `world.remove(serial, Component)`",
    "try_remove_component": "ask the world, `world.remove(serial, Component)`",
    "add_processor": "add systems in install, `app.add_system(system)`",
    "remove_processor": "only people switch systems off",
}


class ReadOnly:
    """A read-only proxy of a set, list or dictionary of esper."""

    __slots__ = ("_real",)

    def __init__(self, real: Any) -> None:
        self._real = real

    def __getitem__(self, key: Any) -> Any:
        return self._real[key]

    def get(self, key: Any, default: Any = None) -> Any:
        return self._real.get(key, default)

    def __contains__(self, item: object) -> bool:
        return item in self._real

    def __iter__(self) -> Iterator[Any]:
        return iter(self._real)

    def __len__(self) -> int:
        return len(self._real)

    def _refuse(self, *_: Any) -> NoReturn:
        name = sys._getframe(1).f_code.co_name
        raise TrespassError(f"esper.{name} is not for systems of mods: {INSTEAD.get(name, 'there is no replacement')}")

    __setitem__ = __delitem__ = add = append = clear = discard = pop = remove = setdefault = update = _refuse


class ReadOnlyComponents(ReadOnly):
    """The entities that have each component. esper's functions use `get` to read a set, and an index to change it."""

    __slots__ = ()

    def get(self, key: Any, default: Any = None) -> Any:
        found = self._real.get(key)
        return default if found is None else ReadOnly(found)

    __getitem__ = ReadOnly._refuse


class ReadOnlyProcessors(ReadOnly):
    """The systems; not iterable, because `esper.process` in a tick would run a tick within it."""

    __slots__ = ()
    __iter__ = ReadOnly._refuse


GUARDED = {
    COMPONENTS: ReadOnlyComponents,
    ENTITIES: ReadOnly,
    ENDING: ReadOnly,
    PROCESSORS: ReadOnlyProcessors,
    PROCESSOR_OF_TYPE: ReadOnly,
    WORLDS: ReadOnly,
}


class ReadOnlyEsper:
    """A reusable context manager in which esper's current world is read-only and no other world can be entered."""

    def __init__(self) -> None:
        self._real: dict[str, Any] = {}
        self._guarded: dict[str, Any] = {}

    def __enter__(self) -> None:
        state = vars(esper)
        if self._real.get(ENTITIES) is not state[ENTITIES]:
            self._real = {name: state[name] for name in GUARDED}
            self._guarded = {name: guarded(self._real[name]) for name, guarded in GUARDED.items()}
        self._real[COUNTER] = state[COUNTER]
        state.update(self._guarded)

    def __exit__(self, *_: object) -> None:
        vars(esper).update(self._real)
