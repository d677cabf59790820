"""Detects whether a world was edited since it was opened or saved.

Ticks, moving the hand, and switching mods are not edits, because a scene file would not contain them.
"""

from __future__ import annotations

from sandbox.edit import Command, CommandQueue, SetHand
from sandbox.mods.run.host import SwitchMod
from sandbox.past.branch import Branch
from sandbox.past.timeline import Timeline


class Unsaved:
    """Watches the commands on every branch of a timeline.

    Attributes:
        timeline: that of the current world.
    """

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline
        self.saved()

    def saved(self) -> None:
        """Note that all commands so far are saved."""
        self.timeline.take_up()
        self._known: dict[Branch, int] = {}  # how many of the branch's commands were checked
        self._check_new_edits()
        self._has_edits = False

    def nothing_saved(self) -> None:
        """Note that the world itself is not saved in any of the user's files."""
        self._has_edits = True

    @property
    def some(self) -> bool:
        """Whether there are unsaved edits."""
        self.timeline.take_up()
        self._has_edits = self._check_new_edits() or self._has_edits
        queue = self.timeline.simulation.world.resource(CommandQueue)
        return self._has_edits or any(_edits(asked.command) for asked in queue.waiting)

    def _check_new_edits(self) -> bool:
        """Return whether there are edits among the commands since the last call."""
        found = False
        for branch in self.timeline.recording.branches:
            known = self._known.get(branch, 0)
            found = found or any(_edits(done.command) for done in branch.own[known:])
            self._known[branch] = len(branch.own)
        return found


def _edits(command: Command) -> bool:
    return command.undoable and not isinstance(command, SetHand | SwitchMod)
