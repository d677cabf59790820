"""Running a study on this machine: a process for each core, each with one thread.

A worker journals its results itself. Whatever ends the process that hands out the runs ends the workers too.
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

from sandbox.studies.journal import Journal, line_of
from sandbox.studies.run import died
from sandbox.studies.study import Study
from sandbox.studies.worker import Task, Worker
from systems.engine.interrupts import interrupted_at_end

ONE_THREAD = {"NUMBA_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
AHEAD = 2  # runs that a worker has, so that it need not wait for work
MOST_EARLY = 20  # workers that die one after another before they begin

Given = tuple[Study, Path, tuple[Path, ...]]  # with the folder of the journals, and those of the mods


def run_local(tasks: Iterator[Task], study: Study, folder: Path, mods: tuple[Path, ...], workers: int) -> Iterator[int]:
    """Run tasks and journal their results; gives the number of each run that is done.

    A run with which its worker dies is run again, alone at the end, and fails if workers die with it twice more.

    Raises:
        OSError: a result can't be written, or workers die before they begin.
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
    """Run tasks in so many workers; gives each that is over, and whether its worker lived on."""
    workers: dict[connection.Connection, _Worker] = {}
    early = 0
    try:
        while True:
            while len(workers) < count and (task := next(tasks, None)) is not None:
                with interrupted_at_end():  # else one might be begun that nobody ends
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
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Worker:
    """A process that runs tasks, one after another.

    Attributes:
        end: of a pipe to it.
        tasks: that it has and has not done; it is at the first, if it has begun.
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
        with suppress(ConnectionError):  # it died: it will not answer either
            self.end.send(task)

    def answers(self) -> bool:
        """Wait until it has begun, has done a task, or died; whether it lives.

        Raises:
            OSError, ValueError: what went wrong there.
        """
        try:
            wrong = self.end.recv()
        except (EOFError, OSError):
            return False
        if wrong is not None:
            raise wrong
        return True

    def close(self) -> None:
        """End it at once, whatever it is doing."""
        self._process.kill()
        self._process.join()
        self.end.close()


class _Process(SpawnProcess):
    """A new process with one thread. It never hears of Ctrl+C, nor runs the main file again, which may be a script."""

    @staticmethod
    def _Popen(process: BaseProcess) -> Any:  # noqa: N802 (of the standard library)
        main, environment, masks = sys.modules["__main__"], dict(os.environ), hasattr(signal, "pthread_sigmask")
        if masks:
            resource_tracker.ensure_running()  # which unblocks the signal where it begins
            heard = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        sys.modules["__main__"] = ModuleType("__main__")
        os.environ.update(ONE_THREAD)  # numba reads it when it is imported
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
    """What a worker does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    study, journals, mods = given
    try:
        worker, journal = Worker(study, mods), Journal(journals)
        while True:
            end.send(None)
            journal.append(worker.line(*end.recv()))
    except (EOFError, ConnectionError):
        return  # whoever hands out the runs is gone
    except (OSError, ValueError) as error:
        end.send(error)


def _end_with_parent() -> None:
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(0)
