"""The guard of `boids mod check`: it also finds what no run may do, and what takes too long to look for in each tick.

These are: what a system reads and does not declare, also by esper's queries; columns, rows and prefabs that it changes
by force or through a kernel; a column that it sets although it says that it only adds; changes of esper.
"""

from __future__ import annotations

from collections import UserDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy, deepcopy
from traceback import walk_stack
from typing import Any

import numpy as np

from components.store.esper_variables import summary
from components.store.resources import Resource
from components.store.world import World
from sandbox.mods.find.fault import Fault, TrespassError, inside
from sandbox.mods.run.before import OF_PEOPLE, Before
from sandbox.mods.run.draft import Draft
from sandbox.mods.run.guard import Guard, where
from sandbox.mods.run.request import ONLY_LOOKING
from systems.engine.events import Events
from systems.engine.measures import Measures
from systems.engine.system import System

ELSEWHERE = 65536.0  # a second start value for columns that are added to; exact in every dtype of columns


class StrictGuard(Guard):
    """Runs one system of a mod, and watches over all that it touches.

    Attributes:
        hints: what the system reads and does not declare; it goes on nevertheless.
    """

    strict = True

    def __init__(self, system: System) -> None:
        """Make a guard in the place of the one that the system has."""
        assert isinstance(system.guard, Guard)
        super().__init__(system.guard.mod, system.guard.folder, system.guard.stop)
        system.guard = self
        self.hints: dict[str, Fault] = {}
        self._adds_only = False  # whether it has been verified

    @contextmanager
    def watching(self, system: System, world: World) -> Iterator[None]:
        table, real, before = world.table, world.resources, _rest(world)
        shapes = {key: (column.dtype, column.shape) for key, column in table.columns.items()}

        def see(what: str) -> None:
            declared = (*system.reads, *system.writes, *system.adds)
            names = [f"{name if isinstance(name, str) else name.__name__}." for name in declared]
            if not any(f"{what}.".startswith(name) or name.startswith(f"{what}.") for name in names):
                self._hint(system, world, what)

        def see_resource(kind: Any) -> None:
            if kind not in (Measures, Events) and not (isinstance(kind, type) and issubclass(kind, Resource)):
                raise TrespassError(
                    f"{getattr(kind, '__name__', kind)} is not for mods: resources are those of sandbox.api, and what "
                    f"@resource declares"
                )
            if kind not in OF_PEOPLE:
                see(kind.__name__)

        columns = table.columns = Seen(table.columns, lambda key: see(table.field(key).key))  # type: ignore[assignment]
        table.structured = Seen(table.structured, see)  # type: ignore[assignment]
        world.resources = Seen(real, see_resource)  # type: ignore[assignment]
        try:
            yield
        finally:
            real.update(world.resources.data)  # type: ignore[attr-defined]
            gone = real.keys() - world.resources.data.keys()  # type: ignore[attr-defined]
            world.resources = real
        if gone:
            raise TrespassError("a resource was removed: write into its fields")
        self._refuse_other_columns(columns.data, shapes)
        for name, now in _rest(world).items():
            if now != before[name]:
                raise TrespassError(f"{name} changed, which belongs to the program: {RIGHT}")

    def _refuse_other_columns(self, columns: dict[str, Any], shapes: dict[str, Any]) -> None:
        for key, was in shapes.items():
            now = columns.get(key)
            if now is None or (now.dtype, now.shape) != was:
                raise TrespassError(f"the array of {key} was replaced, or has another shape or dtype: write into it")

    def check(self, system: System, world: World, drafts: list[Draft]) -> None:
        """Check once that a system only adds to the columns in `adds`, by running it again from another start value.

        Raises:
            TrespassError: the system sets or scales such a column.
        """
        if self._adds_only or not any(draft.adds for draft in drafts):
            return
        again = [draft.again(world.table, ELSEWHERE) for draft in drafts]
        before, own = Before(world, system), dict(vars(system))
        try:
            self.run(system, world, again)
        finally:
            before.put_back()
            vars(system).update(own)
        for first, second in zip(drafts, again, strict=True):
            for key in first.adds:
                if _differs(first.written(key), second.written(key)):
                    raise TrespassError(
                        f"{key} was set, and {system.name} declares that it only adds to it: use +=, or declare it in "
                        f"`writes`"
                    )
        self._adds_only = True

    def _hint(self, system: System, world: World, what: str) -> None:
        if what not in self.hints and system.phase not in ONLY_LOOKING:
            frames = (inside(frame.f_code.co_filename, line, self.folder) for frame, line in walk_stack(None))
            message = f"{system.name} reads {what}, which it does not declare: add it to `reads`"
            self.hints[what] = Fault(self.mod, next(filter(None, frames), ""), message, where(system, world))


class Seen(UserDict[Any, Any]):
    """A dictionary that calls a function with each key that is looked up."""

    def __init__(self, real: dict[Any, Any], see: Callable[[Any], object]) -> None:
        super().__init__()
        self.data, self._see = copy(real), see

    def __getitem__(self, key: Any) -> Any:
        if key in self.data:
            self._see(key)
        return self.data[key]


RIGHT = "ask for it by world.spawn, despawn, add and remove"


def _rest(world: World) -> dict[str, Any]:
    """Return what a system must not change and drafts do not cover, by its name in messages."""
    table = world.table
    return {
        "esper": summary(),
        "the list of rows": [table.rows(component).tobytes() for component in table.components.values()],
        "the order of rows": [
            column[: table.size].tobytes() for column in (table.serial, table.prefab, table.presence)
        ],
        "a prefab": deepcopy({name: prefab.components for name, prefab in world.prefabs.items()}),
    }


def _differs(first: Any, second: Any) -> bool:
    """Return whether other amounts were added to a column that began at 0 than to one that began at ELSEWHERE."""
    rows = np.flatnonzero(np.isfinite(first))
    added = first[rows].astype(np.float64)
    off = np.abs(second[rows].astype(np.float64) - ELSEWHERE - added)
    return bool((off > ELSEWHERE / 64 + np.abs(added) / 1000).any())  # smaller differences are due to rounding
