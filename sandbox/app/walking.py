"""What is told of the selected entity's next tick, again and again as time goes on; and the walk through it.

The walk and the current step are shared by the panel Explain and its overlay.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Generic, TypeVar

from components.store.world import World
from sandbox.app.session.session import Session
from sandbox.edit import CommandQueue
from sandbox.explain.steps import SIGHT, Walk, walk
from sandbox.language import current_language
from sandbox.simulation import Simulation

OFTEN = 0.2  # s: the shortest time between two explanations while the world runs
DEAR = 20e6  # ns: if explaining takes longer, it waits until the world is paused
TICKS = 5  # estimated cost of a walk, in ticks
T = TypeVar("T")


class OfSelected(Generic[T]):
    """What a function tells of the next tick of the selected entity.

    Attributes:
        found: for the present world, or that of a moment ago; None without a single selection, or if it is too costly.
        tick: of the world that it was found for.
    """

    def __init__(self, tell: Callable[[Simulation, int], T], ticks: int) -> None:
        """`tell`: raises ValueError if there is no such entity; `ticks`: its estimated cost."""
        self.now = time.monotonic
        self.found: T | None = None
        self.tick = 0
        self._tell, self._ticks = tell, ticks
        self._moment: tuple[object, ...] = ()
        self._axes = ""  # of the world when it was found
        self._when = 0.0
        self._cost: float | None = None  # ns; None: not known
        self._warm = False  # the first time also loads kernels, so that it is no measure of the cost

    def reset(self) -> None:
        """Drop what was found and its known cost, because another world is shown."""
        self._cost, self._moment, self.found = None, (), None

    def is_dear(self, session: Session) -> bool:
        """Return whether it is too costly while the world runs."""
        cost = self._cost if self._cost is not None else self._ticks * session.clock.tick_ns
        return not session.clock.paused and cost > DEAR

    def look(self, session: Session) -> T | None:
        """Return what is told of the selected entity, anew if it is due and no tick runs.

        While ticks are long, one runs whenever panels are drawn: let a panel that is seen look in its `update` too.
        """
        simulation, one = session.simulation, session.selection.one
        if one is None or self.is_dear(session):
            self._moment, self.found = (), None
            return None
        edits = simulation.world.resource(CommandQueue).count
        branch = id(session.document.timeline.branch)
        axes = simulation.world.table.axes
        moment = (one, axes, current_language()), simulation.tick, edits, simulation.world.table.size, branch
        is_due = session.clock.paused or self.now() - self._when >= OFTEN
        runs = session.playback.runs  # explaining would wait for the end of the tick
        if moment != self._moment and not runs and (is_due or self._moment[:1] != moment[:1]):
            self._make(simulation, one)
            self._moment, self._axes, self.tick = moment, axes, simulation.tick
        return self.of(simulation.world)

    def of(self, world: World) -> T | None:
        """Return what was found last, if the world is as flat or deep as it was then."""
        return self.found if self._axes == world.table.axes else None

    def _make(self, simulation: Simulation, one: int) -> None:
        self._when, begin = self.now(), time.perf_counter_ns()
        try:
            self.found = self._tell(simulation, one)
        except ValueError:  # the entity has died
            self.found = None
        spent = time.perf_counter_ns() - begin
        if self._warm:
            self._cost = spent if self._cost is None else min(spent, 1.5 * self._cost)
        self._warm = True


class Walking(OfSelected[Walk]):
    """A walk through the next tick of the selected entity, and the current step.

    Attributes:
        turned: whether pictures are turned the other way than at first: see `by_heading`.
    """

    def __init__(self) -> None:
        super().__init__(walk, TICKS)
        self.turned = False
        self._name = SIGHT

    @property
    def has_depth(self) -> bool:
        """Whether the world had depth when it was found."""
        return len(self._axes) == 3

    @property
    def by_heading(self) -> bool:
        """Whether pictures have the entity's heading up; in one with depth, look along it, as they do at first."""
        return self.turned != self.has_depth

    @property
    def at(self) -> int:
        """The index of the current step."""
        return self.found.step(self._name) if self.found else 0

    def go(self, step: int) -> None:
        """Go to a step, clamped to the first and the last."""
        if self.found is not None:
            self._name = self.found.steps[min(max(step, 0), len(self.found.steps) - 1)].name

    def begin(self) -> None:
        """Go to the first step."""
        self._name = SIGHT
