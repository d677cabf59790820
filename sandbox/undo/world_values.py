"""Changes of values that belong to the world: its resources, its seed and its prefabs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from components.store.fields import Kind
from components.store.prefab import Prefab
from components.store.savepoint import same
from components.store.world import World
from sandbox.design.depth import follow_depth
from sandbox.design.field_rules import check_world
from sandbox.design.origins import Origins
from systems.engine.settings import Settings


@dataclass(frozen=True)
class Setting:
    """Sets a stored value of a resource, by its name there, or the seed of the world."""

    owner: type
    name: str
    left: Any
    value: Any

    def apply(self, world: World, given: int) -> None:
        if (self.owner, self.name) == (Origins, "entries") and given <= world.next_serial:
            return  # crowds that come again with other serials are edited individually
        if self.owner is World:
            world.seed = self.value if world.seed == self.left else world.seed
            return
        resource, settings = world.resources[self.owner], world.resource(Settings)
        before, edges = resource.stored, settings.edges
        if not same(before.get(self.name), self.left):
            return
        resource.stored = {**before, self.name: self.value}
        follow_depth(world)
        if settings.edges != edges:
            try:
                check_world(world)
            except ValueError:
                resource.stored = before  # an entity may have got reach "everyone" since, which a torus does not allow


@dataclass(frozen=True)
class PrefabAt:
    """Replaces the prefab at an index; None removes it, unless living entities need it."""

    index: int
    left: Prefab | None
    value: Prefab | None

    def apply(self, world: World, given: int) -> None:
        prefabs = list(world.prefabs.values())
        now = prefabs[self.index] if self.index < len(prefabs) else None
        if not same(now, self.left) or self.index > len(prefabs):
            return
        if self.value is None and (self.index < len(prefabs) - 1 or needed_by_the_living(world) >> self.index & 1):
            return
        prefabs[self.index : self.index + 1] = [] if self.value is None else [self.value]
        if len({prefab.name for prefab in prefabs}) == len(prefabs):
            put_prefabs(world, prefabs)


def put_prefabs(world: World, prefabs: list[Prefab]) -> None:
    """Set the world's prefabs, in this order."""
    world.prefabs.clear()
    world.prefabs.update({prefab.name: prefab for prefab in prefabs})


def needed_by_the_living(world: World) -> int:
    """Return a bit mask of the prefabs that living entities have as their own or in a set."""
    table = world.table
    needed = sum(1 << index for index in np.flatnonzero(world.population).tolist())
    for component in table.components.values():
        for key in (field.key for field in world.table.form(component).fields if field.kind is Kind.PREFABS):
            needed |= int(np.bitwise_or.reduce(table.columns[key][table.rows(component)], initial=np.uint64(0)))
    return needed
