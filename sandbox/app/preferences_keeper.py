"""Writes the preferences to the settings file soon after a change, and when the window closes."""

from __future__ import annotations

from copy import deepcopy

from sandbox.app.messages import Messages
from sandbox.app.preferences import Preferences, write_preferences
from sandbox.language import translate

REST = 1.0  # s without a change until they are written, so that dragging a slider causes one write


class Keeper:
    """Compares the preferences with those that were written last."""

    def __init__(self, preferences: Preferences) -> None:
        """Watch `preferences`, which are at first the same as in the file."""
        self._preferences = preferences
        self._written = deepcopy(preferences)
        self._seen = self._written
        self._rested = 0.0

    def pass_time(self, seconds: float, messages: Messages) -> None:
        """Write the preferences if they changed a while ago; if that fails, warn once."""
        if self._preferences != self._seen:
            self._seen, self._rested = deepcopy(self._preferences), 0.0
        elif self._seen is not self._written:
            self._rested += seconds
            if self._rested >= REST:
                self.write(messages)

    def write(self, messages: Messages) -> None:
        """Write the preferences now if they changed."""
        if self._preferences == self._written:
            self._seen = self._written
            return
        self._seen = self._written = deepcopy(self._preferences)  # also if writing fails: retry after the next change
        try:
            write_preferences(self._preferences)
        except OSError as error:
            messages.warn(translate("the settings can't be saved: {error}", error=error))
