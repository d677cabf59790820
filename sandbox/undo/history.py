"""The undo history: steps that can be undone and redone.

Undo does not turn back time: a value is restored only if it is still the one that the step left. In the same tick,
while the world is paused, nothing else can have changed, so undo is exact.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import cast

from components.store.world import World
from sandbox.design.borders import bring_inside
from sandbox.undo.change import Change, Mergeable
from sandbox.undo.coming import NextSerial, Remove, Restore
from sandbox.undo.recording import changes_since, rolled_back_on_error, settings_since, settle
from sandbox.undo.size import size_of
from systems.engine.settings import Settings
from systems.engine.system import System

MOST_STEPS = 200
MOST_BYTES = 256 << 20  # of all steps together; the last one alone may be larger


class ModSwitches:
    """A resource of the world, implemented by `ModHost`: the part of it that undo uses."""

    def switch_off_what_lacks_others(self) -> None:
        """Switch off each mod that depends on one that is off."""


@dataclass
class Step:
    """A step that one undo takes back: a command with those that joined it.

    Attributes:
        words: the label of the first command.
        tick: the tick of the first command.
        changes: the changes that undo it, to be applied last to first.
        count: the number of entities made and removed.
        size: the approximate size of the changes in memory, bytes.
    """

    words: str
    tick: int
    changes: list[Change] = field(default_factory=list)
    count: int = 0
    size: int = field(init=False)

    def __post_init__(self) -> None:
        self.size = sum(map(size_of, self.changes))

    @property
    def label(self) -> str:
        """A few words for a menu: "place boid × 12"."""
        return f"{self.words} × {self.count:,}" if self.count > 1 else self.words

    def add(self, changes: Iterable[Change]) -> None:
        """Add changes; one of the same value as an earlier change is merged with it."""
        for change in changes:
            place = self._place_of(change)
            if place is None:
                self.changes.append(change)
                self.size += size_of(change)
            else:
                before = cast(Mergeable, self.changes[place])
                both = before.merged_with(change)
                self.changes[place : place + 1] = [both] if both else []
                self.size += size_of(both) - size_of(before)
            self.count += len(change) if isinstance(change, Restore | Remove) else 0

    def _place_of(self, change: Change) -> int | None:
        """Return the index of a change of the same value, or None."""
        same = (n for n, known in enumerate(self.changes) if known.about == change.about)
        return None if change.about is None else next(same, None)


@dataclass
class History:
    """A resource of the world, not in snapshots: stacks of the steps that can be undone and redone."""

    undoable: list[Step] = field(default_factory=list)
    redoable: list[Step] = field(default_factory=list)
    _open: Step | None = None  # a command with `joins` is added to this step

    def note(self, words: str, tick: int, changes: list[Change], joins: bool) -> None:
        """Note the changes that undo a command; a command without changes is no step."""
        if not joins:
            self._open = None
        step = Step(words, tick)
        step.add(changes)
        if not step.changes:
            return
        self.redoable.clear()
        if self._open is None:
            self._open = step
            self.undoable.append(step)
        else:
            self._open.add(step.changes)
            if not self._open.changes:  # the joining command cancelled all changes
                self.undoable, self._open = self.undoable[:-1], None
        self._forget_old()

    def _forget_old(self) -> None:
        """Drop the oldest steps if there are too many or they take too much memory."""
        held = 0
        for kept, step in enumerate(reversed(self.undoable)):
            held += step.size
            if kept == MOST_STEPS or (kept and held > MOST_BYTES):
                del self.undoable[:-kept]
                return

    def forget(self) -> None:
        """Drop all steps."""
        self.undoable, self.redoable, self._open = [], [], None

    def copy(self) -> History:
        """Return a copy that later commands and undos do not change."""
        copies = {id(step): replace(step, changes=list(step.changes)) for step in [*self.undoable, *self.redoable]}
        undoable, redoable = ([copies[id(step)] for step in steps] for steps in (self.undoable, self.redoable))
        return History(undoable, redoable, copies.get(id(self._open)))

    def undo(self, world: World, others: Iterable[System]) -> None:
        """Undo the last step, then run the other systems of COMMANDS if time has gone on since the step."""
        self._turn(world, others, self.undoable, self.redoable)

    def redo(self, world: World, others: Iterable[System]) -> None:
        """Redo the step that was undone last."""
        self._turn(world, others, self.redoable, self.undoable)

    def _turn(self, world: World, others: Iterable[System], steps: list[Step], turned: list[Step]) -> None:
        self._open = None
        if not steps:
            return
        step, shape = steps[-1], _shape(world)
        with rolled_back_on_error(world) as before:
            renumbered = _apply(world, steps)
            world.resource(ModSwitches).switch_off_what_lacks_others()
            settings = settings_since(before, world)
            if step.tick != world.tick:  # restored entities may overlap others, or be outside
                if _shape(world) != shape:
                    bring_inside(world)
                settle(world, others)
        for each, own in zip(steps, renumbered, strict=True):
            each.changes = own
        steps.pop()
        if changes := [*settings, *changes_since(before, world)]:
            turned.append(Step(step.words, world.tick, changes, step.count))


def _apply(world: World, steps: list[Step]) -> list[list[Change]]:
    """Apply the changes of the last step, last to first.

    Returns:
        the changes of all `steps`, which stay as they are. If serials were given since the next serial was set back,
        restored entities get new ones, here and there.
    """
    changes = [step.changes for step in steps]
    for place in reversed(range(len(changes[-1]))):
        change = changes[-1][place]
        if isinstance(change, NextSerial) and (by := change.behind(world)):
            changes = [[each.renumbered(change.left, by) for each in own] for own in changes]
        changes[-1][place].apply(world)
    return changes


def _shape(world: World) -> tuple[float, float, str]:
    settings = world.resource(Settings)
    return settings.width, settings.height, settings.edges
