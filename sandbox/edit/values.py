"""Commands that set values: fields of entities and prefabs, parameters of systems; and enable or disable systems."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from components.store.fields import Field, Stored
from components.store.world import World
from sandbox.design.borders import inside, place_columns
from sandbox.design.field_rules import refuse_broken
from sandbox.design.origins import Origins
from sandbox.edit.command import (
    Command,
    Rows,
    find,
    find_field,
    find_prefab,
    find_system,
    read,
    read_switch,
)
from sandbox.serials import NO_SERIALS, Serials
from systems.engine.settings import Settings
from systems.engine.system import System

NO_PREFABS = ("Position", "Velocity")  # each entity gets its own when it is placed


@dataclass(frozen=True)
class SetField(Command):
    """Set a field ("Flocker.cohesion_strength") of some entities, or of a prefab and all its living members.

    Attributes:
        value: as a scene file writes it.
        serials: the entities, as any sequence or array of serials.
        prefab: the prefab, if there are no serials; None stands for every prefab that has the component.
    """

    key: str
    value: Any
    serials: Serials = NO_SERIALS
    prefab: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "serials", Serials(self.serials))

    def check(self, world: World) -> None:
        declared, stored = self._parsed(world)
        refuse_broken(world.resource(Settings).edges, (), {declared.key: stored})
        if self.prefab is not None:
            find_prefab(world, self.prefab)
        if self.serials and not len(self.serials.rows_in(world.table)):
            raise ValueError(f"there is no entity {self.serials.kept.flat[0]}")

    def apply(self, world: World) -> None:
        declared, stored = self._parsed(world)
        if not self.serials and declared.owner not in NO_PREFABS:
            self._design(world, declared, stored)
        rows, table = self._rows(world, declared), world.table
        for column in declared.columns(table.axes):
            table.write(column, rows, stored)
        here, before = place_columns(table.axes)
        if declared.key in here:
            axis = here.index(declared.key)
            coordinates = inside(world.resource(Settings), axis, table.columns[declared.key][rows])
            table.write(declared.key, rows, coordinates)
            table.write(before[axis], rows, coordinates)

    def label(self, world: World) -> str:
        words = f"set {self.key.split('.', 1)[1].replace('_', ' ')}"
        return f"{words} of {self.prefab}" if self.prefab else words

    @property
    def edits_alone(self) -> Serials:
        return self.serials

    def _design(self, world: World, declared: Field, stored: Stored) -> None:
        """Set the field in prefabs, and in entries that set it; an entry drops it if its prefab has it now."""
        named = [self.prefab] if self.prefab is not None else list(world.prefabs)
        for name in named:
            prefab = world.prefabs[name]
            if declared.owner in prefab.components:
                fields = {**prefab.components[declared.owner], declared.name: stored}
                world.prefabs[name] = replace(prefab, components={**prefab.components, declared.owner: fields})
        entries = list(world.resource(Origins).entries)
        for index, (first, end, entry) in enumerate(entries):
            if entry.prefab in named and declared.key in entry.values:
                values = dict(entry.values)
                if declared.owner in world.prefabs[entry.prefab].components:
                    del values[declared.key]
                else:
                    values[declared.key] = stored
                entries[index] = first, end, replace(entry, values=values)
        world.resource(Origins).entries = entries

    def _rows(self, world: World, declared: Field) -> Rows:
        table = world.table
        if self.serials:
            rows = self.serials.rows_in(table)
            return rows[table.has(rows, table.components[declared.owner])]
        if self.prefab is not None and not world.population[world.prefab_index(self.prefab)]:
            return np.zeros(0, np.int64)
        rows = table.rows(table.components[declared.owner]).astype(np.int64)
        if self.prefab is not None:
            rows = rows[table.prefab[rows] == world.prefab_index(self.prefab)]
        return rows

    def _parsed(self, world: World) -> tuple[Field, Any]:
        declared, names = find_field(world, self.key), {name: n for n, name in enumerate(world.prefabs)}
        return declared, read(self.key, self.value, lambda value: declared.parse(value, names))


@dataclass(frozen=True)
class SetParameter(Command):
    """Set a parameter of a system."""

    system: str
    name: str
    value: Any

    def check(self, world: World) -> None:
        self._parsed(world)

    def apply(self, world: World) -> None:
        setattr(*self._parsed(world))

    def label(self, world: World) -> str:
        return f"set {self.name.replace('_', ' ')} of {self.system}"

    def _parsed(self, world: World) -> tuple[System, str, Stored]:
        system = find_system(world, self.system)
        older = {field.was: field for field in system.parameters.values() if field.was}
        declared = find(f"parameter of system {system.name}", self.name, {**older, **system.parameters})
        stored = read(f"{self.system}.{self.name}", self.value, declared.parse)
        return system, declared.name, stored


@dataclass(frozen=True)
class SetEnabled(Command):
    """Enable or disable a system."""

    system: str
    enabled: bool

    def check(self, world: World) -> None:
        if find_system(world, self.system).essential:
            raise ValueError(f"system {self.system} can't be disabled: the world needs it")
        read_switch(self.system, self.enabled)

    def apply(self, world: World) -> None:
        find_system(world, self.system).enabled = self.enabled

    def label(self, world: World) -> str:
        return f"{'enable' if self.enabled else 'disable'} {self.system}"
