"""Runs the systems of mods: what a run changes reaches the world only if it ends without an error.

While it runs, the world's table shows drafts of the components that the system declares as changed, and all others
read-only. An error is told with the mod, the file and the line, and the world goes on as if the system had not run.

numba writes into read-only records too. So the components that a system only reads are copies in its first run, and
compared afterwards; `boids mod check` does so in each run, for all components.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import ClassVar

import numpy as np

from components.store.world import World
from sandbox.design.field_rules import limits_in
from sandbox.mods.find.fault import Fault, fault_of, inside, interrupt_of, text_of
from sandbox.mods.run.before import Before
from sandbox.mods.run.draft import Draft
from sandbox.mods.run.request import ONLY_LOOKING, Requests
from sandbox.warning import filters_kept
from systems.engine.events import carry_out
from systems.engine.measures import Measures
from systems.engine.system import Phase, System

READ_ONLY = re.compile("read-only|Cannot modify readonly")  # of numpy and of numba, which don't say which array

Stop = Callable[[World, System, Fault], None]


class Guard:
    """Runs one system of a mod: `system.guard`.

    Attributes:
        strict: whether it compares what the system does not declare after each run, and not only after the first.
        ran: whether the system was to run, which it is only if entities have the components that it needs.
        working: the guard whose system runs now, in any thread.
    """

    strict: ClassVar[bool] = False
    working: ClassVar[Guard | None] = None

    def __init__(self, mod: str, folder: Path, stop: Stop) -> None:
        """Make a guard.

        Args:
            folder: that of the mod's files.
            stop: called with the fault, after the world has been restored to its state before the run.
        """
        self.mod, self.folder, self.stop = mod, folder, stop
        self.ran = False
        self._compared = False  # whether a run was compared
        self._drafts: dict[str, Draft] = {}

    def __call__(self, system: System, world: World) -> None:
        """Run a system; its changes are kept only if it ends without an error.

        Raises:
            KeyboardInterrupt: a person interrupted the program; the run is rolled back, or has taken effect completely.
        """
        if system.phase is Phase.MEASURE and system.name not in world.resource(Measures).wanted:
            return  # only requested measures are computed
        self.ran = True
        world.enter()
        at_once = not world.waiting.on  # outside a tick
        world.begin_tick()
        before, fault, applied, compares = Before(world, system), None, True, self.strict or not self._compared
        Guard.working = self
        try:
            drafts = self._begun(system, world, compares)
            applied = self.run(system, world, drafts)
            for draft in drafts:
                if compares:
                    draft.check_others(world.table, system.name)
                draft.check(world.table, partial(limits_in, world))
            before.check()
            self.check(system, world, drafts)
            Guard.working = None
        except BaseException as error:
            before.put_back()
            if isinstance(error, KeyboardInterrupt):
                raise interrupt_of(error, self.mod, self.folder, where(system, world)) from None
            fault = self._fault(error, system, world)
        else:
            if applied:
                self._compared = True
                _keep(drafts, world)
        finally:
            Guard.working = None
            world.enter()
            if applied:
                world.table.changed(*system.changes)  # also what was computed from a draft that is dropped
            if at_once and system.phase in ONLY_LOOKING:
                world.cancel()
            elif at_once:
                carry_out(world)
        if fault:
            self.stop(world, system, fault)

    def _begun(self, system: System, world: World, compares: bool) -> list[Draft]:
        """Return the drafts of a run, filled: of what the system changes, or of all that will be compared."""
        looks, known = system.phase in ONLY_LOOKING, world.table.components
        names: Iterable[str] = () if looks else system.changes
        if compares:
            names = known if self.strict else system.components
        drafts = []
        for name in (name for name in names if name in known):
            form = world.table.forms[name]  # another one, if the world has got depth or lost it
            if name not in self._drafts or self._drafts[name].form is not form:
                self._drafts[name] = Draft(known[name], form, *((), ()) if looks else (system.writes, system.adds))
            drafts.append(self._drafts[name])
            drafts[-1].begin(world.table)
        return drafts

    def check(self, system: System, world: World, drafts: list[Draft]) -> None:
        """Check what `boids mod check` alone does."""

    def run(self, system: System, world: World, drafts: list[Draft]) -> bool:
        """Run a system once, in a world that shows these drafts; return whether there was anything to do."""
        columns = {key: column for draft in drafts for key, column in draft.columns.items()}
        with (
            world.table.showing({draft.name: draft.shown for draft in drafts}, columns),
            _requests_checked(world, system),
            np.errstate(),
            filters_kept(),
            redirect_stdout(sys.stderr),  # stdout is for commands
            self.watching(system, world),
        ):
            if applied := system.applies(world):
                system.run(world)
        return applied

    @contextmanager
    def watching(self, system: System, world: World) -> Iterator[None]:
        """Watch over a run, as `boids mod check` alone does."""
        yield

    def _fault(self, error: BaseException, system: System, world: World) -> Fault:
        """Return the fault for an exception; if no line of the mod is to blame, its place is that of `run`."""
        fault = fault_of(error, self.mod, self.folder, where(system, world))
        if READ_ONLY.search(text_of(error)):
            right = f"declare it in `writes` or `adds` of {system.name}"
            if system.phase in ONLY_LOOKING:
                right = f"{system.phase.name} only measures or draws: write in an earlier phase"
            fault = replace(fault, message=f"what this line writes to is read-only: {right}")
        return fault if fault.place else replace(fault, place=place_of(system, self.folder))


def place_of(system: System, folder: Path) -> str:
    """Return where the `run` of a system is, in the form "magnet.py:14"; "" if it is not in the folder."""
    code = getattr(type(system).run, "__code__", None)
    return inside(code.co_filename, code.co_firstlineno, folder) if code else ""


def where(system: System, world: World) -> str:
    return f"system {system.name}, tick {world.tick}"


@contextmanager
def _requests_checked(world: World, system: System) -> Iterator[None]:
    waiting = world.waiting
    accept, waiting.accept = waiting.accept, Requests(world, system).accept
    try:
        yield
    finally:
        waiting.accept = accept


def _keep(drafts: list[Draft], world: World) -> None:
    """Write all drafts into the world, even if a KeyboardInterrupt comes in between."""
    try:
        for draft in drafts:
            draft.keep(world.table)
    except KeyboardInterrupt:
        for draft in drafts:
            draft.keep(world.table)
        raise
