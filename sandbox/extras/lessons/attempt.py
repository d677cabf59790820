"""An attempt at a challenge: its score, a function of the world and of what a person did in it."""

from __future__ import annotations

from collections.abc import Mapping

from sandbox.condition import Condition
from sandbox.edit import Command, CommandQueue, Done, Redo, SetHand, Spawn, Undo
from sandbox.extras.lessons.lesson import DEEDS, SECONDS, Challenge
from sandbox.record import measured
from sandbox.simulation import Simulation
from systems.engine.settings import Settings

FOUL = "Only what the challenge names may be done."
EVERY = 6  # ticks between two looks: always at the same ticks, so that equal deeds get equal scores


class Attempt:
    """Follows a simulation from its first tick on. If it goes back in time, what was done after that moment is undone.

    Attributes:
        values: what the challenge counts, when it was looked at last.
        lost: why the attempt is lost: the condition, or a sentence; None while it is not.
        score: the final score; None until the challenge ends.
    """

    def __init__(self, challenge: Challenge) -> None:
        self.challenge = challenge
        names = {challenge.score, challenge.ends.name, *(condition.name for condition in challenge.lost)}
        self._measures = sorted(names - {SECONDS, DEEDS})
        self._begin()

    def _begin(self) -> None:
        self.values: Mapping[str, float] = {}
        self.lost: Condition | str | None = None
        self.score: float | None = None
        self._tick = self._seen = 0
        self._deeds: list[Done] = []

    def look(self, simulation: Simulation) -> None:
        """Look at the world; call it after every tick."""
        queue = simulation.world.resource(CommandQueue)
        if simulation.tick < self._tick or queue.count < self._seen:
            self._begin()
        if self.lost or self.score is not None or simulation.tick % EVERY:
            return
        self._tick = simulation.tick
        for done in queue.since(self._seen):
            self._note(done)
        self._seen = queue.count
        if not all(self._may(done.command) for done in self._deeds):
            self.lost = FOUL
        seconds = simulation.tick / simulation.world.resource(Settings).tick_rate
        known = measured(simulation, self._measures)[0]
        self.values = {**known, SECONDS: seconds, DEEDS: float(sum(not done.joins for done in self._deeds))}
        for condition in self.challenge.lost:
            if condition.holds(self.values):
                self.lost = condition
        if not self.lost and self.challenge.ends.holds(self.values):
            self.score = self.values[self.challenge.score]

    def _note(self, done: Done) -> None:
        """Note a deed; one that is undone before time goes on is none."""
        if isinstance(done.command, Undo) and self._deeds and self._deeds[-1].tick == done.tick:
            while self._deeds.pop().joins:
                pass
        elif not isinstance(done.command, SetHand):
            self._deeds.append(done)

    def _may(self, command: Command) -> bool:
        if isinstance(command, Spawn):
            return command.entry.prefab in self.challenge.may_place
        return isinstance(command, SetHand | Undo | Redo)
