"""Who comes and who goes, the serial that is given next, and who counts as handled one by one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from components.store.entities import Entities
from components.store.world import MOST_ENTITIES, World
from sandbox.design.origins import Origins
from sandbox.serials import Serials
from sandbox.undo.change import Change
from sandbox.undo.values import renumbered


@dataclass(frozen=True, eq=False)
class Go(Change):
    """Entities end; those already gone are passed over."""

    serials: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.serials)

    def apply(self, world: World) -> None:
        world.despawn(self.serials)

    def renumbered(self, first: int, by: int) -> Go:
        return Go(renumbered(self.serials, first, by))


@dataclass(frozen=True, eq=False)
class Come(Change):
    """Entities come back with their serials and in their whole state, as many as there is room for."""

    entities: Entities

    def __len__(self) -> int:
        return len(self.entities)

    def apply(self, world: World) -> None:
        room = MOST_ENTITIES - world.table.size
        some = self.entities if len(self) <= room else self.entities.only(np.arange(room))
        some.come(world)

    def renumbered(self, first: int, by: int) -> Come:
        return Come(replace(self.entities, serial=renumbered(self.entities.serial, first, by)))


@dataclass(frozen=True)
class NextSerial(Change):
    """The serial that the next entity gets goes back, in the tick in which it went on: nobody can have been born since.

    Later it stays, for no serial is given twice. It goes on again at any time: see `behind`.
    """

    left: int
    value: int
    tick: int

    def apply(self, world: World) -> None:
        if world.next_serial == self.left and (self.value > self.left or world.tick == self.tick):
            world.next_serial = self.value

    def behind(self, world: World) -> int:
        """How many serials were given since it went back: those who are to come again need others."""
        return max(world.next_serial - self.left, 0) if self.value > self.left else 0

    def renumbered(self, first: int, by: int) -> NextSerial:
        shift = by if self.left >= first else 0
        return NextSerial(self.left + shift, self.value + shift, self.tick)


@dataclass(frozen=True)
class Handled(Change):
    """Entities count, or count no longer, as handled one by one."""

    serials: Serials
    handled: bool

    @classmethod
    def between(cls, then: Serials, now: Serials) -> Iterator[Handled]:
        """What makes those who count now those who counted then."""
        for some, others, handled in ((then.array, now.array, True), (now.array, then.array, False)):
            if len(only := some[np.isin(some, others, invert=True)]):
                yield cls(Serials(only), handled)

    def apply(self, world: World) -> None:
        origins, own = world.resource(Origins), self.serials.array
        others = origins.handled.array[np.isin(origins.handled.array, own, invert=True)]
        origins.handled = Serials(np.concatenate([others, own]) if self.handled else others)

    def renumbered(self, first: int, by: int) -> Handled:
        return replace(self, serials=Serials(renumbered(self.serials.array, first, by)))


def handle(world: World, serials: NDArray[np.int64]) -> list[Handled]:
    """Have entities count as handled one by one; returns what takes that back."""
    origins = world.resource(Origins)
    before = origins.handled
    if np.array_equal(before.array, serials):  # a slider is dragged
        return []
    Handled(Serials(serials), True).apply(world)
    return [*Handled.between(before, origins.handled)]
