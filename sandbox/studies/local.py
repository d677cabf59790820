"""Running a study on this machine: a process for each core, each with one thread.

A worker journals its results itself. Whatever ends the process that hands out the runs ends the workers too.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager
from functools import cache
from itertools import chain
from multiprocessing import connection, parent_process
from multiprocessing.context import SpawnContext, SpawnProcess
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import ModuleType
from typing import Any

from sandbox.studies.journal import Journal, line_of
from sandbox.studies.run import died
from sandbox.studies.study import Study
from sandbox.studies.worker import Task, Worker

ONE_THREAD = {"NUMBA_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
AHEAD = 2  # runs that wait for each worker, so that none waits for work
MOST_DEATHS = 2  # of workers while they run one run alone
MOST_EARLY = 20  # before they begin


def run_local(tasks: Iterator[Task], study: Study, folder: Path, mods: tuple[Path, ...], workers: int) -> Iterator[int]:
    """Run tasks and journal their results; gives the number of each run that is done.

    When a worker dies, all begin anew, and the runs that they had are run again; those that were there twice when one
    died are run alone at the end, and fail if workers die of them again and again.

    Raises:
        OSError: a result can't be written.
        ValueError: the mods are no longer those of the study.
    """
    given = study, folder / "journals", mods
    begun: dict[int, Task] = {}
    deaths: dict[int, int] = {}
    alone: list[Task] = []
    ended = False
    while not ended:
        with _pool(workers, given) as (pool, _):
            try:
                yield from _run_in(pool, tasks, begun, AHEAD * workers)
                ended = True
            except BrokenProcessPool:
                for run in begun:
                    deaths[run] = deaths.get(run, 0) + 1
                alone += [task for run, task in begun.items() if deaths[run] == 2]
                again = [task for run, task in begun.items() if deaths[run] < 2]
                begun.clear()
                tasks = chain(again, tasks)  # which are left of those before, too
    yield from _one_by_one(alone, given)


def _one_by_one(tasks: list[Task], given: tuple[Any, ...]) -> Iterator[int]:
    deaths = early = 0
    while tasks:
        run = tasks[0][0]
        with _pool(1, given) as (pool, told):
            try:
                while tasks:
                    run = tasks[0][0]
                    pool.submit(_work_and_tell, tasks[0]).result()
                    del tasks[0]
                    deaths = early = 0
                    yield run
            except BrokenProcessPool:
                has_begun = run in iter(lambda: told.recv() if told.poll() else None, None)
                deaths, early = (deaths + 1, early) if has_begun else (deaths, early + 1)
        if early == MOST_EARLY:
            raise OSError("the processes that should run the study die before they begin")
        if deaths == MOST_DEATHS:
            del tasks[0]
            deaths = early = 0
            with closing(Journal(given[1])) as journal:
                journal.append(line_of(died(given[0], run)))
            yield run


def _run_in(pool: ProcessPoolExecutor, tasks: Iterator[Task], begun: dict[int, Task], most: int) -> Iterator[int]:
    waiting: dict[Future[None], int] = {}

    def more() -> bool:
        task = next(tasks, None)
        if task is not None:
            begun[task[0]] = task
            waiting[pool.submit(_work, task)] = task[0]
        return task is not None

    while len(waiting) < most and more():
        pass
    while waiting:
        done, _ = wait(waiting, return_when=FIRST_COMPLETED)
        for future in done:
            future.result()
            run = waiting.pop(future)
            del begun[run]
            more()
            yield run


def cores() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Process(SpawnProcess):
    """A new process with one thread. It never hears of Ctrl+C, nor runs the main file again, which may be a script."""

    @staticmethod
    def _Popen(process: BaseProcess) -> Any:  # noqa: N802 (of the standard library)
        main, environment, masks = sys.modules["__main__"], dict(os.environ), hasattr(signal, "pthread_sigmask")
        heard = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if masks else set()
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


class _Context(SpawnContext):
    Process = _Process


@contextmanager
def _pool(workers: int, given: tuple[Any, ...]) -> Iterator[tuple[ProcessPoolExecutor, connection.Connection]]:
    """Workers that end at once, whatever they are doing, when the block ends or this process dies.

    Yields:
        them, and what they tell.
    """
    context = _Context()
    end, ended = context.Pipe()
    with ended:
        pool = ProcessPoolExecutor(workers, context, _begin, (ended, given))
        try:
            yield pool, end
        finally:
            end.close()
            pool.shutdown()


_given: tuple[Any, ...]
_ended: connection.Connection


def _begin(ended: connection.Connection, given: tuple[Any, ...]) -> None:
    """The first that a worker does."""
    global _given, _ended
    _given, _ended = given, ended
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(ended,), daemon=True).start()


def _end_with(ended: connection.Connection) -> None:
    parent = parent_process()
    connection.wait([ended, *([parent.sentinel] if parent else [])])
    os._exit(0)


@cache
def _worker() -> tuple[Worker, Journal]:
    study, journals, mods = _given
    return Worker(study, mods), Journal(journals)


def _work(task: Task) -> None:
    worker, journal = _worker()
    journal.append(worker.line(*task))


def _work_and_tell(task: Task) -> None:
    """Tell which run begins: a process that dies earlier does not die of it."""
    _worker()
    _ended.send(task[0])
    _work(task)
