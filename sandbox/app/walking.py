"""Which step of whose tick is looked at: what the panel Explain and its overlay share."""

from __future__ import annotations

import time

from sandbox.app.session.session import Session
from sandbox.edit import CommandQueue
from sandbox.explain.walk import SIGHT, Walk, walk
from sandbox.language import spoken
from sandbox.simulation import Simulation

OFTEN = 0.2  # s: while the world runs it is explained no more often
DEAR = 20e6  # ns: what takes longer waits until the world is paused
TICKS = 5  # explaining takes about as long


class Walking:
    """A walk through the coming tick of the one selected, and where it has come to.

    Attributes:
        walk: of the world as it is, or a moment ago while it runs; None without one selected, or when it is too dear.
        heading_up: pictures are turned so that it flies up.
    """

    def __init__(self) -> None:
        self.now = time.monotonic
        self.walk: Walk | None = None
        self.heading_up = False
        self._name = SIGHT
        self._moment: tuple[object, ...] = ()
        self._when = 0.0
        self._cost: float | None = None  # ns; None: not known
        self._warm = False  # the first time of all loads kernels: it tells nothing about the cost

    @property
    def at(self) -> int:
        """Which of the steps it has come to."""
        return self.walk.step(self._name) if self.walk else 0

    def forget(self) -> None:
        """Another world is shown."""
        self._cost, self._moment, self.walk = None, (), None

    def go(self, step: int) -> None:
        """Go to a step; before the first and after the last there is none."""
        if self.walk is not None:
            self._name = self.walk.steps[min(max(step, 0), len(self.walk.steps) - 1)].name

    def begin(self) -> None:
        """Go to the first step."""
        self._name = SIGHT

    def is_dear(self, session: Session) -> bool:
        """Whether explaining must wait until the world is paused."""
        cost = self._cost if self._cost is not None else TICKS * session.clock.tick_ns
        return not session.clock.paused and cost > DEAR

    def look(self, session: Session) -> Walk | None:
        """The walk of the one selected, made anew when it is due."""
        simulation, one = session.simulation, session.selection.one
        if one is None or self.is_dear(session):
            self._moment, self.walk = (), None
            return None
        edits = simulation.world.resource(CommandQueue).count
        branch = id(session.document.timeline.branch)
        moment = (one, spoken()), simulation.tick, edits, simulation.world.table.size, branch
        is_due = session.clock.paused or self.now() - self._when >= OFTEN
        if moment != self._moment and (is_due or self._moment[:1] != moment[:1]):
            self._make(simulation, one)
            self._moment = moment
        return self.walk

    def _make(self, simulation: Simulation, one: int) -> None:
        self._when, begin = self.now(), time.perf_counter_ns()
        try:
            self.walk = walk(simulation, one)
        except ValueError:  # it has died
            self.walk = None
        spent = time.perf_counter_ns() - begin
        if self._warm:
            self._cost = spent if self._cost is None else min(spent, 1.5 * self._cost)
        self._warm = True
