"""A job: work beside the window, with progress, a result or an error, and a way to cancel it."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import Executor, Future, wait
from typing import Any

from sandbox.long_work import GivenUpError, followed

Take = Callable[[Any], object]


def ignore(_: Any) -> None:
    """Ignore a result: the default of jobs that have none."""


class Job(ABC):
    """Work in a thread or another process.

    Attributes:
        words: what is done, like "saving pond.toml ..."; "": nobody needs to know.
        done, count: how many steps are done, and how many there are; 0 while that is not known.
        begun: when it began, s of `time.monotonic`.
        over: whether it has ended and its result was taken, or it was cancelled.
        then, failed: get the result, or a sentence that says why there is none, in the main thread.
        afterwards: is called after that; `cancelled`: if the job was cancelled.
        finishes: whether the window stays open until it has ended, because it writes a file of the person.
        loss: a sentence that says what is lost if the window closes now; "": nothing is.
    """

    def __init__(
        self, words: str, then: Take, failed: Callable[[str], object], *, finishes: bool = False, loss: str = ""
    ) -> None:
        self.words, self.then, self.failed, self.finishes, self.loss = words, then, failed, finishes, loss
        self.done = self.count = 0
        self.begun, self.over = time.monotonic(), False
        self.afterwards: Callable[[], object] | None = None
        self.cancelled: Callable[[], object] | None = None
        self._first_step = 0.0  # when it was done

    @property
    @abstractmethod
    def ended(self) -> bool:
        """Whether the work has ended, with or without success."""

    @abstractmethod
    def wait(self, seconds: float | None = None) -> None:
        """Wait until the work has ended, at most for so long."""

    @abstractmethod
    def result(self) -> Any:
        """Return the result of the work, which has ended.

        Raises:
            ValueError, OSError: there is none; the message says why.
        """

    @abstractmethod
    def stop(self) -> None:
        """Stop the work, or drop its result as soon as it comes."""

    @property
    def seconds(self) -> float:
        """How long it has gone on, s."""
        return time.monotonic() - self.begun

    @property
    def left(self) -> float | None:
        """The estimated remaining time, s; None while no estimate is possible."""
        if self.done < 2:
            return None
        return (time.monotonic() - self._first_step) / (self.done - 1) * (self.count - self.done)

    def tell(self, done: int, count: int) -> None:
        """Note how many steps are done; may be called in any thread."""
        self._first_step = self._first_step or time.monotonic()
        self.done, self.count = done, count


class ThreadJob(Job):
    """Work in a thread.

    It is cancelled when it tells how far it is (`long_work`); a result that comes nevertheless goes to `drop`.
    """

    def __init__(
        self,
        executor: Executor,
        words: str,
        work: Callable[[], Any],
        then: Take = ignore,
        failed: Callable[[str], object] = ignore,
        *,
        drop: Take = ignore,
        finishes: bool = False,
        loss: str = "",
    ) -> None:
        super().__init__(words, then, failed, finishes=finishes, loss=loss)
        self._drop, self._given_up = drop, False
        self._future: Future[Any] = executor.submit(self._run, work)

    def _run(self, work: Callable[[], Any]) -> Any:
        with followed(self.tell):
            return work()

    def tell(self, done: int, count: int) -> None:
        """Note how many steps are done.

        Raises:
            GivenUpError: the job was cancelled.
        """
        if self._given_up:
            raise GivenUpError
        super().tell(done, count)

    @property
    def ended(self) -> bool:
        return self._future.done()

    def wait(self, seconds: float | None = None) -> None:
        wait([self._future], seconds)

    def result(self) -> Any:
        return self._future.result()

    def stop(self) -> None:
        self._given_up = True
        if not self._future.cancel():
            self._future.add_done_callback(self._drop_result)

    def _drop_result(self, future: Future[Any]) -> None:
        if future.exception() is None:
            self._drop(future.result())
