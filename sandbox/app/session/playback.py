"""Playback: runs new ticks, and moves through the recording: seek, tick by tick, backwards, in a loop."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from itertools import count

from components.store.world import World
from sandbox.app.document.document import Document
from sandbox.app.document.view import View
from sandbox.app.session.ticks import Ticks
from sandbox.past.branch import Branch
from sandbox.past.recording import OWN
from sandbox.past.timeline import Timeline
from sandbox.simulation import Simulation
from systems.engine.settings import Settings

LONG = 8_000_000  # ns: a tick that is expected to take longer goes on while frames are drawn
WAIT = 0.004  # s: so long a frame waits for the end of such a tick
NEAR = 0.016  # s: and so long if the end is expected within this time
PATIENCE = 0.1  # s: the same for a tick with mods, which are expected to be quick but may never end
SECONDS = 0.008  # time limit per frame for ticks on the way to another tick
SECONDS_OF_STEP = 0.1  # the same for single steps and backwards, so that no tick on the way is shown


class Playback:
    """Lets time pass in a document. Requests are carried out at the start of a frame, so that a frame shows one tick.

    Attributes:
        held: whether the playhead is being dragged, which stops time; the time bar sets it in every frame.
        loop: the first and last tick of the loop, equal while only its start is marked; None without a loop.
        backwards: whether time runs backwards.
        returns_to: the other branch to whose end a person goes, until that is told; else None.
        ticked: called after each tick that is run, not for those on the way to another moment.
        ticks: runs long ticks, and those of mods, in a thread; None: all run in the main thread.
        may_compile: whether kernels are still being compiled, so that any tick may be a long one.
    """

    def __init__(self, document: Document, view: View) -> None:
        self._document, self._view = document, view
        self.ticks: Ticks | None = None
        self.ticked: Callable[[Simulation], object] = lambda simulation: None
        self.may_compile: Callable[[], bool] = lambda: False
        self.reset()

    def reset(self) -> None:
        """Reset everything, because another recording is shown."""
        self.held = self.backwards = False
        self._elapsed = 0  # ns, since the last frame in which no tick was running
        self._due = False  # a long tick is to begin
        self.loop: tuple[int, int] | None = None
        self.returns_to: Branch | None = None
        self._wanted: tuple[int, Branch] | None = None
        self._steps = False  # whether the request came from `move`

    # ---- requests

    @property
    def goes(self) -> bool:
        """Whether a seek is in progress."""
        return self._wanted is not None or self._document.timeline.target is not None

    @property
    def seeks(self) -> bool:
        """Whether a seek is in progress that takes more than the present frame."""
        return self._document.timeline.target is not None or (self._wanted is not None and self.runs)

    @property
    def at(self) -> int:
        """The target tick of the seek in progress, else the present tick."""
        timeline = self._document.timeline
        if self._wanted is not None:
            return self._wanted[0]
        return timeline.tick if timeline.target is None else timeline.target

    def go(self, tick: int, branch: Branch | None = None) -> None:
        """Go to a tick of this branch or another, clamped to the recorded range."""
        timeline = self._document.timeline
        branch = branch or (self._wanted[1] if self._wanted else timeline.branch)
        tick = min(max(tick, timeline.recording.first), branch.last)
        if (tick, branch) != (self.at, self._branch):
            self._wanted, self._steps = (tick, branch), False

    def visit(self, tick: int) -> None:
        """Go to a tick of this branch that a person chose; if it is in the past, pause there."""
        self.go(tick)
        if self.at < self._branch.last:
            self._view.clock.paused, self.backwards = True, False

    def move(self, ticks: int) -> None:
        """Pause, and go forward by some ticks, or back, within the recorded range."""
        self._view.clock.paused, self.backwards = True, False
        self.go(self.at + ticks)
        self._steps = True

    def move_seconds(self, seconds: int) -> None:
        """Pause, and go forward by some simulated seconds, or back."""
        self.move(seconds * self._document.simulation.world.resource(Settings).tick_rate)

    def one_tick(self) -> None:
        """Pause, and go forward by one tick: a recorded one is replayed, else a new one is run."""
        if self.goes:
            self.move(1)
        else:
            self.backwards = False
            self._view.clock.one_tick()

    def present(self) -> None:
        """Go to the end of this branch."""
        self.go(self._branch.last)

    def return_to(self, branch: Branch) -> None:
        """Go to the end of another branch and pause there, so that it stays as it was left."""
        self._view.clock.paused, self.backwards = True, False
        self.returns_to = branch
        self.go(branch.last, branch)

    def mark(self) -> None:
        """Add a marker at the present tick, or remove the one that is there."""
        timeline = self._document.timeline
        markers, moment = timeline.recording.markers, (timeline.branch.owner(timeline.tick), timeline.tick)
        if markers.pop(moment, None) is None:
            known = {*markers.values()}
            markers[moment] = next(name for n in count(1) if (name := f"{OWN} {n}") not in known)

    @property
    def _branch(self) -> Branch:
        return self._wanted[1] if self._wanted else self._document.timeline.branch

    def turn(self) -> None:
        """Let time run backwards, or forwards again."""
        clock = self._view.clock
        self.backwards = clock.paused or not self.backwards
        clock.paused = False

    def mark_loop(self) -> None:
        """Mark the start of a loop at the present tick; the second call marks its end, the third removes the loop."""
        tick = self._document.timeline.tick
        if self.loop is None:
            self.loop = tick, tick
        elif self.loop[0] == self.loop[1] != tick:
            self.loop = min(self.loop[0], tick), max(self.loop[0], tick)
        else:
            self.loop = None

    # ---- frames

    def run_in_thread(self, prepare: Callable[[Simulation, World], object]) -> None:
        """Run long ticks, and those of mods, in a thread from now on; `prepare`: see `Ticks`."""
        self.ticks = Ticks(self._follow_tick, prepare)

    def close(self) -> None:
        """End the thread, after the tick that runs."""
        if self.ticks is not None:
            self.ticks.close()

    @property
    def runs(self) -> bool:
        """Whether a tick runs in the thread: until its end, the world that is shown is a copy."""
        return self.ticks is not None and self.ticks.runs

    def wait(self, elapsed: int) -> None:
        """Wait shortly for the end of the tick that `runs`; `elapsed`: real ns since the last frame."""
        left = abs(self.ticks.took - (time.perf_counter_ns() - self.ticks.began)) if self.ticks is not None else 0
        self._wait(NEAR if left < NEAR * 1e9 else WAIT)
        if self.runs:
            self._elapsed += elapsed

    def frame(self, elapsed: int) -> None:
        """Carry out a request, else run the ticks that are due, while none `runs`.

        Args:
            elapsed: real ns since the last frame.
        """
        timeline, clock = self._document.timeline, self._view.clock
        elapsed, self._elapsed = elapsed + self._elapsed, 0
        if not self.goes and not self.held:
            if self.backwards:
                self._back(clock.frame(elapsed, lambda: None))
            else:
                clock.frame(elapsed, self._step)
        if self._wanted is not None:
            wanted, self._wanted = self._wanted, None
            timeline.jump(*wanted)
            clock.show_present()
        if not timeline.arrived():
            timeline.dense = self._steps or self.backwards
            if self._is_long and not timeline.dense:
                self._due = True
            else:
                timeline.approach(SECONDS_OF_STEP if timeline.dense else SECONDS)
            timeline.dense = False

    def follow(self) -> None:
        """Bring the second world of Compare to the present tick; a long tick on the way there is due in the thread."""
        comparison, tick = self._document.comparison, self._document.timeline.tick
        if comparison is not None and self._is_long:
            comparison.jump(tick)
            self._due |= comparison.timeline.tick < tick
        elif comparison is not None:
            comparison.follow(tick)

    def lend(self) -> None:
        """Show copies of the worlds from now on until the end of the long tick that is due, if one is."""
        if self._due and self.ticks is not None:
            self.ticks.lend(self._hindmost)

    def begin_long_tick(self) -> None:
        """Begin the long tick that is due; called at the end of a frame's work on the world."""
        if self._due and self.ticks is not None:
            self._due = False
            self.ticks.lend(self._hindmost)  # unless `lend` did
            self.ticks.begin(is_long=True)
            self._show_passing()

    @property
    def due(self) -> bool:
        """Whether a long tick is to begin."""
        return self._due

    @property
    def _is_long(self) -> bool:
        """Whether the next tick is expected to be a long one, for a thread."""
        return self.ticks is not None and (self._view.clock.tick_ns > LONG or self.may_compile())

    @property
    def _hindmost(self) -> list[Timeline]:
        """The timelines of the shown worlds that are at the earliest tick: of both, unless one lags."""
        timelines = self._document.timelines
        earliest = min(timeline.tick for timeline in timelines)
        return [timeline for timeline in timelines if timeline.tick == earliest]

    def _wait(self, seconds: float) -> None:
        """Wait at most this long for the end of the tick that `runs`."""
        if self.ticks is not None:
            self.ticks.wait(seconds)
            if self.ticks.runs:
                self._show_passing()

    def _show_passing(self) -> None:
        """Show how far the tick of the present world is that runs."""
        ticks = self.ticks
        if ticks is not None and self._document.timeline in ticks.timelines:
            self._view.clock.during(time.perf_counter_ns() - ticks.began, ticks.took)

    def _step(self) -> bool:
        """Run or replay a tick; at the end of a loop, jump to its start. Return False if the tick goes on."""
        timeline, ticks = self._document.timeline, self.ticks
        if self.loop is not None and self.loop[0] < self.loop[1] <= timeline.tick:
            timeline.jump(self.loop[0])
            timeline.approach(SECONDS)
            self.follow()
        elif self._is_long:
            self._due = True
            return False
        elif ticks is not None and timeline.simulation.scene.loaded:
            ticks.lend(self._hindmost)
            ticks.begin(is_long=False)
            self._wait(PATIENCE)
            return not ticks.runs
        else:
            timeline.step()
            self.follow()
            self.ticked(self._document.simulation)
        return True

    def _follow_tick(self, timelines: Sequence[Timeline]) -> None:
        """Follow a tick of these timelines that has ended in the thread."""
        if self.ticks is not None:
            self._view.clock.tick_ns = self.ticks.ran
        if self._document.timeline in timelines:
            self.ticked(self._document.simulation)

    def _back(self, ticks: int) -> None:
        """Go back by some ticks; at the start of a loop, go to its end; at the start of the recording, pause."""
        timeline = self._document.timeline
        begin, end = self.loop or (0, 0)
        if ticks and begin < end and timeline.tick <= begin:
            self.go(end)
        elif ticks and timeline.tick <= timeline.recording.first:
            self.backwards, self._view.clock.paused = False, True
        else:
            self.go(timeline.tick - ticks)
