"""Whether a world was edited since it was opened or saved.

Letting time pass is no edit, nor is holding out a hand, nor are mods that come and go: no scene file would tell.
"""

from __future__ import annotations

from sandbox.edit import Beckon, Command, CommandQueue
from sandbox.mods.run.host import SwitchMod
from sandbox.past.branch import Branch
from sandbox.past.timeline import Timeline


class Unsaved:
    """Follows what people do on every branch of a timeline."""

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline
        self.saved()

    def saved(self) -> None:
        """All that was carried out so far is on disk."""
        self._timeline.take_up()
        self._known: dict[Branch, int] = {}  # how many of its commands were looked at
        self._look()
        self._some = False

    def nothing_saved(self) -> None:
        """The world itself is nowhere on disk where a person would look for it."""
        self._some = True

    @property
    def some(self) -> bool:
        """Whether there are edits that are not on disk."""
        self._timeline.take_up()
        self._some = self._look() or self._some
        queue = self._timeline.simulation.world.resource(CommandQueue)
        return self._some or any(_edits(asked.command) for asked in queue.waiting)

    def _look(self) -> bool:
        """Whether there are edits that were not looked at before."""
        found = False
        for branch in self._timeline.recording.branches:
            known = self._known.get(branch, branch.inherited)
            found = found or any(_edits(done.command) for done in branch.commands[known:])
            self._known[branch] = len(branch.commands)
        return found


def _edits(command: Command) -> bool:
    return command.step and not isinstance(command, Beckon | SwitchMod)
