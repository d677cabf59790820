"""Runs a study on this machine: one process per core, each with one thread.

Each worker writes its own journal. If the parent process ends for any reason, the workers end too.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import closing, suppress
from itertools import chain, islice
from multiprocessing import connection, parent_process, resource_tracker
from multiprocessing.context import SpawnProcess
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import ModuleType
from typing import Any

from sandbox.extras.studies.journal import Journal, line_of
from sandbox.extras.studies.run import died
from sandbox.extras.studies.study import Study
from sandbox.extras.studies.worker import Task, Worker
from systems.engine.interrupts import interrupted_at_end

ONE_THREAD = {"NUMBA_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
AHEAD = 2  # tasks that a worker has at a time, so that it need not wait for the next one
MOST_EARLY = 20  # workers in succession that die before they have begun

Given = tuple[Study, Path, tuple[Path, ...]]  # the study, the folder of the journals, the folders of the mods


def run_local(tasks: Iterator[Task], study: Study, folder: Path, mods: tuple[Path, ...], workers: int) -> Iterator[int]:
    """Run tasks and write their results to journals; yield the number of each run that is done.

    A run whose worker dies is repeated at the end with a single worker, at most twice; after that it has failed.

    Raises:
        OSError: a result can't be written, or workers die before they have begun.
        ValueError: the mods are no longer those of the study.
    """
    given = study, folder / "journals", mods
    for count in (workers, 1, 1):
        deadly: list[Task] = []
        for task, lived in _run(tasks, given, count):
            if lived:
                yield task[0]
            else:
                deadly.append(task)
        tasks = iter(deadly)
    for run, _, _ in tasks:
        with closing(Journal(folder / "journals")) as journal:
            journal.append(line_of(died(study, run)))
        yield run


def _run(tasks: Iterator[Task], given: Given, count: int) -> Iterator[tuple[Task, bool]]:
    """Run tasks in `count` workers; yield each task that has ended, and whether its worker survived it."""
    workers: dict[connection.Connection, _Worker] = {}
    early = 0
    try:
        while True:
            while len(workers) < count and (task := next(tasks, None)) is not None:
                with interrupted_at_end():  # else an interrupt could leave a worker running
                    worker = _Worker(given)
                    workers[worker.end] = worker
                worker.give(task)
            if not workers:
                return
            for end in connection.wait([*workers]):
                worker = workers[end]  # type: ignore[index]
                lives = worker.answers()
                task = worker.tasks.popleft() if worker.has_begun else None
                if lives:
                    worker.has_begun = True
                    for more in islice(tasks, AHEAD - len(worker.tasks)):
                        worker.give(more)
                else:
                    tasks = chain(worker.tasks, tasks)
                if not lives or not worker.tasks:
                    del workers[worker.end]
                    worker.close()
                early = early + 1 if task is None and not lives else 0
                if early == MOST_EARLY:
                    raise OSError("the processes of the study end before they begin a run")
                if task is not None:
                    yield task, lives
    finally:
        for worker in workers.values():
            worker.close()


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Worker:
    """A process that runs tasks, one after another.

    Attributes:
        end: this end of a pipe to it.
        tasks: the tasks given to it that are not done; it runs the first one, if `has_begun`.
    """

    def __init__(self, given: Given) -> None:
        self.end, theirs = connection.Pipe()
        self.tasks: deque[Task] = deque()
        self.has_begun = False
        self._process = _Process(target=_work, args=(theirs, given))
        self._process.start()
        theirs.close()

    def give(self, task: Task) -> None:
        self.tasks.append(task)
        with suppress(ConnectionError):  # it died, which `answers` will report
            self.end.send(task)

    def answers(self) -> bool:
        """Wait until it has begun, done a task, or died; return whether it lives.

        Raises:
            OSError, ValueError: an error in the worker.
        """
        try:
            wrong = self.end.recv()
        except (EOFError, OSError):
            return False
        if wrong is not None:
            raise wrong
        return True

    def close(self) -> None:
        """Kill the process."""
        self._process.kill()
        self._process.join()
        self.end.close()


class _Process(SpawnProcess):
    """A spawned process with one thread. It gets no Ctrl+C, and does not run the main file, which may be a script."""

    @staticmethod
    def _Popen(process: BaseProcess) -> Any:  # noqa: N802 (of the standard library)
        main, environment, masks = sys.modules["__main__"], dict(os.environ), hasattr(signal, "pthread_sigmask")
        if masks:
            resource_tracker.ensure_running()  # before, because starting it unblocks the signal
            heard = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        sys.modules["__main__"] = ModuleType("__main__")
        os.environ.update(ONE_THREAD)  # numba reads these when it is imported
        try:
            return SpawnProcess._Popen(process)
        finally:
            sys.modules["__main__"] = main
            for name in ONE_THREAD:
                os.environ.pop(name)
            os.environ.update({name: environment[name] for name in ONE_THREAD if name in environment})
            if masks:
                signal.pthread_sigmask(signal.SIG_SETMASK, heard)


def _work(end: connection.Connection, given: Given) -> None:
    """Run the loop of a worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    study, journals, mods = given
    try:
        worker, journal = Worker(study, mods), Journal(journals)
        while True:
            end.send(None)
            journal.append(worker.line(*end.recv()))
    except (EOFError, ConnectionError):
        return  # the parent process has ended
    except (OSError, ValueError) as error:
        end.send(error)


def _end_with_parent() -> None:
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(0)
