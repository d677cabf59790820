"""A job: work beside the window, with progress, a result or an error, and a way to cancel it."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import Future, wait
from dataclasses import dataclass, field
from queue import SimpleQueue
from threading import Thread
from typing import Any

from sandbox.long_work import GivenUpError, followed

Take = Callable[[Any], object]


def ignore(_: Any) -> None:
    """Ignore a result: the default of jobs that have none."""


@dataclass(eq=False)
class Job(ABC):
    """Work in a thread or another process.

    Attributes:
        words: what is done, like "saving pond.toml ..."; "": nobody needs to know.
        then, failed: get the result, or a sentence that says why there is none, in the main thread.
        finishes: whether the window stays open until it has ended, because it writes a file of the person.
        loss: a sentence that says what is lost if the window closes now; "": nothing is.
        panel: the name of the panel that shows how far it is, if that is visible; "": none does.
        done, count: how many steps are done, and how many there are; 0 while that is not known.
        begun: when it began, s of `time.monotonic`.
        over: whether it has ended and its result was taken, or it was cancelled.
        afterwards: is called after `then` or `failed`; `cancelled`: instead, if the job was cancelled.
    """

    words: str
    then: Take
    failed: Callable[[str], object]
    finishes: bool = field(default=False, kw_only=True)
    loss: str = field(default="", kw_only=True)
    panel: str = field(default="", kw_only=True)
    done: int = field(default=0, init=False)
    count: int = field(default=0, init=False)
    begun: float = field(default_factory=time.monotonic, init=False)
    over: bool = field(default=False, init=False)
    afterwards: Callable[[], object] | None = field(default=None, init=False)
    cancelled: Callable[[], object] | None = field(default=None, init=False)
    _first_step: float = field(default=0.0, init=False)  # when it was done

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
        if done:
            self._first_step = self._first_step or time.monotonic()
        self.done, self.count = done, count


@dataclass(eq=False)
class ThreadJob(Job):
    """Work in a thread.

    It is cancelled when it tells how far it is (`long_work`); a result that comes nevertheless goes to `drop`.
    """

    work: Callable[[], Any]
    drop: Take = ignore
    given_up: bool = field(default=False, init=False)
    _future: Future[Any] = field(default_factory=Future, init=False)

    def run(self) -> None:
        """Do the work, in the thread."""
        if not self._future.set_running_or_notify_cancel():
            return
        try:
            with followed(self.tell):
                result = self.work()
        except BaseException as error:
            self._future.set_exception(error)
        else:
            self._future.set_result(result)

    def tell(self, done: int, count: int) -> None:
        """Note how many steps are done.

        Raises:
            GivenUpError: the job was cancelled.
        """
        if self.given_up:
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
        self.given_up = True
        if not self._future.cancel():
            self._future.add_done_callback(self._drop_result)

    def _drop_result(self, future: Future[Any]) -> None:
        if future.exception() is None:
            self.drop(future.result())


class Lane:
    """A thread that does jobs one after another; the program can end although one of them never does."""

    def __init__(self, name: str) -> None:
        self._waiting: SimpleQueue[ThreadJob | None] = SimpleQueue()
        Thread(target=self._run, name=name, daemon=True).start()

    def _run(self) -> None:
        while (job := self._waiting.get()) is not None:
            job.run()
            del job  # its world would stay in memory until the next one

    def add(self, job: ThreadJob) -> None:
        self._waiting.put(job)

    def end(self) -> None:
        """End the thread after its last job."""
        self._waiting.put(None)
