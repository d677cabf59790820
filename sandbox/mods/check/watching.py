"""Finds columns that a system changes by force, past its guard: by lifting a view's write protection, or by ctypes.

The columns that a system does not declare are compared before and after each run, which only the check can afford.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from components.store.world import World
from sandbox.mods.find.fault import Fault
from sandbox.mods.run.guard import Guard, names, place_of, where
from systems.engine.system import System


@dataclass
class Watched:
    """A system's guard, and a watch over what the system must not change."""

    guard: Guard

    def __call__(self, system: System, world: World) -> None:
        before, known = _undeclared(system, world), world.table.clocks()
        self.guard(system, world)
        if world.table.clocks() != known:  # outside a tick rows move
            return
        after = _undeclared(system, world)
        if changed := [key for key, value in before.items() if after[key] != value]:
            message = f"{changed[0]} was changed past the guard: declare it in `writes` or `adds` of {system.name}"
            self.guard.stop(Fault(self.guard.mod, place_of(system, self.guard.folder), message, where(system, world)))


@contextmanager
def watched(systems: list[System]) -> Iterator[None]:
    """Watch over the columns in this block."""
    guards: list[tuple[System, Callable[..., Any]]] = [(system, system.guard) for system in systems if system.guard]
    for system, guard in guards:
        if isinstance(guard, Guard):
            system.guard = Watched(guard)
    try:
        yield
    finally:
        for system, guard in guards:
            system.guard = guard


def _undeclared(system: System, world: World) -> dict[str, bytes]:
    """Return a digest of each column that a system does not declare as changed."""
    table, changes = world.table, (*names(system.writes), *names(system.adds))
    columns = {key: column for key, column in table.columns.items() if not f"{key}.".startswith(changes)}
    columns |= {"serial": table.serial, "prefab": table.prefab, "presence": table.presence}
    return {key: hashlib.sha256(column[: table.size].tobytes()).digest() for key, column in columns.items()}
