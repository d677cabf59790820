"""esper while a system of a mod runs: it answers, and changes nothing.

Entities with rows are changed through the world alone, and systems are added by `install(app)`. esper's functions keep
their state in variables of its module: for the time of the run these hold what can only be looked at, so that
`esper.delete_entity` fails in the mod's own line, however it was imported, and before it did anything.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, NoReturn

import esper

from sandbox.mods.find.fault import TrespassError

INSTEAD = {
    "create_entity": "ask the world, `world.spawn(prefab)`",
    "delete_entity": "ask the world, `world.despawn_rows(rows)` or `world.despawn(serials)`",
    "add_component": "ask the world, `world.add(entity, Component)`",
    "remove_component": "ask the world, `world.remove(entity, Component)`",
    "try_remove_component": "ask the world, `world.remove(entity, Component)`",
    "add_processor": "add systems in install, `app.add_system(system)`",
    "remove_processor": "only people switch systems off",
}


class OnlyLook:
    """A set, list or dictionary of esper that can't be changed."""

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


class Members(OnlyLook):
    """Who has each component. esper's functions ask for a set by `get` to look, and by index to change it."""

    __slots__ = ()

    def get(self, key: Any, default: Any = None) -> Any:
        found = self._real.get(key)
        return default if found is None else OnlyLook(found)

    __getitem__ = OnlyLook._refuse


class Processors(OnlyLook):
    """The systems: `esper.process` in a tick would be a tick within it."""

    __slots__ = ()
    __iter__ = OnlyLook._refuse


GUARDED = {
    "_components": Members,
    "_entities": OnlyLook,
    "_dead_entities": OnlyLook,
    "_processors": Processors,
    "_processors_dict": OnlyLook,
    "_context_map": OnlyLook,
}


class LookingOnly:
    """A context, to be entered again and again: esper's current world can only be looked at, and no other entered."""

    def __init__(self) -> None:
        self._real: dict[str, Any] = {}
        self._guarded: dict[str, Any] = {}

    def __enter__(self) -> None:
        state = vars(esper)
        if self._real.get("_entities") is not state["_entities"]:
            self._real = {name: state[name] for name in GUARDED}
            self._guarded = {name: guarded(self._real[name]) for name, guarded in GUARDED.items()}
        self._real["_entity_count"] = state["_entity_count"]
        state.update(self._guarded)

    def __exit__(self, *_: object) -> None:
        vars(esper).update(self._real)
