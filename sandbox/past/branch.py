"""Branches of a recording: each is one line of history, from the recording's beginning to a last tick."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sandbox.edit.queue import Done
from sandbox.past.keyframe import Keyframe

if TYPE_CHECKING:
    from sandbox.past.views import Seen


@dataclass(eq=False)
class Branch:
    """One line of history. A new branch begins when a command is carried out in the past of another one, its parent.

    Attributes:
        parent: the branch from which it forks, None for the first.
        at: the tick of the fork; for the first branch, the recording's first tick.
        commands: all commands from the recording's beginning on; the first `inherited` are its parent's.
        last: the last tick.
        keyframes, digests, views: by tick, ascending; if there is a parent, it has those of ticks up to `at`.
    """

    parent: Branch | None
    at: int
    last: int
    commands: list[Done] = field(default_factory=list)
    inherited: int = 0
    keyframes: dict[int, Keyframe] = field(default_factory=dict)
    digests: dict[int, str] = field(default_factory=dict)
    views: dict[int, Seen] = field(default_factory=dict)

    def left_at(self, tick: int) -> Branch:
        """Return a new branch that forks after the commands of a tick, from this branch or an ancestor."""
        if self.parent is not None and tick < self.at:
            return self.parent.left_at(tick)
        branch = Branch(self, tick, tick)
        branch.inherit()
        return branch

    def inherit(self) -> None:
        """Copy the shared commands from the parent, which must have inherited its own already."""
        if self.parent is not None:
            self.commands = self.parent.commands[: self.parent.commands_through(self.at)]
            self.inherited = len(self.commands)

    def commands_before(self, tick: int) -> int:
        """Return the number of commands carried out before a tick."""
        return bisect_left(self.commands, tick, key=lambda done: done.tick)

    def commands_through(self, tick: int) -> int:
        """Return the number of commands carried out up to a tick, including those of the tick itself."""
        return bisect_right(self.commands, tick, key=lambda done: done.tick)

    def commands_at(self, tick: int) -> list[Done]:
        """Return the commands of a tick."""
        return self.commands[self.commands_before(tick) : self.commands_through(tick)]

    def owner(self, tick: int) -> Branch:
        """Return the branch that stores keyframes, digests and views of a tick: this one or an ancestor."""
        branch = self
        while branch.parent is not None and tick <= branch.at:
            branch = branch.parent
        return branch

    def parting(self, other: Branch) -> int:
        """Return the last tick that two branches share; for one of another recording, the first tick of that."""
        way = dict(self._way())
        shared = [min(last, way[branch]) for branch, last in other._way() if branch in way]
        return shared[0] if shared else [branch.at for branch, _ in other._way()][-1]

    def _way(self) -> Iterator[tuple[Branch, int]]:
        """Yield this branch and its ancestors, each with the last tick that it shares with this branch."""
        branch, last = self, self.last
        yield branch, last
        while branch.parent is not None:
            branch, last = branch.parent, min(branch.at, last)
            yield branch, last

    def keyframe(self, tick: int) -> Keyframe:
        """Return the last keyframe at or before a tick, which must not be before the recording's first tick."""
        own = max((known for known in self.keyframes if known <= tick), default=None)
        if own is not None:
            return self.keyframes[own]
        assert self.parent is not None
        return self.parent.keyframe(min(tick, self.at))

    def digest(self, tick: int) -> str | None:
        """Return the digest of the world at a tick, before the tick's commands, or None if it is not known."""
        return self.owner(tick).digests.get(tick)
