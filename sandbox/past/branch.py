"""Branches of a recording: each is one line of history, from the recording's beginning to a last tick."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sandbox.edit.queue import Done
from sandbox.past.keyframe import Keyframe

if TYPE_CHECKING:
    from sandbox.past.views import AnySeen


@dataclass(eq=False)
class Branch:
    """One line of history. A new branch begins when a command is carried out in the past of another one, its parent.

    Attributes:
        parent: the branch from which it forks, None for the first.
        at: the tick of the fork; for the first branch, the recording's first tick.
        last: the last tick.
        own: the commands since the fork; the parent has the earlier ones.
        inherited: the number of these earlier ones.
        keyframes, digests, views: by tick, ascending; if there is a parent, it has those of ticks up to `at`.
    """

    parent: Branch | None = field(repr=False)
    at: int
    last: int
    own: list[Done] = field(default_factory=list)
    inherited: int = 0
    keyframes: dict[int, Keyframe] = field(default_factory=dict)
    digests: dict[int, str] = field(default_factory=dict)
    views: dict[int, AnySeen] = field(default_factory=dict)

    def left_at(self, tick: int) -> Branch:
        """Return a new branch that forks after the commands of a tick, from this branch or an ancestor."""
        parent = next(branch for branch in self.ancestry() if branch.parent is None or tick >= branch.at)
        return Branch(parent, tick, tick, inherited=parent.commands_through(tick))

    def ancestry(self) -> Iterator[Branch]:
        """Yield this branch, its parent, the parent of that, and so on."""
        branch: Branch | None = self
        while branch is not None:
            yield branch
            branch = branch.parent

    @property
    def count(self) -> int:
        """The number of commands since the recording's beginning."""
        return self.inherited + len(self.own)

    @property
    def commands(self) -> list[Done]:
        """All commands since the recording's beginning."""
        return self.slice(0, self.count)

    def slice(self, first: int, end: int) -> list[Done]:
        """Return the commands of these numbers, counted from the recording's beginning."""
        parts = []
        for branch in self.ancestry():
            parts.append(branch.own[max(first - branch.inherited, 0) : max(end - branch.inherited, 0)])
            end = min(end, branch.inherited)
            if first >= end:
                break
        return [done for part in reversed(parts) for done in part]

    def commands_before(self, tick: int) -> int:
        """Return the number of commands carried out before a tick."""
        owner = self.owner(tick)
        return owner.inherited + bisect_left(owner.own, tick, key=lambda done: done.tick)

    def commands_through(self, tick: int) -> int:
        """Return the number of commands carried out up to a tick, including those of the tick itself."""
        owner = next(branch for branch in self.ancestry() if branch.parent is None or tick >= branch.at)
        return owner.inherited + bisect_right(owner.own, tick, key=lambda done: done.tick)

    def commands_at(self, tick: int) -> list[Done]:
        """Return the commands of a tick."""
        return self.slice(self.commands_before(tick), self.commands_through(tick))

    def owner(self, tick: int) -> Branch:
        """Return the branch that stores keyframes, digests and views of a tick: this one or an ancestor."""
        return next(branch for branch in self.ancestry() if branch.parent is None or tick > branch.at)

    def shared_with(self, branches: Iterable[Branch]) -> dict[Branch, int]:
        """Return the last tick that this branch shares with each branch of its recording; parents come first there."""
        shared, last = dict[Branch, int](), self.last
        for branch in self.ancestry():
            shared[branch] = last
            last = min(last, branch.at)
        for branch in branches:
            if branch not in shared and branch.parent in shared:
                shared[branch] = min(shared[branch.parent], branch.at)
        return shared

    def parting(self, other: Branch) -> int:
        """Return the last tick that two branches share; for one of another recording, the first tick of that."""
        lineage = [*other.ancestry()][::-1]
        return self.shared_with(lineage).get(other, lineage[0].at)

    def keyframe(self, tick: int) -> Keyframe:
        """Return the last keyframe at or before a tick, which must not be before the recording's first tick."""
        for branch in self.ancestry():
            own = max((known for known in branch.keyframes if known <= tick), default=None)
            if own is not None:
                return branch.keyframes[own]
            tick = min(tick, branch.at)
        raise ValueError(f"there is no keyframe up to tick {tick}")

    def next_keyframe(self, tick: int) -> int | None:
        """Return the tick of the first keyframe after a tick, or None."""
        later, end = list[int](), self.last
        for branch in self.ancestry():
            later += [known for known in branch.keyframes if tick < known <= end]
            end = min(end, branch.at)
        return min(later, default=None)

    def digest(self, tick: int) -> str | None:
        """Return the digest of the world at a tick, before the tick's commands, or None if it is not known."""
        return self.owner(tick).digests.get(tick)
