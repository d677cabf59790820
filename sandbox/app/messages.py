"""What the program says to a person: shown for a while, and kept in a log."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from sandbox.files import as_text
from sandbox.language import capitalised, said

SECONDS = 6.0  # that a message is shown
KEPT = 500  # in the log


@dataclass
class Message:
    """One sentence.

    Attributes:
        wrong: it says that something could not be done.
        at: when it was said, seconds since the epoch.
        left: seconds for which it is still shown.
        about: what it is about, if one of the same takes its place.
    """

    text: str
    wrong: bool
    at: float
    left: float
    about: str = ""

    @property
    def sentence(self) -> str:
        """The text as people read it."""
        return capitalised(self.text)


@dataclass
class Messages:
    """All that was said, the newest last."""

    log: list[Message] = field(default_factory=list)

    def say(self, text: str, seconds: float = SECONDS, about: str = "") -> Message:
        """Tell what was done; `about`: what it is about, if it takes the place of what was said about that before."""
        if about:
            self.withdraw(about)
        message = self._add(text, False, seconds)
        message.about = about
        return message

    def warn(self, text: str, seconds: float = 2 * SECONDS) -> None:
        """Tell what could not be done, and why."""
        self._add(text, True, seconds)

    def withdraw(self, about: str) -> None:
        """Show no more what was said about something."""
        for message in self.shown:
            if message.about == about:
                message.left = 0

    @property
    def shown(self) -> list[Message]:
        """Those still to be seen, the newest last."""
        return [message for message in self.log[-8:] if message.left > 0]

    @property
    def newest(self) -> str:
        """What was said last, while it is still shown."""
        return self.shown[-1].text if self.shown else ""

    def clear(self) -> None:
        """Forget all."""
        self.log.clear()

    def pass_time(self, seconds: float) -> None:
        """Let messages grow old."""
        for message in self.log[-8:]:
            message.left -= seconds

    def _add(self, text: str, wrong: bool, seconds: float) -> Message:
        text = as_text(said(text))  # it may name any file
        if self.shown and self.log[-1].text == text:
            self.log[-1].left = seconds  # said again: once is enough to read
        else:
            self.log.append(Message(text, wrong, time.time(), seconds))
            del self.log[:-KEPT]
        return self.log[-1]
