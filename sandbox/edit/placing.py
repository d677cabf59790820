"""Placing entities: what an entry of a scene says, or others like some that were copied."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.flock import EVERYONE
from components.store.fields import Kind
from components.store.table import ComponentType, fields_of
from components.store.world import MOST_ENTITIES, World
from sandbox.design.rules import REACH, refuse_broken
from sandbox.design.scene import MOST_GROUP, Entry, spawn_entry
from sandbox.edit.borders import ENDS, PLACE, Columns, inside, shift
from sandbox.edit.command import Command, find, find_prefab
from sandbox.edit.entity_copies import ArchetypeGroup, EntityCopies
from sandbox.edit.entries import check_entry, read_row
from sandbox.edit.moving import offset
from sandbox.edit.queue import CommandQueue
from systems.engine.settings import Settings


@dataclass(frozen=True)
class Spawn(Command):
    """Place entities: what an entry of a scene file says.

    Attributes:
        places: exactly there (u), one each, instead of where the entry says: a row, or a rectangle full.
    """

    entry: Entry
    places: tuple[tuple[float, float], ...] = ()

    @property
    def count(self) -> int:
        """How many it places."""
        return self.entry.entities

    def check(self, world: World) -> None:
        if not isinstance(self.entry, Entry):
            raise ValueError(f"entry = {self.entry!r}: must be an Entry")
        check_entry(world, self.entry)
        _refuse_more_than_fit(world, self.count)
        if not isinstance(self.places, list | tuple):
            raise ValueError(f"places = {self.places!r}: must be a list: [[x, y], [x, y], ...]")
        if self.places and len(self.places) != self.count:
            raise ValueError(f"{len(self.places)} places for {self.count}: there must be one each")
        for place in self.places:
            read_row("places", place, "x", "y")

    def apply(self, world: World) -> None:
        spawn_entry(world, self.entry, self.places)

    def label(self, world: World) -> str:
        return f"place {self.entry.prefab}"


@dataclass(frozen=True)
class Paste(Command):
    """Make others like those that `copy_of` copied, in the state they were in, moved by an offset (u).

    They may come from another world: prefabs are known by their names. The walls of a group have a new one together.
    """

    copies: EntityCopies
    dx: float = 0.0
    dy: float = 0.0

    @property
    def count(self) -> int:
        """How many it places."""
        return len(self.copies)

    def check(self, world: World) -> None:
        offset(self.dx, self.dy)
        if not isinstance(self.copies, EntityCopies):
            raise ValueError("what is pasted must be made by copy_of")
        _refuse_more_than_fit(world, self.count)
        for group in self.copies.groups:
            find_prefab(world, self.copies.prefabs[group.prefab])
            for name, records in group.records.items():
                if find("component", name, world.table.components).record != records.dtype:
                    raise ValueError(f"component {name} has other fields since these were copied: copy them again")
            sees_all = "Perception" in group.records and (group.column(REACH) == EVERYONE).any()
            refuse_broken(world.resource(Settings).edges, group.records, {REACH: EVERYONE} if sees_all else {})

    def apply(self, world: World) -> None:
        first, ranks = world.next_serial, self.copies.serials
        moved = self._moved(world)
        for group, columns in zip(self.copies.groups, moved, strict=True):
            components = [world.table.components[name] for name in group.records]
            values: dict[str, Any] = {**group.values(components), **columns}
            values |= self._sets(world, group, components)
            serials = first + np.searchsorted(ranks, group.serials)
            if "Wall.group" in values:
                values["Wall.group"] = self._groups(group, first)
            world.restore(self.copies.prefabs[group.prefab], serials, components, values)
        world.next_serial += len(ranks)

    def label(self, world: World) -> str:
        return "paste"

    def _moved(self, world: World) -> list[Columns]:
        """The columns of places and walls of each group, moved together."""
        keys = {
            key: [group for group in self.copies.groups if key.split(".")[0] in group.records]
            for key in (*PLACE, *ENDS)
        }
        columns = {
            key: np.concatenate([np.zeros(0, np.float32), *(k.column(key) for k in own)]) for key, own in keys.items()
        }
        settings = world.resource(Settings)
        shift(settings, columns, *offset(self.dx, self.dy))
        columns |= {key: inside(settings, n % 2, columns[key]) for n, key in enumerate(PLACE)}
        found: list[Columns] = [{} for _ in self.copies.groups]
        for key, own in keys.items():
            ends = np.cumsum([len(group.serials) for group in own])
            for group, part in zip(own, np.split(columns[key], ends[:-1]) if own else (), strict=True):
                found[self.copies.groups.index(group)][key] = part
        return found

    def _sets(
        self, world: World, group: ArchetypeGroup, components: list[ComponentType]
    ) -> dict[str, NDArray[np.uint64]]:
        """Sets of prefabs as this world numbers them; those it does not have are left out."""
        names = self.copies.prefabs
        if names == tuple(world.prefabs):
            return {}
        places = {name: place for place, name in enumerate(world.prefabs)}
        found = {}
        for key in (f.key for component in components for f in fields_of(component) if f.kind is Kind.PREFABS):
            masks = group.column(key)
            found[key] = np.zeros(len(masks), np.uint64)
            for before, name in enumerate(names):
                if name in places:
                    bit = masks >> np.uint64(before) & np.uint64(1)
                    found[key] |= bit << np.uint64(places[name])
        return found

    def _groups(self, group: ArchetypeGroup, first: int) -> NDArray[np.int32]:
        """Walls of one group in another one; those of none stay so."""
        groups = group.column("Wall.group")
        old = np.unique(np.concatenate([k.column("Wall.group") for k in self.copies.groups if "Wall" in k.records]))
        new = (first + np.searchsorted(old, groups)) % MOST_GROUP
        return np.where(groups == 0, 0, new).astype(np.int32)


def _refuse_more_than_fit(world: World, count: int) -> None:
    """Raises ValueError where so many have no room beside those who live and those who wait to be placed."""
    waiting = (asked.command for asked in world.resource(CommandQueue).waiting)
    room = MOST_ENTITIES - world.table.size - sum(c.count for c in waiting if isinstance(c, Spawn | Paste))
    if not 0 <= count <= room:
        raise ValueError(f"count = {count}: there is room for {room:,} more entities")
