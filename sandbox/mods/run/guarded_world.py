"""The world as a mod's system sees it, lent for one run.

What it asks for is checked at once, so that COMMIT can carry it out.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from components.store.fields import Field, Stored
from components.store.new_rows import counted
from components.store.prefab import Prefab
from components.store.records import ComponentType
from components.store.world import World
from sandbox.design.rules import limits_in, refuse_broken
from sandbox.mods.find.fault import TrespassError
from sandbox.mods.run.guarded_resources import GuardedResources, fixed
from sandbox.mods.run.guarded_table import GuardedTable
from sandbox.mods.run.looking import Looking
from systems.engine.settings import Settings
from systems.engine.system import Phase, System

R = TypeVar("R")
MOST_SPAWNED = 100_000  # in one run of a system
ONLY_LOOK = (Phase.MEASURE, Phase.RENDER)  # run whenever someone looks, not once a tick


class GuardedWorld(Looking):
    """What `World` offers a system.

    Attributes:
        table: its `GuardedTable`.
        resources: by type; none can be put in or taken out.
    """

    __slots__ = ("_lent", "_prefabs", "_spawned", "_system", "resources", "table")
    _real: World
    shown = frozenset({"name", "seed", "tick", "next_serial", "dying", "prefab_index", "has", "get"})

    def __init__(self, world: World, system: System, table: GuardedTable) -> None:
        super().__init__(world)
        self._system = system
        self._spawned = 0
        self._prefabs: dict[str, Prefab] | None = None
        self._lent = True
        self.table = table
        self.resources = GuardedResources(world.resources)

    @property
    def prefabs(self) -> Mapping[str, Prefab]:
        if self._prefabs is None:
            self._prefabs = {name: fixed(prefab) for name, prefab in self._real.prefabs.items()}
        return MappingProxyType(self._prefabs)

    def resource(self, kind: type[R]) -> R:
        """The one resource of this type; `Settings` can only be read.

        Raises:
            KeyError: there is none.
        """
        return self.resources[kind]

    def enter(self) -> None:
        """It is esper's current world already."""

    def spawn(self, prefab: str, count: int = 1, values: Mapping[str, ArrayLike] | None = None) -> NDArray[np.int64]:
        """Ask for entities of a prefab; returns their serials, int64 (count,). See `World.spawn`.

        Raises:
            KeyError: an unknown prefab or field.
            ValueError: a value that its declaration forbids, another number of them than `count`, or components that
                don't go together.
            TrespassError: too many.
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
        """Ask for the end of the entities with these serials; those already gone are passed over."""
        self._ask("despawn")
        self._real.despawn(serials)

    def despawn_rows(self, rows: ArrayLike) -> None:
        """Ask for the end of the entities in these rows.

        Raises:
            IndexError: a row that nobody is in.
        """
        self._ask("despawn")
        wanted = np.atleast_1d(np.asarray(rows))
        if wanted.size and wanted.dtype.kind not in "iu":
            raise ValueError(f"despawn_rows: rows must be whole numbers, not {wanted.dtype}")
        if wanted.size and not 0 <= wanted.min() <= wanted.max() < self._real.table.size:
            raise IndexError(f"despawn_rows: row {wanted.max() if wanted.min() >= 0 else wanted.min()} is out of range")
        self._real.despawn_rows(wanted.astype(np.int64))

    def add(self, entity: int, component: ComponentType, **values: Stored) -> None:
        """Ask that an entity be given a component. See `World.add`."""
        self._ask("add a component")
        self._declared(component)
        for name, value in values.items():
            if name in component.fields:
                self._checked(component.fields[name], component.fields[name].key, value)
        components = {component, *self._real.coming_components(entity)}
        self._refuse_broken({other.__name__ for other in components}, {})
        self._real.add(entity, component, **values)

    def remove(self, entity: int, component: ComponentType) -> None:
        """Ask that a component be taken from an entity. See `World.remove`."""
        self._ask("remove a component")
        self._declared(component)
        self._real.remove(entity, component)

    def end(self) -> None:
        """The run is over: from now on it can't be asked for anything."""
        self._lent = False

    def _ask(self, what: str) -> None:
        if not self._lent:
            raise TrespassError(f"can't {what} in a world kept from an earlier run: use the one that `run` is given")
        if self._system.phase in ONLY_LOOK:
            raise TrespassError(
                f"can't {what} in {self._system.phase.name}, which only measures or draws: do it in LIFE"
            )

    def _declared(self, component: ComponentType) -> None:
        if component not in self._real.table.bit_of:
            raise KeyError(f"the world has no component {component.__name__}: `app.add_component` makes it known")

    def _refuse_broken(self, components: set[str], values: Mapping[str, Stored]) -> None:
        """Raises ValueError where somebody with these would break a rule across fields, and no snapshot would open."""
        refuse_broken(self._real.resource(Settings).edges, components, values)

    def _checked(self, field: Field, key: str, value: ArrayLike, count: int | None = None) -> NDArray[Any]:
        """A copy of one value, or of `count` of them, as the column of a field stores them.

        Raises:
            ValueError: they are no numbers, too many or too few, or forbidden.
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
