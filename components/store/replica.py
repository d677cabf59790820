"""A copy of a world, which can be read while another thread runs a tick of the world."""

from __future__ import annotations

from components.store.esper_variables import AtWork
from components.store.table import EntityTable
from components.store.world import World


class Replica(World):
    """A copy of a world. A resource with a method `for_readers` is copied by it; all others are shared.

    Handles (`get`, esper's queries) are those of the world itself, and asking for one waits for the end of the tick.

    Attributes:
        original: the world.
    """

    original: World

    def follow(self, world: World) -> None:
        """Become a copy of a world as it is now; what has not changed since the last call is not copied again."""
        self.original = world
        if [*self.table.bit_of] != [*world.table.bit_of] or self.table.axes != world.table.axes:
            self.table = EntityTable(world.table.axes)
        self.table.follow(world.table)
        self.seed, self.tick, self.next_serial = world.seed, world.tick, world.next_serial
        self.prefabs, self.population = dict(world.prefabs), world.population.copy()
        self.resources = {
            kind: thing.for_readers() if hasattr(thing, "for_readers") else thing
            for kind, thing in world.resources.items()
        }

    def enter(self) -> None:
        self.original.enter()

    def at_work(self) -> AtWork:
        return self.original.at_work()
