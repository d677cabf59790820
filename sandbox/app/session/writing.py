"""Writing a file in a thread, while play goes on."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import NamedTuple

from sandbox.app.messages import Message, Messages
from sandbox.app.questions import nothing

MOMENT = 0.03  # s: what takes less is waited for
LONGEST = 3600.0  # s that it is said


class _Begun(NamedTuple):
    words: str
    work: Future[str]
    then: Callable[[], object]
    failed: Callable[[], object]
    said: list[Message]  # while it goes on


class Writing:
    """Writes one thing at a time, and says how that went."""

    def __init__(self, messages: Messages) -> None:
        self._messages = messages
        self._thread = ThreadPoolExecutor(1, "writing")
        self._begun: _Begun | None = None

    @property
    def goes_on(self) -> bool:
        """Whether something is being written."""
        return self._begun is not None

    @property
    def words(self) -> str:
        """What is being done, "" where nothing is."""
        return self._begun.words if self._begun else ""

    def block(self) -> None:
        """Until what is being written is written, but say nothing of it yet; another thread may do this."""
        if self._begun is not None:
            wait([self._begun.work])

    def begin(
        self,
        words: str,
        work: Callable[[], str],
        then: Callable[[], object] = nothing,
        failed: Callable[[], object] = nothing,
    ) -> str:
        """Begin to write, once what is being written is done.

        Args:
            words: what is done, to be said if it takes longer than a moment.
            work: writes, in the thread, and returns what to say; where it can't, it raises ValueError or OSError.
            then, failed: are called when it is written, or can't be, within a frame.
        Returns:
            what is wrong, if that is known at once; else "", and it will be said.
        """
        self.wait()
        self._begun = _Begun(words, self._thread.submit(work), then, failed, [])
        wait([self._begun.work], MOMENT)
        if self._begun.work.done():
            return self._end()
        self._begun.said.append(self._messages.say(words, LONGEST))
        return ""

    def frame(self) -> None:
        """Say how it went, if that is known by now."""
        if self._begun is not None and self._begun.work.done():
            self.wait()

    def wait(self) -> str:
        """Until what is being written is written, and say how that went; returns what is wrong, or ""."""
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
