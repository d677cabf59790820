"""The resources, settings and prefabs of a world as a mod's system gets them: they can't be replaced."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, NoReturn, TypeVar

from components.store.prefab import Prefab
from components.store.resources import Resource
from sandbox.mods.find.fault import TrespassError
from sandbox.mods.run.read_only import ReadOnlyProxy
from systems.commit import Commit
from systems.engine.events import Events
from systems.engine.hand import Hand
from systems.engine.measures import Measures
from systems.engine.settings import Settings
from systems.engine.system import Phase, System

R = TypeVar("R")
LENT = (Measures, Events)


class GuardedResources(Mapping[type, Any]):
    """The resources that a mod's system may use: those declared with `@resource`, `Measures` and `Events`.

    `Settings`, `Hand` and `Events` are read-only; of `Measures` only the values can be changed.
    """

    def __init__(self, resources: Mapping[type, Any], system: System, tell: Callable[[str], None]) -> None:
        """`tell` is called with the name of a resource that is used and that the system does not declare."""
        self._resources, self._system, self._tell = resources, system, tell
        self._declared = *system.reads, *system.writes, *system.adds
        self._fixed: dict[type, Any] = {}

    def __getitem__(self, kind: type[R]) -> R:
        if not isinstance(kind, type):
            raise TypeError(f"resource({kind!r:.60}): must be a class, like resource(Settings)")
        name = kind.__name__
        if kind not in self._resources:
            raise KeyError(f"the world has no resource {name}: `app.add_resource({name})` adds one")
        if not _is_lent(kind):
            raise TrespassError(
                f"{name} is not for mods: resources are those of sandbox.api, and what @resource declares"
            )
        if kind is Events and self._is_early:
            raise TrespassError(
                f"the births, deaths and catches of a tick are known once `{Commit.name}` has run: "
                f'declare phase = Phase.COMMIT, after = ("{Commit.name}",) in {self._system.name}'
            )
        if kind not in self._fixed:
            if kind not in (*self._declared, *LENT, *READ_ONLY):
                self._tell(name)
            self._fixed[kind] = _fixed(self._resources[kind])
        return self._fixed[kind]  # type: ignore[no-any-return]

    def __iter__(self) -> Iterator[type]:
        return iter([kind for kind in self._resources if _is_lent(kind) and not (kind is Events and self._is_early)])

    @property
    def _is_early(self) -> bool:
        """Whether the system runs before the events of its tick are known."""
        return self._system.phase < Phase.COMMIT or Commit.name in self._system.before

    def __len__(self) -> int:
        return len(list(iter(self)))

    def _refuse(self, *_: Any) -> NoReturn:
        raise TrespassError("a resource can't be replaced or removed: write into its fields")

    __setitem__ = __delitem__ = __ior__ = pop = popitem = clear = update = setdefault = _refuse


def _is_lent(kind: Any) -> bool:
    return kind in LENT or (isinstance(kind, type) and issubclass(kind, Resource))


def _fixed(resource: Any) -> Any:
    """Return a resource as a mod may use it: a read-only copy of some, others themselves."""
    if type(resource) in READ_ONLY:
        copy = object.__new__(READ_ONLY[type(resource)])
        object.__setattr__(copy, "stored", MappingProxyType(resource.stored))
        return copy
    if isinstance(resource, Measures):
        return FixedMeasures(frozenset(resource.wanted), resource.values)
    return FixedEvents(resource) if isinstance(resource, Events) else resource


def fixed(prefab: Prefab) -> Prefab:
    """Return a read-only view of a prefab."""
    components = {name: MappingProxyType(values) for name, values in prefab.components.items()}
    return replace(prefab, components=MappingProxyType(components))


def _refuse_setting(resource: Any, name: str, value: Any) -> NoReturn:
    raise TrespassError(f"the world's {name} can't be changed by a system, only by commands")


READ_ONLY: dict[type, Any] = {
    kind: type(kind.__name__, (kind,), {"__slots__": (), "__setattr__": _refuse_setting}) for kind in (Settings, Hand)
}
"""For each resource that no system may change, a read-only subclass, of which mods get an instance."""


class FixedEvents(ReadOnlyProxy):
    """The events of the last tick."""

    __slots__ = ()
    shown = frozenset({"births", "deaths", "catches"})


class FixedMeasures(Measures):
    """Measures of which only the values can be changed."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name in vars(self) and value is not vars(self)[name]:
            raise TrespassError(f"Measures.{name} can't be replaced: put numbers into Measures.values, by name")
        super().__setattr__(name, value)
