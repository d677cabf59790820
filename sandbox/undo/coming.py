"""Changes that remove and restore entities, set the next serial, and mark entities as handled individually."""

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
class Remove(Change):
    """Removes entities; serials that no longer live are ignored."""

    serials: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.serials)

    def apply(self, world: World) -> None:
        world.despawn(self.serials)

    def renumbered(self, first: int, by: int) -> Remove:
        return Remove(renumbered(self.serials, first, by))


@dataclass(frozen=True, eq=False)
class Restore(Change):
    """Restores entities with their serials and their whole state, as many as there is room for."""

    entities: Entities

    def __len__(self) -> int:
        return len(self.entities)

    def apply(self, world: World) -> None:
        room = MOST_ENTITIES - world.table.size
        some = self.entities if len(self) <= room else self.entities.only(np.arange(room))
        world.bring(some)

    def renumbered(self, first: int, by: int) -> Restore:
        return Restore(replace(self.entities, serial=renumbered(self.entities.serial, first, by)))


@dataclass(frozen=True)
class NextSerial(Change):
    """Sets the next serial back, but only in the tick in which it was advanced, when nothing can have been born since.

    Later it stays, because no serial is given twice. Advancing it again is always allowed: see `behind`.
    """

    left: int
    value: int
    tick: int

    def apply(self, world: World) -> None:
        if world.next_serial == self.left and (self.value > self.left or world.tick == self.tick):
            world.next_serial = self.value

    def behind(self, world: World) -> int:
        """Return how many serials were given since it was set back; restored entities then need higher ones."""
        return max(world.next_serial - self.left, 0) if self.value > self.left else 0

    def renumbered(self, first: int, by: int) -> NextSerial:
        shift = by if self.left >= first else 0
        return NextSerial(self.left + shift, self.value + shift, self.tick)


@dataclass(frozen=True)
class Handled(Change):
    """Marks entities as handled individually, or removes the mark."""

    serials: Serials
    handled: bool

    @classmethod
    def between(cls, then: Serials, now: Serials) -> Iterator[Handled]:
        """Yield the changes from the present set of handled entities to an earlier one."""
        for some, others, handled in ((then.array, now.array, True), (now.array, then.array, False)):
            if len(only := some[np.isin(some, others, invert=True)]):
                yield cls(Serials(only), handled)

    def apply(self, world: World) -> None:
        origins, own = world.resource(Origins), self.serials.array
        others = origins.handled.array[np.isin(origins.handled.array, own, invert=True)]
        origins.handled = Serials(np.concatenate([others, own]) if self.handled else others)

    def renumbered(self, first: int, by: int) -> Handled:
        return replace(self, serials=Serials(renumbered(self.serials.array, first, by)))


def mark_handled(world: World, serials: NDArray[np.int64]) -> list[Handled]:
    """Mark entities as handled individually; return the changes that undo this."""
    origins = world.resource(Origins)
    before = origins.handled
    if np.array_equal(before.array, serials):  # frequent while a slider is dragged
        return []
    Handled(Serials(serials), True).apply(world)
    return [*Handled.between(before, origins.handled)]
