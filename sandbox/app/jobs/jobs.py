"""The jobs of a session: begun, shown, cancelled and waited for in one place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from sandbox.app.jobs.command_job import CommandJob, Ran
from sandbox.app.jobs.job import Job, Lane, Take, ThreadJob, ignore
from sandbox.app.messages import Messages

MOMENT = 0.03  # s: a shorter job is waited for
LONG = 0.3  # s: a shorter job is not shown


class Jobs:
    """The jobs that go on; their results are taken in the main thread, by `frame`."""

    def __init__(self, messages: Messages) -> None:
        self._messages = messages
        self._lanes: dict[str, Lane] = {}  # reused, because OpenMP keeps a team for each thread
        self._running: list[Job] = []
        self._seen: list[tuple[Job, int]] = []

    def begin(
        self,
        words: str,
        work: Callable[[], Any],
        then: Take = ignore,
        failed: Callable[[str], object] | None = None,
        *,
        lane: str = "files",
        drop: Take = ignore,
        finishes: bool = False,
        loss: str = "",
        panel: str = "",
    ) -> Job:
        """Begin work in a thread; if it ends within a moment and has words, its result is taken before this returns.

        Args:
            work: returns the result; raises ValueError or OSError if it fails.
            failed: gets the error message, which is shown by default.
            lane: jobs of one lane follow each other, unless one was cancelled; the others are those of `ThreadJob`.
        """
        job = ThreadJob(
            words, then, failed or self._messages.warn, work, drop, finishes=finishes, loss=loss, panel=panel
        )
        if lane not in self._lanes:
            self._lanes[lane] = Lane(lane)
        self._lanes[lane].add(job)
        self._running.append(job)
        job.cancelled = lambda: self._leave(lane)
        if words:
            job.wait(MOMENT)
            self.frame()
        return job

    def command(
        self,
        words: str,
        command: Sequence[str],
        folder: Path,
        then: Callable[[Ran], object],
        *,
        loss: str = "",
        panel: str = "",
    ) -> CommandJob:
        """Begin a command of this program in another process: see `CommandJob`.

        Raises:
            OSError: the process can't be started.
        """
        job = CommandJob(words, command, folder, then, loss=loss, panel=panel)
        self._running.append(job)
        return job

    def frame(self) -> None:
        """Take the results of the jobs that have ended; called in every frame."""
        for job in [*self._running]:
            if job.ended and not job.over:
                self._end(job)

    def wait(self, job: Job) -> bool:
        """Wait until a job has ended, and take its result; return whether there was one."""
        if job.over:
            return True
        job.wait()
        return self._end(job)

    def cancel(self, job: Job) -> None:
        """Cancel a job: neither its result nor an error is taken."""
        if not job.over:
            self._remove(job)
            job.stop()
            if job.cancelled is not None:
                job.cancelled()

    @property
    def shown(self) -> list[Job]:
        """The jobs that a person is told of."""
        return [job for job in self._running if job.words and job.seconds > LONG]

    @property
    def finishing(self) -> Job | None:
        """The newest job that must end before the window closes, or None."""
        return next((job for job in reversed(self._running) if job.finishes), None)

    @property
    def losses(self) -> list[str]:
        """What is lost if the window closes now, a sentence for each job."""
        return [job.loss for job in self._running if job.loss]

    @property
    def news(self) -> bool:
        """Whether the next frame may show something new; after its first step, only that another is done."""
        before, self._seen = self._seen, [(job, job.done) for job in self._running]
        return self._seen != before or any(not job.done for job in self._running)

    def finish(self) -> bool:
        """Wait for the jobs that must end before the window closes; return whether one of them failed."""
        ends = [self.wait(job) for job in [*self._running] if job.finishes]
        return not all(ends)

    def close(self) -> None:
        """Cancel all jobs."""
        for job in [*self._running]:
            self.cancel(job)
        for lane in [*self._lanes]:
            self._leave(lane)

    def _leave(self, lane: str) -> None:
        """Let the next job of a lane have a new thread, because that of a cancelled one may take long to end."""
        if lane in self._lanes:
            self._lanes.pop(lane).end()

    def _end(self, job: Job) -> bool:
        """Take the result of a job; return whether there was one."""
        self._remove(job)
        wrong, result = "", None
        try:
            result = job.result()
        except (ValueError, OSError) as error:
            wrong = str(error) or type(error).__name__
        if wrong:
            job.failed(wrong)
        else:
            job.then(result)
        if job.afterwards is not None:
            job.afterwards()
        return not wrong

    def _remove(self, job: Job) -> None:
        job.over = True
        self._running.remove(job)
