"""Running systems to see what they would do, and putting everything back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from copy import deepcopy

from components.store.resources import Resource
from components.store.world import World
from systems.engine.pipeline import Phase, System

ADDS_TO_THEM = (Phase.STEER, Phase.MOVE)  # a phase before makes indexes anew: the old ones need no copy


class Kept:
    """What some systems say they write or add to, as it is now: columns, and resources."""

    def __init__(self, world: World, systems: Iterable[System]) -> None:
        """Keep it; `world` must not change its structure until it was put back."""
        self._world = world
        table, systems = world.table, tuple(systems)
        touched = {name for system in systems for name in (*system.writes, *system.adds)}
        names = tuple(f"{name if isinstance(name, str) else name.__name__}." for name in touched)
        keys = [key for key in table.columns if f"{key}.".startswith(names)]
        self._columns = {key: table.columns[key][: table.size].copy() for key in keys}
        changed = {
            kind
            for s in systems
            if s.phase in ADDS_TO_THEM
            for kind in (*s.writes, *s.adds)
            if not isinstance(kind, str)
        }
        self._declared = [(kept, dict(kept.stored)) for kept in world.resources.values() if isinstance(kept, Resource)]
        self._resources = {
            kind: deepcopy(thing) if kind in changed and not isinstance(thing, Resource) else thing
            for kind, thing in world.resources.items()
        }

    def put_back(self) -> None:
        """Make it what it was; once only, for resources are handed out."""
        table = self._world.table
        for key, column in self._columns.items():
            table.columns[key][: table.size] = column
        self._world.resources.clear()
        self._world.resources.update(self._resources)
        for resource, stored in self._declared:
            resource.stored = stored


@contextmanager
def rehearsal(world: World, systems: Iterable[System]) -> Iterator[None]:
    """Let these systems run between two ticks; afterwards the world is as it was.

    Who they have born or dead is not, and no time of theirs is counted if `run` is called, not `process`.
    """
    kept, next_serial = Kept(world, systems), world.next_serial
    world.enter()
    world.begin_tick()
    try:
        yield
    finally:
        world.cancel()
        world.next_serial = next_serial
        kept.put_back()
