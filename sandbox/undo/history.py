"""The undo history: steps that can be undone and redone.

While the world stands where a step left it, undo restores the savepoint from before the step, and redo the one from
after it. Undo does not turn back time: once other things have happened, it takes back what the step made, removed and
set, and leaves everything else as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from copy import copy
from dataclasses import dataclass, field

import numpy as np

from components.store.savepoint import Savepoint
from components.store.world import World
from sandbox.design.borders import bring_inside
from sandbox.design.origins import Origins
from sandbox.serials import Serials
from sandbox.undo.changes import Change, changes_since, joined, settled
from sandbox.undo.coming import EditedAlone, Remove, Restore
from sandbox.undo.size import arrays_of, size_of
from systems.engine.settings import Settings
from systems.engine.system import System

MOST_STEPS = 200
MOST_BYTES = 256 << 20  # of all steps together; the last one alone may be larger
NONE_GIVEN = 2**63 - 1  # no serial was given to another entity


class ModSwitches:
    """A resource of the world, implemented by `ModHost`: the part of it that undo and edits use."""

    def switch_off_what_lacks_others(self) -> None:
        """Switch off each mod that depends on one that is off."""

    def refuse_axes(self, axes: str) -> None:
        """Raise ValueError if one of the mods does not run in worlds with these axes."""


@dataclass(eq=False)
class Between:
    """A state of the world between two commands, and its savepoint while it can be returned to."""

    savepoint: Savepoint | None = None


class UndoStep:
    """A step that one undo takes back: a command with those that joined it.

    Attributes:
        words: the label of the first command.
        tick: the tick of the first command.
        before, after: the moments between which it was carried out.
        changes: what takes it back once other things have happened, to be applied last to first.
        size: the approximate size of the changes in memory, bytes.
    """

    def __init__(self, words: str, tick: int, changes: list[Change]) -> None:
        self.words, self.tick, self.before, self.after = words, tick, Between(), Between()
        self.changes, self.size = changes, sum(map(size_of, changes))

    @property
    def label(self) -> str:
        """A few words for a menu: "place boid × 12"."""
        count = sum(len(change) for change in self.changes if isinstance(change, Restore | Remove))
        return f"{self.words} × {count:,}" if count > 1 else self.words


@dataclass
class History:
    """A resource of the world, not in files: stacks of the steps that can be undone and redone."""

    undoable: list[UndoStep] = field(default_factory=list)
    redoable: list[UndoStep] = field(default_factory=list)
    _open: UndoStep | None = None  # a command with `joins` is added to this step
    _now: Between = field(default_factory=Between)  # the present state of the world
    _mark: tuple[int, int] = 0, 0  # tick and number of commands when this was so
    _given: int = NONE_GIVEN  # when steps were undone, the serials from here on were given back

    def look(self, tick: int, commands: int) -> None:
        """Must be called before a command is carried out, with the number of commands so far."""
        if self._mark != (tick, commands):
            self.let_go()

    def mark(self, tick: int, commands: int) -> None:
        """Must be called after a command was carried out."""
        self._mark = tick, commands

    def let_go(self) -> None:
        """Note that the world is in another state than the steps have led to; none of their moments comes back."""
        self._now = Between()
        for step in (*self.undoable, *self.redoable):
            step.before = step.after = Between()

    @contextmanager
    def rolled_back_on_error(self, world: World, like: Savepoint | None = None) -> Iterator[Savepoint]:
        """Yield a savepoint of now; if the block fails, the world is rolled back to it.

        Args:
            like: an earlier savepoint with which it shares what is the same; that before the last step if not given.
        """
        world.commit()
        if self._now.savepoint is None:
            before = self.undoable[-1].before.savepoint if self.undoable else None
            self._now.savepoint = Savepoint.take(world, like or before)
        before = self._now.savepoint
        try:
            yield before
        except BaseException:
            before.restore(world)
            raise

    def note(self, words: str, world: World, before: Savepoint, edited: Serials, joins: bool) -> None:
        """Note a command that was carried out; one that changed nothing is no step.

        Must be called in the block of `rolled_back_on_error`. What can fail comes first: then no step has changed.

        Args:
            before: the state before it, see `settled`.
            edited: the existing entities that it edited individually.
        """
        changes, step, since = changes_since(before, world), self._open if joins else None, before
        differs = _differs(changes, before, world)
        if differs:
            changes = [change for change in changes if not isinstance(change, EditedAlone)]
            changes += _mark_edited(before, world, edited)
        if differs and step is not None:
            if before is self._now.savepoint and step.after is self._now and step.before.savepoint is not None:
                since = step.before.savepoint
                changes = changes_since(since, world)
            else:
                changes = joined(step.changes, changes)
        noted = UndoStep(words, world.tick, changes)

        self._start_from(before)
        self._open = step
        if not differs:
            return
        self.redoable.clear()
        self._given = NONE_GIVEN
        if step is None:
            self._open = step = noted
            step.before = self._now
            self.undoable.append(step)
        else:
            step.changes, step.size = noted.changes, noted.size
            if since is before:
                step.before = Between()
        step.after = self._now = Between()
        if not _differs(changes, since, world):  # the joining command took all back
            self._now = step.before
            self.undoable.pop()
            self._open = None
        with suppress(MemoryError):  # what it would free then stays
            self._forget_old()

    def _start_from(self, before: Savepoint) -> None:
        """Let go of all moments if other systems changed what undo does not take back."""
        if before is not self._now.savepoint:
            self.let_go()
            self._now.savepoint = before

    def _forget_old(self) -> None:
        """Drop the oldest steps if there are too many or they take too much memory, and savepoints before them."""
        held, arrays = 0, dict[int, int]()
        for kept, step in enumerate(reversed(self.undoable)):
            held += step.size
            if kept == MOST_STEPS or (kept and held > MOST_BYTES):
                del self.undoable[:-kept]
                return
            if step.before.savepoint is not None:
                arrays |= {id(array): array.nbytes for array in arrays_of(step.before.savepoint)}
                if kept and held + sum(arrays.values()) > MOST_BYTES:
                    step.before.savepoint = None

    def forget(self) -> None:
        """Drop all steps."""
        self.undoable, self.redoable, self._open = [], [], None
        self.let_go()

    def copy(self) -> History:
        """Return a copy that later commands and undos do not change; both let go of all moments.

        So a step that was undone exactly is undone so again when the copy is used to replay what followed.
        """
        self.let_go()
        copies = {id(step): copy(step) for step in [*self.undoable, *self.redoable]}
        undoable, redoable = ([copies[id(step)] for step in steps] for steps in (self.undoable, self.redoable))
        return History(undoable, redoable, copies.get(id(self._open)), _given=self._given)

    def undo(self, world: World, others: Iterable[System]) -> None:
        """Undo the last step, then run the other systems of COMMANDS if time has gone on since the step."""
        if self.undoable:
            step = self.undoable[-1]
            turned = self._turned(world, others, step, step.after, step.before, NONE_GIVEN)
            self.undoable.pop()
            self._given = min(self._given, world.next_serial)
            for one, here, there in turned:
                one.before, one.after = there, here
                self.redoable.append(one)
        self._open = None

    def redo(self, world: World, others: Iterable[System]) -> None:
        """Redo the step that was undone last."""
        if self.redoable:
            step, given = self.redoable[-1], self._given if world.next_serial > self._given else NONE_GIVEN
            turned = self._turned(world, others, step, step.before, step.after, given)
            self.redoable.pop()
            self._given = world.next_serial if given == NONE_GIVEN else given
            for one, here, there in turned:
                one.before, one.after = here, there
                self.undoable.append(one)
        self._open = None

    def _turned(
        self, world: World, others: Iterable[System], step: UndoStep, here: Between, there: Between, given: int
    ) -> list[tuple[UndoStep, Between, Between]]:
        """Undo or redo a step.

        Args:
            here, there: the moments on this side of the step, and on the other one.
            given: see `Change`.
        Returns:
            the step that takes that back, and the moments before and after that; nothing if nothing changed.
        """
        exact, space = there.savepoint if self._now is here else None, _space(world)
        with self.rolled_back_on_error(world, exact) as before:
            if exact is not None:
                exact.restore(world)
            else:
                for change in reversed(step.changes):
                    change.apply(world, given)
                world.resource(ModSwitches).refuse_axes(world.table.axes)  # mods may have come since the step
                world.resource(ModSwitches).switch_off_what_lacks_others()
                if step.tick != world.tick:  # restored entities may overlap others, or be outside
                    if _space(world) != space:
                        bring_inside(world)
                    before = settled(before, world, others)
            turned = UndoStep(step.words, world.tick, changes_since(before, world))
        if exact is None:
            self._start_from(before)
            there = Between()
        if not _differs(turned.changes, before, world):
            return []
        here, self._now = self._now, there
        return [(turned, here, there)]


def _differs(changes: list[Change], before: Savepoint, world: World) -> bool:
    return bool(changes) or world.next_serial != before.next_serial


def _mark_edited(before: Savepoint, world: World, serials: Serials) -> Iterator[EditedAlone]:
    """Mark entities as edited individually, also those that came; yield the changes that take this back."""
    origins = world.resource(Origins)
    born = np.arange(before.next_serial, world.next_serial)  # new serials are larger than all earlier ones
    for first, last, _ in origins.entries:
        born = born[(born < first) | (born >= last)]  # entities of a crowd do not count as edited alone
    own = Serials(np.concatenate([serials.array, born]))
    if not np.array_equal(origins.edited_alone.array, own.array):  # frequent while a slider is dragged
        EditedAlone(own, True).apply(world, NONE_GIVEN)
    return EditedAlone.between(before.stored[Origins]["edited_alone"], origins.edited_alone)


def _space(world: World) -> tuple[tuple[float, ...], str]:
    settings = world.resource(Settings)
    return settings.size, settings.edges
