"""Writes files in a thread, in parallel to the window."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import NamedTuple

from sandbox.app.messages import Message, Messages
from sandbox.app.questions import nothing

MOMENT = 0.03  # s: a shorter write is waited for
LONGEST = 3600.0  # s: how long the message is shown at most


class _Begun(NamedTuple):
    words: str
    work: Future[str]
    then: Callable[[], object]
    failed: Callable[[], object]
    said: list[Message]  # messages shown until it ends


class Writing:
    """Writes one file at a time, and reports the result."""

    def __init__(self, messages: Messages) -> None:
        self._messages = messages
        self._thread = ThreadPoolExecutor(1, "writing")
        self._begun: _Begun | None = None

    @property
    def goes_on(self) -> bool:
        """Whether a write is in progress."""
        return self._begun is not None

    @property
    def words(self) -> str:
        """The description of the write in progress; "" if there is none."""
        return self._begun.words if self._begun else ""

    def block(self) -> None:
        """Wait until the current write has finished, without reporting the result; may be called in any thread."""
        if self._begun is not None:
            wait([self._begun.work])

    def begin(
        self,
        words: str,
        work: Callable[[], str],
        then: Callable[[], object] = nothing,
        failed: Callable[[], object] = nothing,
    ) -> str:
        """Start a write, after waiting for the current one.

        Args:
            words: description of the write, shown if it takes longer than a moment.
            work: writes in the thread, and returns a message; raises ValueError or OSError if it fails.
            then, failed: callbacks after success or failure, called in the main thread.
        Returns:
            The error message if the write fails at once; else "", and the result is reported later.
        """
        self.wait()
        self._begun = _Begun(words, self._thread.submit(work), then, failed, [])
        wait([self._begun.work], MOMENT)
        if self._begun.work.done():
            return self._end()
        self._begun.said.append(self._messages.say(words, LONGEST))
        return ""

    def frame(self) -> None:
        """Report the result if the write has finished; called in every frame."""
        if self._begun is not None and self._begun.work.done():
            self.wait()

    def wait(self) -> str:
        """Wait until the current write has finished, and report the result; return the error message, or ""."""
        if self._begun is None:
            return ""
        wait([self._begun.work])
        for message in self._begun.said:
            message.left = 0
        wrong = self._end()
        if wrong:
            self._messages.warn(wrong)
        return wrong

    def _end(self) -> str:
        assert self._begun is not None
        (_, work, then, failed, _), self._begun = self._begun, None
        try:
            self._messages.say(work.result())
        except (ValueError, OSError) as error:
            failed()
            return str(error)
        then()
        return ""
