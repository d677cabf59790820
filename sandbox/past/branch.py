"""One way through time: what happened from the beginning of a recording to one of its ends."""

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
    """A way through time; it leaves that of its parent where somebody acted in the past.

    Attributes:
        parent: the branch that it leaves, None for the first.
        at: the tick at which it leaves it; for the first, the recording's first tick.
        commands: all that were carried out, from the recording's beginning on; the first `inherited` are its parent's.
        last: the last tick.
        keyframes, digests, views: by tick, ascending; those up to `at` are its parent's.
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
        """A new branch that leaves this one, or the one that it comes from, after the commands of a tick."""
        if self.parent is not None and tick < self.at:
            return self.parent.left_at(tick)
        branch = Branch(self, tick, tick)
        branch.inherit()
        return branch

    def inherit(self) -> None:
        """Take over the commands that it shares with its parent, which has its own already."""
        if self.parent is not None:
            self.commands = self.parent.commands[: self.parent.commands_through(self.at)]
            self.inherited = len(self.commands)

    def commands_before(self, tick: int) -> int:
        """How many commands were carried out before those of a tick."""
        return bisect_left(self.commands, tick, key=lambda done: done.tick)

    def commands_through(self, tick: int) -> int:
        """How many commands were carried out, those of a tick among them."""
        return bisect_right(self.commands, tick, key=lambda done: done.tick)

    def commands_at(self, tick: int) -> list[Done]:
        """Those of a tick."""
        return self.commands[self.commands_before(tick) : self.commands_through(tick)]

    def owner(self, tick: int) -> Branch:
        """The branch that keyframes and digests of a tick are noted in: this one, or one that it comes from."""
        branch = self
        while branch.parent is not None and tick <= branch.at:
            branch = branch.parent
        return branch

    def parting(self, other: Branch) -> int:
        """The last tick that this branch and another one share; of another recording, where that begins."""
        way = dict(self._way())
        shared = [min(last, way[branch]) for branch, last in other._way() if branch in way]
        return shared[0] if shared else [branch.at for branch, _ in other._way()][-1]

    def _way(self) -> Iterator[tuple[Branch, int]]:
        """This branch and those that it comes from, each with the last tick that it has in common with this one."""
        branch, last = self, self.last
        yield branch, last
        while branch.parent is not None:
            branch, last = branch.parent, min(branch.at, last)
            yield branch, last

    def keyframe(self, tick: int) -> Keyframe:
        """The last keyframe at or before a tick, which is not before the recording."""
        own = max((known for known in self.keyframes if known <= tick), default=None)
        if own is not None:
            return self.keyframes[own]
        assert self.parent is not None
        return self.parent.keyframe(min(tick, self.at))

    def digest(self, tick: int) -> str | None:
        """The digest of the world at a tick, before its commands, where it is known."""
        return self.owner(tick).digests.get(tick)
