"""Running a study on this machine: a process for each core, each with one thread."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.context import SpawnContext, SpawnProcess
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import ModuleType
from typing import Any

from sandbox.studies.journal import Journal
from sandbox.studies.run import Result, run_one
from sandbox.studies.study import Value

ONE_THREAD = {"NUMBA_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
AHEAD = 2  # runs that wait for each worker, so that none waits for work
MOST_DEATHS = 3  # of workers with one run

Task = tuple[int, dict[str, Value], int]  # run, values, seed


def run_local(tasks: Iterator[Task], folder: Path, mods: tuple[Path, ...], workers: int) -> Iterator[int]:
    """Run tasks and journal their results; gives the number of each run that is done.

    A worker that dies is replaced, and the runs that it had are run again; a run with which workers die again and
    again fails.
    """
    begun: dict[int, Task] = {}
    deaths: dict[int, int] = {}
    ours = Journal(folder / "journals")
    while True:
        try:
            with _pool(workers, folder, mods) as pool:
                yield from _run_in(pool, tasks, begun, workers if not deaths else 1)
            ours.close()
            return
        except BrokenProcessPool:
            for run in begun:
                deaths[run] = deaths.get(run, 0) + 1
            for run in [run for run in begun if deaths[run] >= MOST_DEATHS]:
                ours.append(Result(run, "", 0, "failed", "the program died with it", 0.0, (), {}))
                del begun[run]
                yield run


def _run_in(pool: ProcessPoolExecutor, tasks: Iterator[Task], begun: dict[int, Task], workers: int) -> Iterator[int]:
    again = list(begun.values())
    waiting: dict[Future[None], int] = {}

    def more() -> bool:
        task = again.pop(0) if again else next(tasks, None)
        if task is not None:
            begun[task[0]] = task
            waiting[pool.submit(_work, *task)] = task[0]
        return task is not None

    while len(waiting) < AHEAD * workers and more():
        pass
    while waiting:
        done, _ = wait(waiting, return_when=FIRST_COMPLETED)
        for future in done:
            run = waiting.pop(future)
            future.result()
            del begun[run]
            more()
            yield run


def cores() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Process(SpawnProcess):
    """A new process with one thread; it does not run the main file again, which may be anyone's script."""

    @staticmethod
    def _Popen(process: BaseProcess) -> Any:  # noqa: N802 (of the standard library)
        main, environment = sys.modules["__main__"], dict(os.environ)
        sys.modules["__main__"] = ModuleType("__main__")
        os.environ.update(ONE_THREAD)  # numba reads it when it is imported
        try:
            return SpawnProcess._Popen(process)
        finally:
            sys.modules["__main__"] = main
            for name in ONE_THREAD:
                os.environ.pop(name)
            os.environ.update({name: environment[name] for name in ONE_THREAD if name in environment})


class _Context(SpawnContext):
    Process = _Process


def _pool(workers: int, folder: Path, mods: tuple[Path, ...]) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(workers, _Context(), _begin, (folder, mods))


class Worker:
    """What a process of a worker keeps for all of its runs."""

    def __init__(self, folder: Path, mods: tuple[Path, ...]) -> None:
        from sandbox.mods.load.library import own_library
        from sandbox.studies.read_study import read_study

        self._study, self._scene = read_study(folder / "study.toml", own_library(mods))
        self._journal = Journal(folder / "journals")

    def run(self, run: int, values: dict[str, Value], seed: int) -> None:
        """Run it and journal its result."""
        self._journal.append(run_one(self._study, self._scene, run, values, seed))


_worker: Worker


def _begin(folder: Path, mods: tuple[Path, ...]) -> None:
    """The first that a worker does."""
    global _worker
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the process that hands out the runs
    _worker = Worker(folder, mods)


def _work(run: int, values: dict[str, Value], seed: int) -> None:
    _worker.run(run, values, seed)
