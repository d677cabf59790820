"""Runs the systems of a mod so that none can harm the world: one that fails leaves no trace but its fault."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np

from components.store.fields import tables
from components.store.world import World
from sandbox.mods.fault import Fault, fault_of, inside, interrupt_of
from sandbox.mods.guarded_esper import LookingOnly
from sandbox.mods.guarded_table import Draft, GuardedTable
from sandbox.mods.guarded_world import ONLY_LOOK, GuardedWorld
from sandbox.mods.kept_state import KeptState
from sandbox.mods.reading_only import read_only_columns
from systems.core.measures import Measures
from systems.core.pipeline import Phase, System


class Guard:
    """What a mod's systems of one simulation run under: `system.guard`."""

    def __init__(self, mod: str, folder: Path, stop: Callable[[Fault], None]) -> None:
        """`stop` is called with what went wrong, once the world is as it was before the system ran."""
        self.mod, self.folder, self.stop = mod, folder, stop
        self._looking_only = LookingOnly()

    def __call__(self, system: System, world: World) -> None:
        """Run a system; what it did counts only if it ends well.

        Raises:
            KeyboardInterrupt: a person ended the program; the system has not run.
        """
        if system.phase is Phase.MEASURE and system.name not in world.resource(Measures).wanted:
            return  # what nobody wants is not made
        world.enter()
        only_look = system.phase in ONLY_LOOK
        at_once = not world.waits and not only_look  # what it asks for need not wait for COMMIT
        if at_once:
            world.begin_tick()
        asked, kept, fault = world.asked, KeptState(world, system), None
        table = GuardedTable(world.table, () if only_look else _writable(system), len(world.prefabs))
        try:
            self._run(system, world, table)
            for draft in table.columns.drafts:
                draft.check(world.table)
            kept.check(only_look)
        except BaseException as error:
            world.take_back(asked)
            kept.put_back()
            if isinstance(error, KeyboardInterrupt):
                raise interrupt_of(error, self.mod, self.folder, _where(system, world)) from None
            fault = self._fault(error, system, world, table)
        else:
            _keep(table.columns.drafts)
        finally:
            if at_once:
                world.commit()
        if fault:
            self.stop(fault)

    def _run(self, system: System, world: World, table: GuardedTable) -> None:
        """Run a system in a world that it can't harm, and by handles that write into the same drafts."""
        lent = GuardedWorld(world, system, table)
        tables[world.name] = table
        try:
            with self._looking_only, np.errstate(), redirect_stdout(sys.stderr):  # the answer of a command is no mod's
                system.run(cast(World, lent))
        finally:
            tables[world.name] = world.table
            lent.end()

    def _fault(self, error: BaseException, system: System, world: World, table: GuardedTable) -> Fault:
        """What went wrong; where no line of the mod is to blame, it is where its `run` begins."""
        fault = fault_of(error, self.mod, self.folder, _where(system, world))
        columns = read_only_columns(error, table.columns.for_reading, self.folder)
        if columns is not None:
            right = f"declare it in `writes` or `adds` of {system.name}"
            if system.phase in ONLY_LOOK:
                right = f"{system.phase.name} runs whenever someone looks, write in a phase before"
            what = " or ".join(columns) or "what this line writes to"
            fault = replace(fault, message=f"{what} is for reading only: {right}")
        code = getattr(type(system).run, "__code__", None)
        if fault.place or code is None:
            return fault
        return replace(fault, place=inside(code.co_filename, code.co_firstlineno, self.folder))


def _where(system: System, world: World) -> str:
    return f"system {system.name}, tick {world.tick}"


def _keep(drafts: list[Draft]) -> None:
    """Make them what the world holds, all of them even when someone interrupts."""
    try:
        for draft in drafts:
            draft.keep()
    except KeyboardInterrupt:
        for draft in drafts:
            draft.keep()
        raise


def _writable(system: System) -> tuple[str, ...]:
    """What the names of the columns begin with that a system may write."""
    names: tuple[Any, ...] = (*system.writes, *system.adds)
    return tuple(f"{name if isinstance(name, str) else name.__name__}." for name in names)
