"""The world as a mod's system gets it, valid for one run.

Its requests (spawn, despawn, add, remove) are checked at once, so that they can't fail in COMMIT.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from components.store.fields import Field, Stored
from components.store.prefab import Prefab, counted
from components.store.records import ComponentType
from components.store.world import World
from sandbox.design.rules import limits_in, refuse_broken
from sandbox.mods.find.fault import TrespassError
from sandbox.mods.run.guarded_resources import GuardedResources, fixed
from sandbox.mods.run.guarded_table import GuardedTable
from sandbox.mods.run.read_only import ReadOnlyProxy
from systems.engine.settings import Settings
from systems.engine.system import Phase, System

R = TypeVar("R")
MOST_SPAWNED = 100_000  # in one run of a system
READ_ONLY_PHASES = (Phase.MEASURE, Phase.RENDER)  # run on demand, not once a tick


class GuardedWorld(ReadOnlyProxy):
    """The part of `World` that a system may use.

    Attributes:
        table: its `GuardedTable`.
        resources: the resources by type; none can be added or removed.
    """

    __slots__ = ("_lent", "_prefabs", "_spawned", "_system", "resources", "table")
    _real: World
    shown = frozenset({"name", "seed", "tick", "next_serial", "dying", "prefab_index", "has", "get"})

    def __init__(self, world: World, system: System, table: GuardedTable, tell: Callable[[str], None]) -> None:
        """`tell` is called with the name of a resource that the system uses without declaring it."""
        super().__init__(world)
        self._system = system
        self._spawned = 0
        self._prefabs: dict[str, Prefab] | None = None
        self._lent = True
        self.table = table
        self.resources = GuardedResources(world.resources, system, tell)

    @property
    def prefabs(self) -> Mapping[str, Prefab]:
        if self._prefabs is None:
            self._prefabs = {name: fixed(prefab) for name, prefab in self._real.prefabs.items()}
        return MappingProxyType(self._prefabs)

    def resource(self, kind: type[R]) -> R:
        """Return the resource of this type; `Settings` is read-only.

        Raises:
            KeyError: there is none.
        """
        return self.resources[kind]

    def enter(self) -> None:
        """Do nothing: the world is esper's current one already."""

    def spawn(self, prefab: str, count: int = 1, values: Mapping[str, ArrayLike] | None = None) -> NDArray[np.int64]:
        """Request entities of a prefab; return their serials, int64 (count,). See `World.spawn`.

        Raises:
            KeyError: an unknown prefab or field.
            ValueError: a value is out of bounds, the number of values is not `count`, or components conflict.
            TrespassError: too many entities.
        """
        self._ask("spawn")
        count = counted(count)
        self._spawned += count
        if self._spawned > MOST_SPAWNED:
            raise TrespassError(f"spawns more than {MOST_SPAWNED:,} in one run")
        most = self._real.resource(Settings).population_limit
        if not self._real.has_room(count, most):
            raise TrespassError(f"spawns more than the world has room for: its population_limit is {most:,}")
        field = self._real.table.field
        right = {key: self._checked(field(key), key, value, count) for key, value in (values or {}).items()}
        self._real.prefab_index(prefab)
        own = self._real.prefabs[prefab]
        components = {*own.components, *(key.split(".")[0] for key in right)}
        self._refuse_broken(components, {key: value for key, value in own.values().items() if key not in right})
        return self._real.spawn(prefab, count, right)

    def despawn(self, serials: ArrayLike) -> None:
        """Request the removal of the entities with these serials; serials that no longer exist are ignored.

        Raises:
            ValueError: a serial is no whole number, or an entity is esper's alone.
        """
        self._ask("despawn")
        wanted = np.atleast_1d(np.asarray(serials))
        if wanted.size and wanted.dtype.kind not in "iu":
            raise ValueError(f"serials must be whole numbers, not {wanted.dtype}")
        self._real.despawn(wanted)

    def add(self, entity: int, component: ComponentType, **values: Stored) -> None:
        """Request that a component be added to an entity. See `World.add`."""
        self._ask("add a component")
        self._declared(component)
        for name, value in values.items():
            if name in component.fields:
                self._checked(component.fields[name], component.fields[name].key, value)
        table, waiting = self._real.table, self._real.waiting
        now = table.components_in(table.presence[table.row(entity)])
        components = {component, *waiting.components_of(entity, now)}
        self._refuse_broken({other.__name__ for other in components}, {})
        self._real.add(entity, component, **values)

    def remove(self, entity: int, component: ComponentType) -> None:
        """Request that a component be removed from an entity. See `World.remove`."""
        self._ask("remove a component")
        self._declared(component)
        self._real.remove(entity, component)

    def end(self) -> None:
        """End the run; later requests are refused."""
        self._lent = False

    def _ask(self, what: str) -> None:
        if not self._lent:
            raise TrespassError(f"can't {what} in a world kept from an earlier run: use the one that `run` is given")
        if self._system.phase in READ_ONLY_PHASES:
            raise TrespassError(
                f"can't {what} in {self._system.phase.name}, which only measures or draws: do it in LIFE"
            )

    def _declared(self, component: ComponentType) -> None:
        if component not in self._real.table.bit_of:
            raise KeyError(f"the world has no component {component.__name__}: `app.add_component` makes it known")

    def _refuse_broken(self, components: set[str], values: Mapping[str, Stored]) -> None:
        """Raise ValueError if an entity with these would break a rule across fields; its snapshot could not be read."""
        refuse_broken(self._real.resource(Settings).edges, components, values)

    def _checked(self, field: Field, key: str, value: ArrayLike, count: int | None = None) -> NDArray[Any]:
        """Return a copy of one value, or of `count` values, in the dtype of a field's column.

        Raises:
            ValueError: wrong type, wrong number of values, or a value out of bounds.
        """
        given, allowed = np.asarray(value), limits_in(self._real, field)
        if given.shape not in ((), (count,)):
            must = "one value" if count is None else f"one value or {count}"
            raise ValueError(f"{key} has shape {given.shape}: must be {must}")
        if given.dtype.kind not in ("biuf" if field.dtype.kind == "f" else "biu"):
            raise ValueError(f"{key} is {given.dtype}: must be {field.dtype}")
        if field.dtype.kind == "f":
            with np.errstate(over="ignore"):
                given = given.astype(field.dtype)
        if not allowed.hold(given):
            wrong = np.atleast_1d(given)[~allowed.allow(np.atleast_1d(given))][0]
            raise ValueError(f"{key} = {wrong.item()}: {allowed.must}")
        return given.astype(field.dtype)
