"""Runs the systems of a mod so that none can harm the world: one that fails leaves no trace but its fault."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from components.store.fields import tables
from components.store.world import World
from sandbox.mods.fault import Fault, fault_of
from sandbox.mods.guarded_world import ONLY_LOOK, GuardedWorld
from systems.core.pipeline import System


class Guard:
    """What a mod's systems of one simulation run under: `system.guard`."""

    def __init__(self, mod: str, folder: Path, stop: Callable[[Fault], None]) -> None:
        """`stop` is called with what went wrong, once the world is as it was before the system ran."""
        self.mod, self.folder, self.stop = mod, folder, stop

    def __call__(self, system: System, world: World) -> None:
        """Run a system; what it did counts only if it ends well.

        Raises:
            KeyboardInterrupt: a person ended the program.
        """
        world.enter()
        alone = not world.waits and system.phase not in ONLY_LOOK
        if alone:
            world.begin_tick()
        asked, lent = world.asked, GuardedWorld(world, system, _writable(system))
        tables[world.name] = lent.table
        try:
            system.run(cast(World, lent))
            for draft in lent.table.columns.drafts:
                draft.check(world.table)
        except BaseException as error:
            world.take_back(asked)
            if isinstance(error, KeyboardInterrupt):
                raise
            self.stop(fault_of(error, self.mod, self.folder, f"system {system.name}, tick {world.tick}"))
        else:
            for draft in lent.table.columns.drafts:
                draft.keep()
        finally:
            lent.end()
            tables[world.name] = world.table
            if alone:
                world.commit()


def _writable(system: System) -> tuple[str, ...]:
    """What the names of the columns begin with that a system may write."""
    names: tuple[Any, ...] = (*system.writes, *system.adds)
    return tuple(f"{name if isinstance(name, str) else name.__name__}." for name in names)
