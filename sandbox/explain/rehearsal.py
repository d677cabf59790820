"""Runs systems to see what they would do, and rolls the world back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from components.store.savepoint import Savepoint
from components.store.world import World
from sandbox.mods.run.host import ModHost


@contextmanager
def rehearsal(world: World) -> Iterator[Savepoint]:
    """Yield a savepoint; systems may run in the block, and the world is then restored.

    Births and deaths are not carried out. Systems that run by `perform` instead of `process` are not timed.
    """
    savepoint, resources = before_rehearsal(world), dict(world.resources)
    world.enter()
    world.begin_tick()
    try:
        yield savepoint
    finally:
        savepoint.restore(world)
        world.resources.clear()
        world.resources.update(resources)


def before_rehearsal(world: World, before: Savepoint | None = None) -> Savepoint:
    """Take a savepoint without what is switched on or off, so that a mod that fails in a rehearsal stays stopped."""
    savepoint = Savepoint.take(world, before)
    stored = {
        kind: {name: value for name, value in values.items() if not name.endswith(".enabled")}
        for kind, values in savepoint.stored.items()
        if kind is not ModHost
    }
    return replace(savepoint, stored=stored)
