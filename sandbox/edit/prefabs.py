"""Commands that make and rename prefabs. A prefab keeps its index, which the table and sets of prefabs refer to."""

from __future__ import annotations

from dataclasses import dataclass, replace

from components.store.table import MOST_PREFABS
from components.store.world import World
from sandbox.design.origins import Origins
from sandbox.edit.command import Command, find_prefab
from sandbox.toml.schemas import LONGEST_NAME
from sandbox.undo.world_values import put_prefabs


@dataclass(frozen=True)
class NewPrefab(Command):
    """Copy a prefab under a new name; the copy comes last."""

    name: str
    like: str

    def check(self, world: World) -> None:
        find_prefab(world, self.like)
        _refuse_name(world, self.name)
        if len(world.prefabs) >= MOST_PREFABS:
            raise ValueError(f"there are {len(world.prefabs)} prefabs: a scene has room for {MOST_PREFABS}")

    def apply(self, world: World) -> None:
        world.prefabs[self.name] = replace(world.prefabs[self.like], name=self.name)

    def label(self, world: World) -> str:
        return f"new prefab {self.name}"


@dataclass(frozen=True)
class RenamePrefab(Command):
    """Rename a prefab."""

    name: str
    to: str

    def check(self, world: World) -> None:
        find_prefab(world, self.name)
        if self.to != self.name:
            _refuse_name(world, self.to)

    def apply(self, world: World) -> None:
        prefabs = [replace(p, name=self.to) if p.name == self.name else p for p in world.prefabs.values()]
        put_prefabs(world, prefabs)
        origins = world.resource(Origins)
        origins.entries = [
            (first, end, replace(entry, prefab=self.to) if entry.prefab == self.name else entry)
            for first, end, entry in origins.entries
        ]

    def label(self, world: World) -> str:
        return f"rename {self.name}"


def _refuse_name(world: World, name: object) -> None:
    if not (isinstance(name, str) and name and name.isprintable() and len(name) <= LONGEST_NAME):
        raise ValueError(f"a name must be 1 to {LONGEST_NAME} printable characters")
    if name in world.prefabs:
        raise ValueError(f"there is already a prefab {name!r}")
