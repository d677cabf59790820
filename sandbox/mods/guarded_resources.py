"""The resources, settings and prefabs of a world as a mod's system sees them: to be read, not to be replaced."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, NoReturn, TypeVar

from components.store.world import Prefab
from sandbox.mods.fault import TrespassError
from systems.core.settings import Settings

R = TypeVar("R")


class GuardedResources(Mapping[type, Any]):
    """The resources of a lent world; `Settings` can only be read."""

    def __init__(self, resources: Mapping[type, Any]) -> None:
        self._resources = resources
        self._settings: Settings | None = None

    def __getitem__(self, kind: type[R]) -> R:
        if kind not in self._resources:
            raise KeyError(f"the world has no resource {kind.__name__}: `app.add_resource({kind.__name__})` adds one")
        if kind is not Settings:
            return self._resources[kind]  # type: ignore[no-any-return]
        if self._settings is None:
            self._settings = FixedSettings(**vars(self._resources[Settings]))
        return self._settings  # type: ignore[return-value]

    def __iter__(self) -> Iterator[type]:
        return iter(tuple(self._resources))

    def __len__(self) -> int:
        return len(self._resources)

    def _refuse(self, *_: Any) -> NoReturn:
        raise TrespassError("a resource can't be replaced or taken out: write into its fields")

    __setitem__ = __delitem__ = __ior__ = pop = popitem = clear = update = setdefault = _refuse


def fixed(prefab: Prefab) -> Prefab:
    """A prefab for reading."""
    components = {name: MappingProxyType(values) for name, values in prefab.components.items()}
    return replace(prefab, components=MappingProxyType(components))


class FixedSettings(Settings):
    """Settings for reading."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name in vars(self):
            raise TrespassError(
                f"the world's {name} can't be changed by a system: that is for people, and for commands"
            )
        super().__setattr__(name, value)
