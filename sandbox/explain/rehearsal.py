"""Running systems to see what they would do, and putting everything back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from components.store.savepoint import Savepoint
from components.store.world import World


@contextmanager
def rehearsal(world: World) -> Iterator[Savepoint]:
    """Let systems run between two ticks; afterwards the world is as it was, which the savepoint holds.

    Nobody is born or dies, and no time of theirs is counted if `perform` is called, not `process`.
    """
    savepoint, resources = Savepoint.take(world), dict(world.resources)
    world.enter()
    world.begin_tick()
    try:
        yield savepoint
    finally:
        savepoint.restore(world)
        world.resources.clear()
        world.resources.update(resources)
