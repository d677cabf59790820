"""Commands that place entities: those of a scene's entry, or copies of others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.flock import EVERYONE
from components.store.entities import Entities
from components.store.fields import Kind
from components.store.records import item_of
from components.store.savepoint import Savepoint
from components.store.world import MOST_ENTITIES, World
from sandbox.design.borders import ENDS, Columns, inside, move, place_columns
from sandbox.design.field_rules import REACH, refuse_broken
from sandbox.design.origins import Origins
from sandbox.design.scene import MOST_GROUP, Entry, spawn_entry
from sandbox.edit.check_entry import check_entry, check_places
from sandbox.edit.command import Command, find, find_prefab
from sandbox.edit.moving import offset
from sandbox.edit.queue import CommandQueue
from sandbox.serials import Serials
from systems.engine.settings import Settings


@dataclass(frozen=True)
class Spawn(Command):
    """Place the entities of an entry, as in a scene file. A crowd becomes an entry of the scene, and is saved as such.

    Attributes:
        places: an exact place (u) for each entity, instead of the entry's: for rows, or filled rectangles.
    """

    entry: Entry
    places: tuple[tuple[float, ...], ...] = ()

    @property
    def count(self) -> int:
        """The number of entities that it places."""
        return self.entry.population

    def check(self, world: World) -> None:
        if not isinstance(self.entry, Entry):
            raise ValueError(f"entry = {self.entry!r}: must be an Entry")
        check_entry(world, self.entry)
        _refuse_more_than_fit(world, self.count)
        check_places(world, self.places)
        if self.places and len(self.places) != self.count:
            raise ValueError(f"{len(self.places)} places for {self.count}: there must be one each")

    def apply(self, world: World) -> None:
        first = world.next_serial
        spawn_entry(world, self.entry, self.places)
        if self.entry.is_crowd and not self.places:
            origins = world.resource(Origins)
            origins.entries = [*origins.entries, (first, world.next_serial, self.entry)]

    def label(self, world: World) -> str:
        return f"place {self.entry.prefab}"


def copy_of(world: World, serials: Iterable[int] | NDArray[np.int64]) -> Entities:
    """Copy the living entities among these serials, for `Paste`."""
    return Savepoint.take(world).only(Serials(serials).rows_in(world.table))


@dataclass(frozen=True)
class Paste(Command):
    """Make new entities from those that `copy_of` copied, as they were at that time, moved by an offset (u).

    They may come from another world: prefabs are found by name. Each group of walls gets a new group number.
    """

    copies: Entities
    dx: float = 0.0
    dy: float = 0.0
    dz: float = 0.0

    @property
    def count(self) -> int:
        """The number of entities that it places."""
        return len(self.copies)

    def check(self, world: World) -> None:
        offset(world, self.dx, self.dy, self.dz)
        if not isinstance(self.copies, Entities):
            raise ValueError("only values made by copy_of can be pasted")
        _refuse_more_than_fit(world, self.count)
        if self.copies.axes != world.table.axes:
            raise ValueError("what was copied from a flat world can't be pasted into one with depth, nor back")
        for index in np.unique(self.copies.prefab):
            find_prefab(world, self.copies.prefabs[index].name)
        for name, (_, records) in self.copies.records.items():
            find("component", name, world.table.components)
            if world.table.forms[name].record != records.dtype:
                raise ValueError(f"component {name} has changed its fields since these were copied: copy them again")
        sees_all = "Perception" in self.copies.records and (self.copies.column(REACH) == EVERYONE).any()
        for presence in np.unique(self.copies.fitted(world.table).presence):
            own = {component.__name__ for component in world.table.components_in(presence)}
            refuse_broken(world.resource(Settings).edges, own, {REACH: EVERYONE} if sees_all else {})

    def apply(self, world: World) -> None:
        first, copies = world.next_serial, self.copies
        records = {name: kept._replace(values=kept.values.copy()) for name, kept in copies.records.items()}
        forms = world.table.forms
        columns = {key: kept.values[item_of(key)] for name, kept in records.items() for key in forms[name].columns}
        self._move(world, columns)
        known = {prefab.name: index for index, prefab in enumerate(world.prefabs.values())}
        now = np.array([known.get(prefab.name, -1) for prefab in copies.prefabs])
        for name in records:
            for key, field in forms[name].columns.items():
                if field.kind is Kind.PREFABS:
                    columns[key][:] = _renumbered_sets(columns[key], now)
        if "Wall" in records:
            groups = columns["Wall.group"]
            new = (first + np.unique(groups, return_inverse=True)[1]) % MOST_GROUP
            groups[:] = np.where(groups == 0, 0, new)
        serials = np.arange(first, first + len(copies))
        prefabs = now[copies.prefab].astype(np.int32)
        world.bring(replace(copies, serial=serials, prefab=prefabs, records=records))
        world.next_serial += len(copies)

    def label(self, world: World) -> str:
        return "paste"

    def _move(self, world: World, columns: Mapping[str, NDArray[Any]]) -> None:
        """Move positions and walls in these columns by the offset."""
        nothing, settings = np.zeros(0, np.float32), world.resource(Settings)
        places = place_columns(world.table.axes)
        moved: Columns = {key: columns.get(key, nothing) for keys in (*places, ENDS) for key in keys}
        move(settings, moved, offset(world, self.dx, self.dy, self.dz))
        moved |= {key: inside(settings, axis, moved[key]) for keys in places for axis, key in enumerate(keys)}
        for key in moved.keys() & columns.keys():
            columns[key][:] = moved[key]


def _renumbered_sets(masks: NDArray[np.uint64], now: NDArray[np.integer[Any]]) -> NDArray[np.uint64]:
    """Convert sets of prefabs to another world's indexes; `now`: the new index by the old one, -1 if it has none."""
    found = np.zeros(len(masks), np.uint64)
    for before, index in enumerate(now.tolist()):
        if index >= 0:
            found |= (masks >> np.uint64(before) & np.uint64(1)) << np.uint64(index)
    return found


def _refuse_more_than_fit(world: World, count: int) -> None:
    """Raise ValueError if there is no room for so many beside the living and those that waiting commands will place."""
    waiting = (asked.command for asked in world.resource(CommandQueue).waiting)
    room = MOST_ENTITIES - world.table.size - sum(c.count for c in waiting if isinstance(c, Spawn | Paste))
    if not 0 <= count <= room:
        raise ValueError(f"count = {count}: there is room for {room:,} more entities")
