"""A rehearsal: systems run in a world as if time went on, one by one, and then the world is as it was."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from components.store.savepoint import Savepoint
from components.store.world import World
from sandbox.edit.queue import Commands
from sandbox.mods.run.host import ModHost
from systems.engine.events import Events
from systems.engine.pipeline import Pipeline
from systems.engine.system import Phase, System


@contextmanager
def rehearsal(world: World) -> Iterator[Savepoint]:
    """Yield a savepoint; systems may run in the block, and the world is then restored.

    Systems that run by `perform` instead of `process` are not timed.
    """
    with world.at_work():
        savepoint, resources = before_rehearsal(world), dict(world.resources)
        if Events in resources:
            world.resources[Events] = resources[Events].for_readers()
        world.begin_tick()
        try:
            yield savepoint
        finally:
            savepoint.restore(world)
            world.resources.clear()
            world.resources.update(resources)


def before_rehearsal(world: World, before: Savepoint | None = None) -> Savepoint:
    """Take a savepoint without what is enabled or not, so that a mod that fails in a rehearsal stays stopped."""
    savepoint = Savepoint.take(world, before)
    stored = {
        kind: {name: value for name, value in values.items() if not name.endswith(".enabled")}
        for kind, values in savepoint.stored.items()
        if kind is not ModHost
    }
    return replace(savepoint, stored=stored)


def in_tick(world: World) -> list[System]:
    """Return the systems of a tick in their order, without the one that carries out commands."""
    systems = world.resource(Pipeline).systems
    return [s for s in systems if s.phase is not Phase.RENDER and not isinstance(s, Commands)]


def one_by_one(world: World, systems: Iterable[System]) -> Iterator[System]:
    """Run systems in a rehearsal, and yield each after it has run."""
    for system in systems:
        with world.at_work():
            system.perform(world)
        yield system
