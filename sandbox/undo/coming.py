"""Changes that remove and restore entities, and mark entities as edited individually."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from components.store.entities import Entities
from components.store.world import MOST_ENTITIES, World
from sandbox.design.origins import Origins
from sandbox.serials import Serials


@dataclass(frozen=True, eq=False)
class Remove:
    """Removes entities; serials that no longer live are ignored."""

    serials: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.serials)

    def apply(self, world: World, given: int) -> None:
        world.despawn(self.serials[self.serials < given])


@dataclass(frozen=True, eq=False)
class Restore:
    """Restores entities with their serials and all their values, as many as there is room for.

    Those whose serials were given to others get new ones, and count as edited individually, so that saving a scene
    keeps them.
    """

    entities: Entities

    def __len__(self) -> int:
        return len(self.entities)

    def apply(self, world: World, given: int) -> None:
        room = MOST_ENTITIES - world.table.size
        some = self.entities if len(self) <= room else self.entities.only(np.arange(room))
        world.next_serial = max(world.next_serial, int(some.serial[some.serial < given].max(initial=0)) + 1)
        anew = some.serial >= given
        serial = some.serial.copy()
        serial[anew] = world.next_serial + np.arange(anew.sum())
        world.next_serial += int(anew.sum())
        world.bring(replace(some, serial=serial))
        EditedAlone(Serials(serial[anew]), True).apply(world, world.next_serial)


@dataclass(frozen=True)
class EditedAlone:
    """Marks entities as edited individually, or removes the mark."""

    serials: Serials
    marked: bool

    @classmethod
    def between(cls, then: Serials, now: Serials) -> Iterator[EditedAlone]:
        """Yield the changes from the present set of entities edited individually to an earlier one."""
        for some, others, marked in ((then.array, now.array, True), (now.array, then.array, False)):
            if len(only := some[np.isin(some, others, invert=True)]):
                yield cls(Serials(only), marked)

    def apply(self, world: World, given: int) -> None:
        origins, own = world.resource(Origins), self.serials.array
        own = own[own < given]
        others = origins.edited_alone.array[np.isin(origins.edited_alone.array, own, invert=True)]
        origins.edited_alone = Serials(np.concatenate([others, own]) if self.marked else others)
