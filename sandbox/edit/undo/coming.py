"""Who comes and who goes, the serial that is given next, and who counts as handled one by one."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from components.store.world import MOST_ENTITIES, World
from sandbox.design.origins import Origins
from sandbox.edit.beings import Beings, beings_in, bring_back
from sandbox.edit.undo.change import Change
from sandbox.edit.undo.values import renumbered
from sandbox.serials import Serials


@dataclass(frozen=True, eq=False)
class Go(Change):
    """Entities end; those already gone are passed over."""

    serials: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.serials)

    def apply(self, world: World) -> Come | None:
        rows = world.table.living(self.serials)
        if not len(rows):
            return None
        beings = beings_in(world, rows)
        world.despawn_rows(rows)
        return Come(beings)

    def renumbered(self, first: int, by: int) -> Go:
        return Go(renumbered(self.serials, first, by))


@dataclass(frozen=True, eq=False)
class Come(Change):
    """Entities come back with their serials and in their whole state, as many as there is room for."""

    beings: Beings

    def __len__(self) -> int:
        return len(self.beings)

    def apply(self, world: World) -> Go | None:
        beings = self.beings.at_most(MOST_ENTITIES - world.table.size)
        bring_back(world, beings)
        return Go(beings.serials) if len(beings) else None

    def renumbered(self, first: int, by: int) -> Come:
        kin = tuple(replace(k, serials=renumbered(k.serials, first, by)) for k in self.beings.kin)
        return Come(replace(self.beings, kin=kin))


@dataclass(frozen=True)
class NextSerial(Change):
    """The serial that the next entity gets goes back, in the tick in which it went on: nobody can have been born since.

    Later it stays, for no serial is given twice. It goes on again at any time: see `behind`.
    """

    left: int
    value: int
    tick: int

    def apply(self, world: World) -> NextSerial | None:
        if world.next_serial != self.left or (self.value < self.left and world.tick != self.tick):
            return None
        world.next_serial = self.value
        return NextSerial(self.value, self.left, world.tick)

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

    def apply(self, world: World) -> Handled | None:
        origins = world.resource(Origins)
        known, own = origins.handled.array, self.serials.array
        if self.handled and np.array_equal(known, own):  # a slider is dragged, or many are
            return None
        changing = own[np.isin(own, known, invert=self.handled)]
        if not len(changing):
            return None
        join = np.union1d if self.handled else np.setdiff1d
        origins.handled = Serials(join(known, changing))
        return Handled(Serials(changing), not self.handled)

    def renumbered(self, first: int, by: int) -> Handled:
        return replace(self, serials=Serials(renumbered(self.serials.array, first, by)))
