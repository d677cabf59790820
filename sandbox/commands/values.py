"""Setting values: of entities and prefabs, of systems, and systems on and off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from components.store.fields import Field, Stored
from components.store.world import World
from sandbox.borders import PLACE, inside
from sandbox.commands.command import (
    Command,
    Rows,
    find_field,
    find_system,
    living,
    refuse_everyone,
    refuse_unknown_parameter,
    refuse_unknown_prefab,
)
from systems.core.pipeline import System
from systems.core.settings import Settings

NO_PREFABS = ("Position", "Velocity")  # whoever is placed gets its own


@dataclass(frozen=True)
class SetField(Command):
    """Set a field ("Flocker.cohesion_strength") of some entities, or of a prefab and all its living members.

    Attributes:
        value: as a scene file writes it.
        serials: the entities; or `prefab`: the prefab; neither: every prefab that has the component.
    """

    key: str
    value: Any
    serials: tuple[int, ...] = ()
    prefab: str | None = None

    def check(self, world: World) -> None:
        declared, stored = self._parsed(world)
        refuse_everyone(world, declared.key, stored)
        if self.prefab is not None:
            refuse_unknown_prefab(world, self.prefab)
        if self.serials and not len(living(world, self.serials)):
            raise ValueError(f"there is no entity {self.serials[0]}")

    def apply(self, world: World) -> None:
        declared, stored = self._parsed(world)
        if not self.serials and declared.owner not in NO_PREFABS:
            for name in self._prefabs(world):
                prefab = world.prefabs[name]
                if declared.owner in prefab.components:
                    fields = {**prefab.components[declared.owner], declared.name: stored}
                    world.prefabs[name] = replace(prefab, components={**prefab.components, declared.owner: fields})
        rows, columns = self._rows(world, declared), world.table.columns
        for column in declared.columns:
            columns[column][rows] = stored
        if declared.key in PLACE:
            axis = PLACE.index(declared.key)
            columns[declared.key][rows] = inside(world.resource(Settings), axis, columns[declared.key][rows])
            columns[PLACE[axis + 2]][rows] = columns[declared.key][rows]

    def label(self, world: World) -> str:
        words = f"set {self.key.split('.', 1)[1].replace('_', ' ')}"
        return f"{words} of {self.prefab}" if self.prefab else words

    def edited(self, world: World) -> tuple[Rows, Sequence[str]]:
        declared, _ = self._parsed(world)
        return self._rows(world, declared), declared.columns

    @property
    def handles(self) -> tuple[int, ...]:
        return self.serials

    def _prefabs(self, world: World) -> list[str]:
        return [self.prefab] if self.prefab is not None else list(world.prefabs)

    def _rows(self, world: World, declared: Field) -> Rows:
        table = world.table
        if self.serials:
            rows = living(world, self.serials)
            return rows[table.has(rows, table.components[declared.owner])]
        rows = table.rows(table.components[declared.owner]).astype(np.int64)
        if self.prefab is not None:
            rows = rows[table.prefab[rows] == world.prefab_index(self.prefab)]
        return rows

    def _parsed(self, world: World) -> tuple[Field, Any]:
        declared = find_field(world, self.key)
        try:
            return declared, declared.parse(self.value, {name: n for n, name in enumerate(world.prefabs)})
        except ValueError as error:
            raise ValueError(f"{self.key} = {self.value!r}: {error}") from None


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
        refuse_unknown_parameter(system, self.name)
        try:
            return system, self.name, system.parameters[self.name].parse(self.value)
        except ValueError as error:
            raise ValueError(f"{self.system}.{self.name} = {self.value!r}: {error}") from None


@dataclass(frozen=True)
class Switch(Command):
    """Switch a system on or off."""

    system: str
    on: bool

    def check(self, world: World) -> None:
        if find_system(world, self.system).essential:
            raise ValueError(f"system {self.system} can't be switched off: the world needs it")
        if not isinstance(self.on, bool):
            raise ValueError(f"{self.system} = {self.on!r}: must be true or false")

    def apply(self, world: World) -> None:
        find_system(world, self.system).enabled = self.on

    def label(self, world: World) -> str:
        return f"switch {self.system} {'on' if self.on else 'off'}"
