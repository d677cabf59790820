"""What can be taken back, and done again.

Time is not turned back: what takes a step back gives values back where they still are what it left. In the same tick,
while the world stands, nothing else can have changed: then taking back is exact.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import cast

from components.store.world import World
from sandbox.design.borders import bring_inside
from sandbox.undo.change import Becoming, Change
from sandbox.undo.coming import Come, Go, NextSerial
from sandbox.undo.recording import changes_since, settings_since, settle, whole
from sandbox.undo.size import size_of
from systems.engine.settings import Settings
from systems.engine.system import System

MOST_STEPS = 200
MOST_BYTES = 256 << 20  # that the steps may hold together; the last one may hold more


class ModSwitches:
    """A resource of the world, which `ModHost` is: all that undo knows of mods."""

    def switch_off_what_lacks_others(self) -> None:
        """No mod is on while one that it depends on is off."""


@dataclass
class Step:
    """What is taken back at once: a command with those that joined it.

    Attributes:
        words: what the first command does.
        tick: that of the first command.
        changes: what takes it back, to be applied from the last to the first.
        count: how many came and went.
        size: about how many bytes of memory the changes hold.
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
        """What it does, in a few words for a menu: "place boid × 12"."""
        return f"{self.words} × {self.count:,}" if self.count > 1 else self.words

    def add(self, changes: Iterable[Change]) -> None:
        """More to take back; what is about the same as what is there already becomes one with it."""
        for change in changes:
            place = self._place_of(change)
            if place is None:
                self.changes.append(change)
                self.size += size_of(change)
            else:
                before = cast(Becoming, self.changes[place])
                both = before.followed_by(change)
                self.changes[place : place + 1] = [both] if both else []
                self.size += size_of(both) - size_of(before)
            self.count += len(change) if isinstance(change, Come | Go) else 0

    def _place_of(self, change: Change) -> int | None:
        """Where something about the same stands."""
        same = (n for n, known in enumerate(self.changes) if known.about == change.about)
        return None if change.about is None else next(same, None)


@dataclass
class History:
    """A resource of the world, in no snapshot: the steps that can be undone and redone, the last of each first."""

    undoable: list[Step] = field(default_factory=list)
    redoable: list[Step] = field(default_factory=list)
    _open: Step | None = None  # a command that joins joins this one

    def note(self, words: str, tick: int, changes: list[Change], joins: bool) -> None:
        """Note what takes a command back; one that changed nothing is no step."""
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
            if not self._open.changes:  # what joined took it all back
                self.undoable, self._open = self.undoable[:-1], None
        self._forget_old()

    def _forget_old(self) -> None:
        """Forget the oldest steps where there are too many, or where they hold too much."""
        held = 0
        for kept, step in enumerate(reversed(self.undoable)):
            held += step.size
            if kept == MOST_STEPS or (kept and held > MOST_BYTES):
                del self.undoable[:-kept]
                return

    def forget(self) -> None:
        """There is nothing to undo or redo any more."""
        self.undoable, self.redoable, self._open = [], [], None

    def copy(self) -> History:
        """The same steps, which nothing that is done or taken back later changes."""
        copies = {id(step): replace(step, changes=list(step.changes)) for step in [*self.undoable, *self.redoable]}
        undoable, redoable = ([copies[id(step)] for step in steps] for steps in (self.undoable, self.redoable))
        return History(undoable, redoable, copies.get(id(self._open)))

    def undo(self, world: World, others: Iterable[System]) -> None:
        """Take back the last step; then the other systems of COMMANDS run."""
        self._turn(world, others, self.undoable, self.redoable)

    def redo(self, world: World, others: Iterable[System]) -> None:
        """Do the last step again that was taken back."""
        self._turn(world, others, self.redoable, self.undoable)

    def _turn(self, world: World, others: Iterable[System], steps: list[Step], turned: list[Step]) -> None:
        self._open = None
        if not steps:
            return
        step, shape = steps[-1], _shape(world)
        with whole(world) as before:
            _apply(world, steps)
            world.resource(ModSwitches).switch_off_what_lacks_others()
            settings = settings_since(before, world)
            if step.tick != world.tick:  # someone may be now where something comes back, or outside
                if _shape(world) != shape:
                    bring_inside(world)
                settle(world, others)
        steps.pop()
        if changes := [*settings, *changes_since(before, world)]:
            turned.append(Step(step.words, world.tick, changes, step.count))


def _apply(world: World, steps: list[Step]) -> None:
    """Apply what the last step holds, from the last to the first.

    Where serials were given since these went back, those who come again get others, also in the steps to come.
    """
    for place in reversed(range(len(steps[-1].changes))):
        change = steps[-1].changes[place]
        if isinstance(change, NextSerial) and (by := change.behind(world)):
            for step in steps:
                step.changes = [each.renumbered(change.left, by) for each in step.changes]
        steps[-1].changes[place].apply(world)


def _shape(world: World) -> tuple[float, float, str]:
    settings = world.resource(Settings)
    return settings.width, settings.height, settings.edges
