"""Messages to the user: shown for a while as toasts, and kept in a log."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from sandbox.files import as_text
from sandbox.language import capitalised, translate

SECONDS = 6.0  # for which a message is shown
KEPT = 500  # messages in the log
STANDING = "standing"  # the topic of what is withdrawn once time goes on


@dataclass
class Message:
    """One message.

    Attributes:
        wrong: whether it is a warning that something could not be done.
        at: when it was added, seconds since the epoch.
        left: seconds for which it is still shown.
        about: its topic, if a later message on the same topic replaces it; else "".
    """

    text: str
    wrong: bool
    at: float
    left: float
    about: str = ""

    @property
    def sentence(self) -> str:
        """The text with a capital letter."""
        return capitalised(self.text)


@dataclass
class Messages:
    """The messages of a session, the newest last."""

    log: list[Message] = field(default_factory=list)

    def say(self, text: str, seconds: float = SECONDS, about: str = "") -> Message:
        """Show a message; if it has a topic, `about`, it replaces the message shown on the same topic."""
        return self._add(text, False, seconds, about)

    def warn(self, text: str, seconds: float = 2 * SECONDS, about: str = "") -> None:
        """Show a warning that something could not be done, and why; `about` is as for `say`."""
        self._add(text, True, seconds, about)

    def withdraw(self, about: str) -> None:
        """Hide the messages on a topic."""
        for message in self.shown:
            if message.about == about:
                message.left = 0

    @property
    def shown(self) -> list[Message]:
        """The messages that are still shown, the newest last."""
        return [message for message in self.log[-8:] if message.left > 0]

    @property
    def newest(self) -> str:
        """The text of the newest message that is still shown, or ""."""
        return self.shown[-1].text if self.shown else ""

    def clear(self) -> None:
        """Clear the log."""
        self.log.clear()

    def pass_time(self, seconds: float) -> None:
        """Count down the time for which messages are still shown."""
        for message in self.log[-8:]:
            message.left -= seconds

    def _add(self, text: str, wrong: bool, seconds: float, about: str) -> Message:
        if about:
            self.withdraw(about)
        text = as_text(translate(text))  # it may contain a file name that is not valid Unicode
        if self.shown and self.log[-1].text == text:
            self.log[-1].left = seconds  # a repeated message is shown once
        else:
            self.log.append(Message(text, wrong, time.time(), seconds, about))
            del self.log[:-KEPT]
        return self.log[-1]
