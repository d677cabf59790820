"""Runs the systems of a mod so that none can harm the world: one that fails leaves no trace but its fault."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable
from contextlib import redirect_stdout
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import cast

import numpy as np

from components.store.handles import tables
from components.store.world import World
from sandbox.design.rules import limits_in
from sandbox.mods.find.fault import Fault, TrespassError, fault_of, inside, interrupt_of, text_of
from sandbox.mods.run.guarded_esper import LookingOnly
from sandbox.mods.run.guarded_table import Draft, GuardedTable, MayWrite
from sandbox.mods.run.guarded_world import ONLY_LOOK, GuardedWorld
from sandbox.mods.run.kept_state import KeptState
from systems.engine.measures import Measures
from systems.engine.system import Phase, System

ELSEWHERE = 65536.0  # exact in every kind of column
READ_ONLY = re.compile("read-?only")  # numpy and numba say so, and not of which array


class Guard:
    """What a mod's system of one simulation runs under: `system.guard`.

    Attributes:
        ran: it was called, and what the system needs was there.
    """

    def __init__(self, mod: str, folder: Path, stop: Callable[[Fault], None]) -> None:
        """`stop` is called with what went wrong, once the world is as it was before the system ran."""
        self.mod, self.folder, self.stop = mod, folder, stop
        self._looking_only = LookingOnly()
        self._adds_only = False  # seen to be true
        self.ran = False

    def __call__(self, system: System, world: World) -> None:
        """Run a system; what it did counts only if it ends well.

        Raises:
            KeyboardInterrupt: a person ended the program; the system has not run.
        """
        if system.phase is Phase.MEASURE and system.name not in world.resource(Measures).wanted:
            return  # only requested measures are computed
        self.ran = True
        world.enter()
        only_look = system.phase in ONLY_LOOK
        at_once = not world.waits and not only_look  # what it asks for need not wait for COMMIT
        if at_once:
            world.begin_tick()
        asked, kept, fault = world.asked, KeptState(world, system), None
        may = MayWrite() if only_look else MayWrite(_names(system.writes), _names(system.adds))
        table = self._table(world, may)
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
                raise interrupt_of(error, self.mod, self.folder, _where(system, world)) from None
            fault = self._fault(error, system, world, may)
        else:
            _keep(table.columns.drafts, world)
        finally:
            if at_once:
                world.commit()
        if fault:
            self.stop(fault)

    def _run(self, system: System, world: World, table: GuardedTable) -> None:
        """Run a system in a world that it can't harm, and by handles that write into the same drafts."""
        lent, worlds = GuardedWorld(world, system, table), tables.copy()
        tables.update(dict.fromkeys(list(tables)))  # the handles of other worlds are not lent
        tables[world.name] = table
        try:
            with self._looking_only, np.errstate(), redirect_stdout(sys.stderr):  # the answer of a command is no mod's
                system.run(cast(World, lent))
        finally:
            tables.update({name: worlds[name] for name in list(tables) if name in worlds})
            lent.end()

    def _refuse_setting(self, system: System, world: World, table: GuardedTable, may: MayWrite) -> None:
        """See once that what a system adds doesn't depend on what it adds to: run it again, from another number.

        Raises:
            TrespassError: it sets or scales the column.
        """
        added = {draft.key: draft for draft in table.columns.drafts if draft.adds}
        if self._adds_only or not added:
            return
        again = self._table(world, may._replace(adds_from=ELSEWHERE))
        self._try(system, world, again)
        for draft in again.columns.drafts:
            if draft.key in added and draft.differs(added[draft.key], ELSEWHERE):
                raise TrespassError(
                    f"{draft.key} was set, and {system.name} declares that it only adds to it: "
                    f"use +=, or declare it in `writes`"
                )
        self._adds_only = True

    def _fault(self, error: BaseException, system: System, world: World, may: MayWrite) -> Fault:
        """What went wrong; where no line of the mod is to blame, it is where its `run` begins."""
        fault = fault_of(error, self.mod, self.folder, _where(system, world))
        if READ_ONLY.search(text_of(error)):
            right = f"declare it in `writes` or `adds` of {system.name}"
            if system.phase in ONLY_LOOK:
                right = f"{system.phase.name} only measures or draws: write in an earlier phase"
            what = self._undeclared(system, world, may) or "what this line writes to"
            fault = replace(fault, message=f"{what} is read-only: {right}")
        code = getattr(type(system).run, "__code__", None)
        if fault.place or code is None:
            return fault
        return replace(fault, place=inside(code.co_filename, code.co_firstlineno, self.folder))

    def _undeclared(self, system: System, world: World, may: MayWrite) -> str:
        """The first column that a system changes and may not: it runs again, and may write into all of them."""
        table = self._table(world, MayWrite(set=("",)))
        try:
            self._try(system, world, table)
        except KeyboardInterrupt:
            raise
        except BaseException:  # it gets no farther
            pass
        written = (draft.key for draft in table.columns.drafts if draft.is_changed)
        return next((key for key in written if not f"{key}.".startswith(may.set + may.add)), "")

    def _try(self, system: System, world: World, table: GuardedTable) -> None:
        """Run a system again, with drafts of another table, and without another trace."""
        asked, kept, own = world.asked, KeptState(world, system), dict(vars(system))
        try:
            self._run(system, world, table)
        finally:
            world.take_back(asked)
            kept.put_back()
            vars(system).update(own)

    def _table(self, world: World, may: MayWrite) -> GuardedTable:
        return GuardedTable(world.table, may, partial(limits_in, world))


def _where(system: System, world: World) -> str:
    return f"system {system.name}, tick {world.tick}"


def _keep(drafts: list[Draft], world: World) -> None:
    """Make them what the world holds, all of them even when someone interrupts."""
    try:
        for draft in drafts:
            draft.keep(world.table)
    except KeyboardInterrupt:
        for draft in drafts:
            draft.keep(world.table)
        raise


def _names(touched: Iterable[type | str]) -> tuple[str, ...]:
    """What the names of these columns begin with."""
    return tuple(f"{name if isinstance(name, str) else name.__name__}." for name in touched)
