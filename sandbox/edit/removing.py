"""Commands that remove entities."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from components.store.declare import number
from components.store.world import World
from sandbox.edit.command import Command, find_prefab, read, refuse_depth
from sandbox.edit.touched import touched
from sandbox.serials import Serials

FINITE = number(0, "u", -1e9, 1e9, "a place or a radius")


@dataclass(frozen=True)
class Despawn(Command):
    """Remove these entities, given as any sequence or array of serials; serials that no longer live are ignored."""

    serials: Serials

    def __post_init__(self) -> None:
        object.__setattr__(self, "serials", Serials(self.serials))

    def apply(self, world: World) -> None:
        world.despawn_rows(self.serials.rows_in(world.table))

    def label(self, world: World) -> str:
        return "remove"


@dataclass(frozen=True)
class Erase(Command):
    """Remove entities, of one prefab or of all, whose position or part of whose wall lies within a circle (u).

    With `z`, in a world with depth, it is a ball; without it the circle goes through the whole depth.
    """

    x: float
    y: float
    radius: float
    prefab: str | None = None
    z: float | None = None

    def check(self, world: World) -> None:
        for name in ("x", "y", "radius"):
            read(name, getattr(self, name), FINITE.parse)
        if self.z is not None:
            read("z", self.z, FINITE.parse)
            refuse_depth(world, "z", self.z)
        if self.prefab is not None:
            find_prefab(world, self.prefab)

    def apply(self, world: World) -> None:
        place = (self.x, self.y) if self.z is None else (self.x, self.y, self.z)[: len(world.table.axes)]
        rows = touched(world, place, self.radius)
        if self.prefab is not None:
            rows = rows[world.table.prefab[rows] == world.prefab_index(self.prefab)]
        world.despawn_rows(rows)

    def label(self, world: World) -> str:
        return "erase" if self.prefab is None else f"erase {self.prefab}"


@dataclass(frozen=True)
class Clear(Command):
    """Remove all entities, or all of one prefab."""

    prefab: str | None = None

    def check(self, world: World) -> None:
        if self.prefab is not None:
            find_prefab(world, self.prefab)

    def apply(self, world: World) -> None:
        table = world.table
        rows = np.arange(table.size)
        if self.prefab is not None:
            rows = np.flatnonzero(table.prefab[: table.size] == world.prefab_index(self.prefab))
        world.despawn_rows(rows)

    def label(self, world: World) -> str:
        return f"clear {self.prefab or 'everything'}"
