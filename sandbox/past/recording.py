"""Recordings: all that happened to a world, on every branch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sandbox.files.state.state import HeldState, hold
from sandbox.past.branch import Branch
from sandbox.past.keyframe import Keyframe
from sandbox.physics import PHYSICS
from sandbox.simulation import Simulation

BUDGET = 512 << 20  # bytes of keyframes
DIGEST_EVERY = 600  # ticks
OWN = "Mark"  # the prefix of names of marks that a person made
MOST_NOTED, AGAIN = 100, 600  # automatic marks at most; ticks before the same event is marked again


class Recording:
    """The initial state, and branches with commands, digests, and as many keyframes as the budget allows.

    Attributes:
        start: the initial state.
        branches: the first has no parent; every other one comes after its parent.
        markers: names of ticks, by branch and tick.
        physics: the value of the program that recorded it. If it is not `PHYSICS`, only keyframes can be shown.
    """

    def __init__(
        self, start: HeldState, first: Keyframe, budget: int = BUDGET, branches: Sequence[Branch] = ()
    ) -> None:
        self.start, self.budget = start, budget
        self.branches = list(branches) or [Branch(None, first.tick, first.tick)]
        self.markers: dict[tuple[Branch, int], str] = {}
        self.physics = PHYSICS
        self._uses: Counter[int] = Counter()
        self._bytes = 0
        self.keep(self.branches[0], first)

    @classmethod
    def of(cls, simulation: Simulation, budget: int = BUDGET) -> Recording:
        """Begin a recording at the simulation's present state."""
        return cls(hold(simulation.world), Keyframe.take(simulation, 0), budget)

    @property
    def runs(self) -> bool:
        """Whether this program computes the same ticks as the one that recorded, so that they can be replayed."""
        return self.physics == PHYSICS

    @property
    def first(self) -> int:
        """The recording's first tick."""
        return self.branches[0].at

    @property
    def size(self) -> int:
        """The memory of its keyframes in bytes."""
        return self._bytes

    def note(self, branch: Branch, tick: int, words: str) -> None:
        """Mark a tick in which something happened, unless it also happened shortly before, or there are many marks."""
        known = [at for (its, at), name in self.markers.items() if its is branch and words in name]
        noted = sum(not name.startswith(OWN) for name in self.markers.values())
        if noted < MOST_NOTED and not any(tick - at < AGAIN for at in known):
            there = self.markers.get((branch, tick))
            self.markers[branch, tick] = f"{there}; {words}" if there else words

    def leave(self, branch: Branch, tick: int) -> Branch:
        """Add and return a new branch that forks from another one after the commands of a tick."""
        self.branches.append(branch.left_at(tick))
        return self.branches[-1]

    def keep(self, branch: Branch, keyframe: Keyframe) -> None:
        """Add a keyframe; above the budget, delete those that are closest in time to others, the oldest first."""
        branch.keyframes[keyframe.tick] = keyframe
        branch.keyframes = dict(sorted(branch.keyframes.items()))
        for array in keyframe.arrays():
            self._uses[id(array)] += 1
            self._bytes += array.nbytes * (self._uses[id(array)] == 1)
        while self._bytes > self.budget and (closest := self._closest()) is not None:
            self._forget(*closest)

    def _forget(self, branch: Branch, tick: int) -> None:
        for array in branch.keyframes.pop(tick).arrays():
            self._uses[id(array)] -= 1
            if not self._uses[id(array)]:
                del self._uses[id(array)]
                self._bytes -= array.nbytes

    def _closest(self) -> tuple[Branch, int] | None:
        """Return the keyframe whose deletion leaves the shortest gap, but not the start or the last one of a branch."""
        found, least = None, None
        for branch in self.branches:
            ticks = [*branch.keyframes]
            before = [branch.at if branch.parent else -1, *ticks]
            for index, tick in enumerate(ticks):
                is_start = branch.parent is None and index == 0
                if is_start or index == len(ticks) - 1:
                    continue
                way = ticks[index + 1] - before[index]
                if least is None or way < least:
                    found, least = (branch, tick), way
        return found
