"""Values that belong to no entity: of the world, its settings and its systems; and its prefabs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from components.store.fields import Kind
from components.store.table import fields_of
from components.store.world import Prefab, World
from sandbox.design.origins import Origins
from sandbox.design.rules import check_world
from sandbox.edit.mod_switches import ModSwitches
from systems.engine.pipeline import Pipeline
from systems.engine.settings import EDGES

EDGES_AT = ("resource", "Settings", "Settings.edges")


@dataclass(frozen=True)
class Setting:
    """A value that belongs to no entity.

    Attributes:
        place: whose it is ("world", "origins", "mods", or "system" or "resource" and its name) and what it is called;
            of "mods" the id of one, and whether it is off.
    """

    place: tuple[str, ...]
    left: Any
    value: Any

    @property
    def about(self) -> tuple[str, ...]:
        """It is one with another change of a step to the same value."""
        return self.place

    def apply(self, world: World) -> Setting | None:
        if not same(_value_at(world, self.place), self.left):
            return None
        if self.place == EDGES_AT and EDGES[self.value] == "wrap":
            try:
                check_world(world, edges="wrap")
            except ValueError:
                return None  # someone sees everyone since, and a torus has no middle
        _put_at(world, self.place, self.value)
        return Setting(self.place, self.value, self.left)

    def followed_by(self, later: Setting) -> Setting | None:
        return _both(self, later)

    def renumbered(self, first: int, by: int) -> Setting:
        return self


@dataclass(frozen=True)
class PrefabAt:
    """The prefab at a place becomes another one; None: there is none. One that the living need stays."""

    place: int
    left: Prefab | None
    value: Prefab | None

    @property
    def about(self) -> tuple[str, int]:
        """It is one with another change of a step to the same prefab."""
        return "prefab", self.place

    def apply(self, world: World) -> PrefabAt | None:
        prefabs = list(world.prefabs.values())
        now = prefabs[self.place] if self.place < len(prefabs) else None
        if not same(now, self.left) or self.place > len(prefabs):
            return None
        if self.value is None and (self.place < len(prefabs) - 1 or _needs_prefab(world, self.place)):
            return None
        prefabs[self.place : self.place + 1] = [] if self.value is None else [self.value]
        if len({prefab.name for prefab in prefabs}) < len(prefabs):
            return None
        put_prefabs(world, prefabs)
        return PrefabAt(self.place, self.value, self.left)

    def followed_by(self, later: PrefabAt) -> PrefabAt | None:
        return _both(self, later)

    def renumbered(self, first: int, by: int) -> PrefabAt:
        return self


One = TypeVar("One", Setting, PrefabAt)


def _both(first: One, later: One) -> One | None:
    """What gives back the value from before both; None where that is how they left it."""
    both = replace(later, value=first.value) if same(later.value, first.left) else later
    return None if same(both.left, both.value) else both


def same(one: object, other: object) -> bool:
    """Whether two values are the same to the last bit: 0.0 is not -0.0, and NaN is NaN; `==` says otherwise."""
    return one is other or repr(one) == repr(other)


def put_prefabs(world: World, prefabs: list[Prefab]) -> None:
    """Let these be the world's prefabs, in this order."""
    world.prefabs.clear()
    world.prefabs.update({prefab.name: prefab for prefab in prefabs})


def settings_of(world: World) -> dict[tuple[str, ...], Any]:
    """Every value that `Setting` can change, by its place."""
    found: dict[tuple[str, ...], Any] = {("world", "seed"): world.seed}
    found |= {("origins", name): getattr(world.resource(Origins), name) for name in ("entries", "resources")}
    host = world.resource(ModSwitches)
    found |= {("mods", mod): mod in host.off for mod in host.mods}
    for name, declared in world.declared.items():
        found |= {("resource", name, column): value for column, value in world.resource(declared).stored.items()}
    for system in world.resource(Pipeline).systems:
        found |= {("system", system.name, name): getattr(system, name) for name in ("enabled", *system.parameters)}
    return found


def _value_at(world: World, place: tuple[str, ...]) -> Any:
    if place[0] == "mods":
        return place[1] in world.resource(ModSwitches).off
    if place[0] == "resource":
        return world.resource(world.declared[place[1]]).stored[place[2]]
    return getattr(_owner(world, place), place[-1])


def _put_at(world: World, place: tuple[str, ...], value: Any) -> None:
    if place[0] == "mods":
        host = world.resource(ModSwitches)
        host.off = host.off | {place[1]} if value else host.off - {place[1]}
    elif place[0] == "resource":
        resource = world.resource(world.declared[place[1]])
        resource.stored = {**resource.stored, place[2]: value}
    else:
        setattr(_owner(world, place), place[-1], value)


def _owner(world: World, place: tuple[str, ...]) -> Any:
    if place[0] == "system":
        return world.resource(Pipeline).by_name[place[1]]
    return world.resource(Origins) if place[0] == "origins" else world


def _needs_prefab(world: World, place: int) -> bool:
    """Whether someone alive is of a prefab, or has a set that names it."""
    table = world.table
    if (table.prefab[: table.size] == place).any():
        return True
    bit = np.uint64(1 << place)
    for component in table.components.values():
        for key in (field.key for field in fields_of(component) if field.kind is Kind.PREFABS):
            if (table.columns[key][table.rows(component)] & bit).any():
                return True
    return False
