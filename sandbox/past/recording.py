"""A recording: all that happened to a world, on every branch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sandbox.past.branch import Branch
from sandbox.past.keyframe import Keyframe
from sandbox.past.physics import PHYSICS
from sandbox.simulation import Simulation
from sandbox.state.held_state import HeldState, hold

BUDGET = 512 << 20  # bytes of keyframes
DIGEST_EVERY = 600  # ticks
OWN = "Mark"  # how names of marks begin that a person made
MOST_NOTED, AGAIN = 100, 600  # marks that are made by themselves; ticks after which one may be made again


class Recording:
    """A start, commands, digests, and keyframes as many as there is room for.

    Attributes:
        start: the state that all began with.
        branches: the first has no parent, every other one comes after its parent.
        markers: names of ticks, by branch and tick.
        physics: of the program that recorded: where it is not `PHYSICS`, only keyframes can be shown.
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
        """One that begins now."""
        return cls(hold(simulation.world), Keyframe.take(simulation, 0), budget)

    @property
    def runs(self) -> bool:
        """Whether this program makes the same ticks as the one that recorded."""
        return self.physics == PHYSICS

    @property
    def first(self) -> int:
        """The tick that it begins with."""
        return self.branches[0].at

    @property
    def size(self) -> int:
        """Bytes of memory that its keyframes hold."""
        return self._bytes

    def note(self, branch: Branch, tick: int, words: str) -> None:
        """Mark a tick because something happened in it; not where that did a moment ago, or where marks are many."""
        known = [at for (its, at), name in self.markers.items() if its is branch and words in name]
        noted = sum(not name.startswith(OWN) for name in self.markers.values())
        if noted < MOST_NOTED and not any(tick - at < AGAIN for at in known):
            there = self.markers.get((branch, tick))
            self.markers[branch, tick] = f"{there}; {words}" if there else words

    def leave(self, branch: Branch, tick: int) -> Branch:
        """A new branch that leaves another one after the commands of a tick."""
        self.branches.append(branch.left_at(tick))
        return self.branches[-1]

    def keep(self, branch: Branch, keyframe: Keyframe) -> None:
        """Keep a keyframe; where that is too much, some that are closest to each other go, the oldest first."""
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
        """The keyframe without which the way from the one before it to the next is shortest; neither first nor last."""
        found, least = None, None
        for branch in self.branches:
            ticks = [*branch.keyframes]
            before = [branch.at if branch.parent else -1, *ticks]
            for place, tick in enumerate(ticks):
                is_start = branch.parent is None and place == 0
                if is_start or place == len(ticks) - 1:
                    continue
                way = ticks[place + 1] - before[place]
                if least is None or way < least:
                    found, least = (branch, tick), way
        return found
