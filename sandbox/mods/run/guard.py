"""Runs the systems of mods so that they can't damage the world: a failed run is rolled back and becomes a fault."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable
from contextlib import redirect_stdout
from dataclasses import replace
from functools import partial
from pathlib import Path
from traceback import walk_stack
from typing import cast

import numpy as np

from components.store.handles import tables
from components.store.world import World
from sandbox.design.rules import limits_in
from sandbox.mods.find.fault import Fault, TrespassError, fault_of, inside, interrupt_of, text_of
from sandbox.mods.run.guarded_esper import ReadOnlyEsper
from sandbox.mods.run.guarded_table import Access, Draft, GuardedTable
from sandbox.mods.run.guarded_world import READ_ONLY_PHASES, GuardedWorld
from sandbox.mods.run.kept_state import KeptState
from sandbox.warning import filters_kept
from systems.engine.events import carry_out
from systems.engine.measures import Measures
from systems.engine.system import Phase, System

ELSEWHERE = 65536.0  # a second start value for columns that are added to; exact in every dtype of columns
READ_ONLY = re.compile("read-?only")  # in messages of numpy and numba, which don't say which array


class Guard:
    """Runs one system of a mod in one simulation: `system.guard`.

    Attributes:
        ran: whether the system has run, which it does only if entities have the components that it needs.
    """

    def __init__(
        self,
        mod: str,
        folder: Path,
        stop: Callable[[Fault], None],
        tell: Callable[[Fault], object] = lambda fault: None,
    ) -> None:
        """Make a guard.

        Args:
            stop: called with the fault, after the world has been restored to its state before the run.
            tell: called with what the system does and should not, but which doesn't stop it; once for each.
        """
        self.mod, self.folder, self.stop, self.tell = mod, folder, stop, tell
        self._told = set[str]()
        self._esper = ReadOnlyEsper()
        self._adds_only = False  # whether it has been verified
        self.ran = False

    def __call__(self, system: System, world: World) -> None:
        """Run a system; its changes are kept only if it ends without an error.

        Raises:
            KeyboardInterrupt: a person interrupted the program; the run is rolled back, or has taken effect completely.
        """
        if system.phase is Phase.MEASURE and system.name not in world.resource(Measures).wanted:
            return  # only requested measures are computed
        self.ran = True
        world.enter()
        only_look = system.phase in READ_ONLY_PHASES
        at_once = not world.waiting.on and not only_look  # outside a tick: spawns and despawns don't wait for COMMIT
        if at_once:
            world.begin_tick()
        asked, kept, fault = world.asked, KeptState(world, system), None
        may = Access()
        if not only_look:
            writes, adds = names(system.writes), names(system.adds)
            may = Access(writes, adds, (*names(system.reads), *writes, *adds))
        table = self._table(world, may, system)
        try:
            self._run(system, world, table)
            for draft in table.columns.drafts:
                draft.check(world.table)
            self._refuse_setting(system, world, table, may)
            kept.check(only_look)
        except BaseException as error:
            world.take_back(asked)
            kept.put_back()
            if isinstance(error, KeyboardInterrupt):
                raise interrupt_of(error, self.mod, self.folder, where(system, world)) from None
            fault = self._fault(error, system, world, may)
        else:
            _keep(table.columns.drafts, world)
        finally:
            if at_once:
                carry_out(world)
        if fault:
            self.stop(fault)

    def _run(self, system: System, world: World, table: GuardedTable) -> None:
        """Run a system with a guarded world, and with handles that write into the same drafts."""
        lent, worlds = GuardedWorld(world, system, table, partial(self._undeclared_read, system, world)), tables.copy()
        tables.update(dict.fromkeys(list(tables)))  # handles of other worlds can't be used
        tables[world.name] = table
        try:
            with self._esper, np.errstate(), filters_kept(), redirect_stdout(sys.stderr):  # stdout is for commands
                if system.applies(cast(World, lent)):
                    system.run(cast(World, lent))
        finally:
            tables.update({name: worlds[name] for name in list(tables) if name in worlds})
            lent.end()

    def _refuse_setting(self, system: System, world: World, table: GuardedTable, may: Access) -> None:
        """Check once that a system only adds to the columns in `adds`, by running it again from another start value.

        Raises:
            TrespassError: the system sets or scales such a column.
        """
        added = {draft.key: draft for draft in table.columns.drafts if draft.adds}
        if self._adds_only or not added:
            return
        again = self._table(world, may._replace(adds_from=ELSEWHERE), system)
        self._try(system, world, again)
        for draft in again.columns.drafts:
            if draft.key in added and draft.differs(added[draft.key], ELSEWHERE):
                raise TrespassError(
                    f"{draft.key} was set, and {system.name} declares that it only adds to it: "
                    f"use +=, or declare it in `writes`"
                )
        self._adds_only = True

    def _fault(self, error: BaseException, system: System, world: World, may: Access) -> Fault:
        """Return the fault for an exception; if no line of the mod is to blame, its place is that of `run`."""
        fault = fault_of(error, self.mod, self.folder, where(system, world))
        if READ_ONLY.search(text_of(error)):
            right = f"declare it in `writes` or `adds` of {system.name}"
            if system.phase in READ_ONLY_PHASES:
                right = f"{system.phase.name} only measures or draws: write in an earlier phase"
            what = self._undeclared(system, world, may) or "what this line writes to"
            fault = replace(fault, message=f"{what} is read-only: {right}")
        return fault if fault.place else replace(fault, place=place_of(system, self.folder))

    def _undeclared(self, system: System, world: World, may: Access) -> str:
        """Return the first column that a system changes without declaring it: run it again with all writable."""
        table = self._table(world, Access(set=("",)), system)
        try:
            self._try(system, world, table)
        except KeyboardInterrupt:
            raise
        except BaseException:  # the drafts that it has written by then are enough
            pass
        written = (draft.key for draft in table.columns.drafts if draft.is_changed)
        return next((key for key in written if not f"{key}.".startswith(may.set + may.add)), "")

    def _try(self, system: System, world: World, table: GuardedTable) -> None:
        """Run a system once more with the drafts of another table, and undo all its other effects."""
        asked, kept, own = world.asked, KeptState(world, system), dict(vars(system))
        try:
            self._run(system, world, table)
        finally:
            world.take_back(asked)
            kept.put_back()
            vars(system).update(own)

    def _table(self, world: World, may: Access, system: System) -> GuardedTable:
        return GuardedTable(world.table, may, partial(limits_in, world), partial(self._undeclared_read, system, world))

    def _undeclared_read(self, system: System, world: World, what: str) -> None:
        """Tell, once, that a system reads a field or resource that it does not declare, so that order ignores it."""
        if what in self._told or system.phase in READ_ONLY_PHASES:
            return
        self._told.add(what)
        frames = (inside(frame.f_code.co_filename, line, self.folder) for frame, line in walk_stack(None))
        place = next(filter(None, frames), "")
        message = f"{system.name} reads {what}, which it does not declare: add it to `reads`"
        self.tell(Fault(self.mod, place, message, where(system, world)))


def place_of(system: System, folder: Path) -> str:
    """Return where the `run` of a system is, in the form "magnet.py:14"; "" if it is not in the folder."""
    code = getattr(type(system).run, "__code__", None)
    return inside(code.co_filename, code.co_firstlineno, folder) if code else ""


def where(system: System, world: World) -> str:
    return f"system {system.name}, tick {world.tick}"


def _keep(drafts: list[Draft], world: World) -> None:
    """Write all drafts into the world, even if a KeyboardInterrupt comes in between."""
    try:
        for draft in drafts:
            draft.keep(world.table)
    except KeyboardInterrupt:
        for draft in drafts:
            draft.keep(world.table)
        raise


def names(touched: Iterable[type | str]) -> tuple[str, ...]:
    """Return the prefixes of column names for these components and fields, each with a dot at the end."""
    return tuple(f"{name if isinstance(name, str) else name.__name__}." for name in touched)
