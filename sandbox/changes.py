"""What takes a change of the world back.

Each of these changes one thing and returns what takes that back in turn: so undoing yields what is to be redone, and
the other way round. What is no longer as it was left stays as it is, for time goes on while people change their minds.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from components.store.fields import Kind
from components.store.table import fields_of
from components.store.world import Prefab, World
from sandbox.beings import Beings, beings_in, bring_back
from sandbox.borders import someone_sees_everyone
from sandbox.columns import renumbered
from sandbox.origins import Origins
from sandbox.scene import MOST_ENTITIES
from systems.core.pipeline import Pipeline
from systems.core.settings import Settings

Serials = NDArray[np.int64]


class Change(Protocol):
    """Changes one thing; `apply` returns what takes it back, or None where nothing changed."""

    @property
    def about(self) -> Hashable:
        """What it changes: two that are about the same, and no coming or going between them, can be one."""

    def apply(self, world: World) -> Change | None: ...

    def followed_by(self, later: Any) -> Change | None:
        """What does both: `later` first, for it takes back what was done later. None where that is nothing."""

    def renumbered(self, first: int, by: int) -> Change:
        """The same for entities whose serials, from `first` on, are so many higher."""


@dataclass(frozen=True, eq=False)
class Go:
    """Entities end; those already gone are passed over."""

    serials: Serials
    about = None

    def apply(self, world: World) -> Come | None:
        rows = world.table.rows_of(self.serials)
        rows = rows[rows >= 0]
        if not len(rows):
            return None
        beings = beings_in(world, rows)
        world.despawn_rows(rows)
        return Come(beings)

    def followed_by(self, later: Go) -> Go:
        return Go(np.concatenate([self.serials, later.serials]))

    def renumbered(self, first: int, by: int) -> Go:
        return Go(renumbered(self.serials, first, by))


@dataclass(frozen=True, eq=False)
class Come:
    """Entities come back with their serials and in their whole state, as many as there is room for."""

    beings: Beings
    about = None

    def apply(self, world: World) -> Go | None:
        beings = self.beings.at_most(MOST_ENTITIES - world.table.size)
        bring_back(world, beings)
        return Go(beings.serials) if len(beings) else None

    def followed_by(self, later: Come) -> Come:
        return Come(replace(later.beings, kin=later.beings.kin + self.beings.kin))

    def renumbered(self, first: int, by: int) -> Come:
        kin = tuple(replace(k, serials=renumbered(k.serials, first, by)) for k in self.beings.kin)
        return Come(replace(self.beings, kin=kin))


@dataclass(frozen=True)
class NextSerial:
    """The serial that the next entity gets goes back, in the tick in which it went on: nobody can have been born since.

    Later it stays, for no serial is given twice. It goes on again at any time: see `behind`.
    """

    left: int
    value: int
    tick: int
    about = None

    def apply(self, world: World) -> NextSerial | None:
        if world.next_serial != self.left or (self.value < self.left and world.tick != self.tick):
            return None
        world.next_serial = self.value
        return NextSerial(self.value, self.left, world.tick)

    def behind(self, world: World) -> int:
        """How many serials were given since it went back: those who are to come again need others."""
        return max(world.next_serial - self.left, 0) if self.value > self.left else 0

    def followed_by(self, later: NextSerial) -> NextSerial:
        return NextSerial(later.left, self.value, later.tick)

    def renumbered(self, first: int, by: int) -> NextSerial:
        shift = by if self.left >= first else 0
        return NextSerial(self.left + shift, self.value + shift, self.tick)


@dataclass(frozen=True)
class Handled:
    """Entities count, or count no longer, as handled one by one."""

    serials: frozenset[int]
    handled: bool
    about = None

    def apply(self, world: World) -> Handled | None:
        known = world.resource(Origins).handled
        changing = self.serials - known if self.handled else self.serials & known
        if self.handled:
            known |= changing
        else:
            known -= changing
        return Handled(frozenset(changing), not self.handled) if changing else None

    def followed_by(self, later: Handled) -> Handled:
        return Handled(self.serials | later.serials, self.handled)

    def renumbered(self, first: int, by: int) -> Handled:
        return replace(self, serials=frozenset(s + by if s >= first else s for s in self.serials))


@dataclass(frozen=True)
class Setting:
    """A value that belongs to no entity.

    Attributes:
        place: whose it is ("world", "settings", "origins", or "system" and its name) and what it is called.
    """

    place: tuple[str, ...]
    left: Any
    value: Any

    @property
    def about(self) -> tuple[str, ...]:
        return self.place

    def apply(self, world: World) -> Setting | None:
        owner, name = _owner(world, self.place), self.place[-1]
        if getattr(owner, name) != self.left:
            return None
        if self.value == "wrap" and someone_sees_everyone(world):
            return None  # they came since, and a torus has no middle
        setattr(owner, name, self.value)
        return Setting(self.place, self.value, self.left)

    def followed_by(self, later: Setting) -> Setting | None:
        both = replace(later, value=self.value) if later.value == self.left else later
        return both if both.left != both.value else None

    def renumbered(self, first: int, by: int) -> Setting:
        return self


@dataclass(frozen=True)
class PrefabAt:
    """The prefab at a place becomes another one; None: there is none. One that the living need stays."""

    place: int
    left: Prefab | None
    value: Prefab | None

    @property
    def about(self) -> int:
        return self.place

    def apply(self, world: World) -> PrefabAt | None:
        prefabs = list(world.prefabs.values())
        now = prefabs[self.place] if self.place < len(prefabs) else None
        if now != self.left or self.place > len(prefabs):
            return None
        if self.value is None and (self.place < len(prefabs) - 1 or _needs_prefab(world, self.place)):
            return None
        prefabs[self.place : self.place + 1] = [] if self.value is None else [self.value]
        if len({prefab.name for prefab in prefabs}) < len(prefabs):
            return None
        put_prefabs(world, prefabs)
        return PrefabAt(self.place, self.value, self.left)

    def followed_by(self, later: PrefabAt) -> PrefabAt | None:
        both = replace(later, value=self.value) if later.value == self.left else later
        return both if both.left != both.value else None

    def renumbered(self, first: int, by: int) -> PrefabAt:
        return self


def put_prefabs(world: World, prefabs: list[Prefab]) -> None:
    """Let these be the world's prefabs, in this order."""
    world.prefabs.clear()
    world.prefabs.update({prefab.name: prefab for prefab in prefabs})


def settings_of(world: World) -> dict[tuple[str, ...], Any]:
    """Every value that `Setting` can change, by its place."""
    found: dict[tuple[str, ...], Any] = {("world", "seed"): world.seed}
    found[("origins", "entries")] = world.resource(Origins).entries
    found |= {("settings", name): value for name, value in vars(world.resource(Settings)).items()}
    for system in world.resource(Pipeline).systems:
        found |= {("system", system.name, name): getattr(system, name) for name in ("enabled", *system.parameters)}
    return found


def _owner(world: World, place: tuple[str, ...]) -> Any:
    if place[0] == "system":
        return world.resource(Pipeline).by_name[place[1]]
    return {"world": world, "settings": world.resource(Settings), "origins": world.resource(Origins)}[place[0]]


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
