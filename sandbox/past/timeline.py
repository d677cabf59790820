"""A simulation with its past: records it, replays it, and seeks any recorded tick."""

from __future__ import annotations

import time
from concurrent.futures import Future, ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from components.store.world import World
from sandbox.edit.queue import Asked, CommandQueue
from sandbox.files.state.state import Digest
from sandbox.mods.run.host import StopMod
from sandbox.past.branch import Branch
from sandbox.past.keyframe import Keyframe
from sandbox.past.recording import BUDGET, DIGEST_EVERY, Recording
from sandbox.simulation import Simulation
from sandbox.undo.history import History
from systems.engine.events import Events
from systems.engine.settings import Settings


class Timeline:
    """Records a simulation. A recorded simulation must be run by `Timeline.step`, not by its own.

    A moment is the end of a tick with all commands of that tick carried out. In the past, `step` replays the recorded
    tick; if a new command is carried out there, a new branch begins. If recorded ticks can't be replayed (other
    physics), a new recording begins with such a command, or with the first tick after the last recorded one.

    Attributes:
        simulation: may be replaced when another moment is sought, because its mods may differ.
        branch: the branch of the present moment.
        target: the tick being sought; None if it has been reached.
        dense: whether a keyframe of every tick is kept, so that stepping back is fast.
        opens_at: the tick that should be shown first; None for the beginning.
        cut: why the recording ends earlier than its file says, a sentence; empty if it does not.
        checked: the number of digests that were recomputed and compared with the recorded ones.
        differs: the first tick at which the world differed from the recorded one, and why.
    """

    def __init__(
        self,
        simulation: Simulation,
        recording: Recording | None = None,
        budget: int = BUDGET,
        branch: Branch | None = None,
        cut: str = "",
    ) -> None:
        """Record a simulation from now on, or show a recording, with the simulation at the recording's first tick.

        Args:
            branch: the branch to show, by default the first.
        """
        self.simulation = simulation
        self.recording = recording or Recording.of(simulation, budget)
        self.branch, self.cut = branch or self.recording.branches[0], cut
        self.target: int | None = None
        self.opens_at: int | None = None
        self.dense = False
        self.checked = 0
        self.differs: tuple[int, str] | None = None
        self._read = simulation.world.resource(CommandQueue).count
        self._latest = self.branch.keyframe(self.recording.first)
        self._prepared: Keyframe | None = None
        self._digests: list[tuple[Branch, int, Future[str]]] = []
        self._before: tuple[bool, NDArray[np.int64]] = False, simulation.world.population  # see `begin_step`
        self._hashing = ThreadPoolExecutor(1, "digests")
        self._replay_commands()

    @property
    def tick(self) -> int:
        return self.simulation.tick

    @property
    def in_past(self) -> bool:
        """Whether later ticks of this branch are recorded and can be shown."""
        if self.recording.runs:
            return self.tick < self.branch.last
        return self.branch.next_keyframe(self.tick) is not None

    @property
    def is_newest(self) -> bool:
        """Whether this is the last tick of its branch, without commands yet."""
        return not self.in_past and self.is_untouched

    @property
    def is_untouched(self) -> bool:
        """Whether this tick has no commands yet, so that the world equals a keyframe of it."""
        return not self.branch.commands_at(self.tick)

    def step(self) -> None:
        """Run a tick, or replay it."""
        if self.begin_step():
            self.simulation.step()
            self.end_step()

    def begin_step(self) -> bool:
        """Prepare a tick; return whether the simulation is to run it, and `end_step` to be called then."""
        self.simulation.settle_commands()
        self.take_up()
        if self.in_past and not self.recording.runs:
            self._show_next_keyframe()
            return False
        if not self.recording.runs:
            self._begin_anew()
        self._before, self._prepared = (self.in_past, self.simulation.world.population.copy()), None
        return True

    def prepare_keyframe(self, world: World) -> None:
        """Take the keyframe that `end_step` will keep, if one is due, in the thread that has run the tick.

        Args:
            world: a copy of the simulation's world after the tick.
        """
        if self._is_second(world):
            commands = self.branch.commands_before(world.tick)
            self._prepared = Keyframe.take(self.simulation, commands, self._latest, world)

    def end_step(self) -> None:
        """Record the tick that the simulation has run since `begin_step`."""
        replays, population = self._before
        self.take_up()
        if not replays or not self.in_past:
            self.branch.last = max(self.branch.last, self.tick)
        self._keep()
        if replays:
            self._replay_commands()
        else:
            self._note_kinds(population)

    def take_up(self) -> None:
        """Record commands that were carried out since the last call; in the past, they begin a new branch."""
        queue = self.simulation.world.resource(CommandQueue)
        if queue.count > self._read and not self.recording.runs:
            self._begin_anew()
        for done in queue.since(self._read):
            if done.tick < self.branch.last:
                self.branch = self.recording.leave(self.branch, done.tick)
                self.target = None
            self.branch.own.append(done)
            if isinstance(done.command, StopMod):
                self._note(f"fault of the mod {done.command.mod}")
        self._read = queue.count

    def seek(self, tick: int, branch: Branch | None = None) -> None:
        """Go to a tick of this branch or another one, by running from the last keyframe at or before it.

        Raises:
            ValueError: the tick is out of range.
        """
        self.jump(tick, branch)
        self.approach(float("inf"))

    def jump(self, tick: int, branch: Branch | None = None) -> None:
        """Begin to seek a tick: go to the last keyframe at or before it, unless the present tick is closer.

        `approach` runs the remaining ticks.

        Raises:
            ValueError: the tick is out of range.
        """
        self.simulation.join()
        self.take_up()
        branch = branch or self.branch
        if not self.recording.first <= tick <= branch.last:
            raise ValueError(f"tick {tick:,}: the recording has {self.recording.first:,} to {branch.last:,}")
        keyframe = branch.keyframe(tick)
        self.target = tick
        if branch is self.branch and keyframe.tick <= self.tick <= tick:
            return
        if branch is not self.branch:
            self.simulation.world.resource(Events).forget()
        self.branch = branch
        self.simulation = keyframe.restore(self.simulation)
        self._latest = keyframe
        self.simulation.world.resource(CommandQueue).go_back(branch.slice(0, keyframe.commands))
        self._read = keyframe.commands
        self._replay_commands()

    def approach(self, seconds: float) -> bool:
        """Run ticks towards the target for this long (s); return whether it has been reached."""
        end = time.perf_counter() + seconds
        while not self.arrived():
            self.step()
            if time.perf_counter() > end:
                break
        return self.arrived()

    def arrived(self) -> bool:
        """Return whether the target has been reached, or there is none."""
        if self.target is not None and (self.tick >= self.target or not self.recording.runs):
            self.target = None
        return self.target is None

    def settle_digests(self, wait: bool = True) -> None:
        """Store digests that are ready, or wait for all; note in `differs` one that differs from the recorded one."""
        left = []
        for branch, tick, digest in self._digests:
            if not wait and not digest.done():
                left.append((branch, tick, digest))
            elif (known := branch.digest(tick)) is None:
                branch.owner(tick).digests[tick] = digest.result()
            else:
                self.checked += 1
                if known != digest.result():
                    self._tell(tick, f"the digest is {digest.result()[:16]}..., and was {known[:16]}...")
        self._digests = left

    def note_end(self) -> None:
        """Compute the digest of the branch's last tick if it is the present one, and wait for all digests."""
        self.take_up()
        if self.is_newest and self.recording.runs:
            self.note_digest()
        self.settle_digests()

    def note_digest(self, keyframe: Keyframe | None = None) -> None:
        """Compute the digest of this moment in another thread; `keyframe`: that of this moment, if there is one."""
        digest = Digest.of(self.simulation.world, keyframe.savepoint if keyframe else None)
        self._digests.append((self.branch, self.tick, self._hashing.submit(digest.value)))

    def leave(self) -> Simulation:
        """Stop recording; return the simulation."""
        self.simulation.join()
        self._hashing.shutdown()
        return self.simulation

    def close(self) -> None:
        """Free the simulation."""
        self.leave().close()

    def _keep(self) -> None:
        """Keep a keyframe and a digest of this tick if they are due."""
        tick, branch = self.tick, self.branch
        prepared, self._prepared = self._prepared, None
        if self._is_second(self.simulation.world) or self.dense:
            if branch.keyframe(tick).tick != tick:
                commands = branch.commands_before(tick)
                if prepared is None or (prepared.tick, prepared.commands) != (tick, commands):
                    prepared = Keyframe.take(self.simulation, commands, self._latest)
                self._latest = prepared
                self.recording.keep(branch, self._latest)
            self.settle_digests(wait=False)
        if tick % DIGEST_EVERY == 0 or branch.digest(tick) is not None:
            self.note_digest(self._latest if self._latest.tick == tick else None)

    def _is_second(self, world: World) -> bool:
        return world.tick % world.resource(Settings).tick_rate == 0

    def _note_kinds(self, before: NDArray[np.int64]) -> None:
        """Mark this moment if the first entity of a prefab was born, or the last died; `before`: the counts before."""
        world = self.simulation.world
        names = [*world.prefabs]
        for index in np.flatnonzero((before == 0) != (world.population == 0)):
            self._note(f"the last {names[index]} dies" if before[index] else f"the first {names[index]} is born")

    def _note(self, words: str) -> None:
        self.recording.note(self.branch.owner(self.tick), self.tick, words)

    def _replay_commands(self) -> None:
        """Carry out the recorded commands of this tick."""
        queue = self.simulation.world.resource(CommandQueue)
        if due := self.branch.commands_at(self.tick):
            queue.waiting += [Asked(done.command, done.joins) for done in due]
            self.simulation.settle_commands()
            if queue.refused:
                self._tell(self.tick, queue.refused[0])
        self._read = queue.count

    def _begin_anew(self) -> None:
        """Replace the recording by a new one from this moment on, because recorded ticks can't be continued."""
        self.simulation.world.resource(History).forget()
        self.recording = Recording.of(self.simulation, self.recording.budget)
        self.branch, self.target, self.cut = self.recording.branches[0], None, ""
        self._latest = self.branch.keyframe(self.tick)
        self._read = self.simulation.world.resource(CommandQueue).count

    def _show_next_keyframe(self) -> None:
        if (later := self.branch.next_keyframe(self.tick)) is not None:
            self.jump(later)
        self.target = None

    def _tell(self, tick: int, why: str) -> None:
        if self.differs is None or tick < self.differs[0]:
            self.differs = tick, why
