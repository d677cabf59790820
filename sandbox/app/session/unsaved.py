"""Whether a world was edited since it was opened or saved.

Letting time pass is no edit, nor is holding out a hand, nor are mods that come and go: no scene file would tell.
"""

from __future__ import annotations

from sandbox.edit import Beckon, Command, CommandQueue
from sandbox.mods.run.host import SwitchMod
from sandbox.simulation import Simulation


class Unsaved:
    """Follows the log of a world's commands."""

    def __init__(self, simulation: Simulation) -> None:
        self._queue = simulation.world.resource(CommandQueue)
        self.saved()

    def saved(self) -> None:
        """All that was carried out so far is on disk."""
        self._read = self._queue.count
        self._some = False

    def nothing_saved(self) -> None:
        """The world itself is nowhere on disk where a person would look for it."""
        self._some = True

    @property
    def some(self) -> bool:
        """Whether there are edits that are not on disk."""
        queue = self._queue
        if not self._some:
            unread = queue.log[max(self._read - queue.forgotten, 0) :]
            self._some = queue.forgotten > self._read or any(_edits(done.command) for done in unread)
            self._read = queue.count
        return self._some or any(_edits(asked.command) for asked in queue.waiting)


def _edits(command: Command) -> bool:
    return command.step and not isinstance(command, Beckon | SwitchMod)
