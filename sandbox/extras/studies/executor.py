"""Runs the runs of a study on Dask (https://distributed.dask.org): in processes of this machine, or on a cluster.

A worker process runs one task at a time, on one thread. Dask repeats the tasks of workers that die, and replaces
workers of this machine.
"""

from __future__ import annotations

import logging
import os
import pickle
import re
import signal
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from importlib.util import find_spec
from itertools import chain, islice
from multiprocessing import resource_tracker
from pathlib import Path
from types import ModuleType
from typing import Any

from sandbox.extras.studies.packages import with_packages
from sandbox.extras.studies.run import Result, failed
from sandbox.extras.studies.study import Study
from sandbox.extras.studies.worker import Task, UnfitError, program_here, run_group
from sandbox.files import as_text
from systems.engine.interrupts import interrupted_at_end, interrupts_blocked

ADDRESS = re.compile(r"(tcp|tls|wss?|ucx)://\S+:\d+")
PATIENCE = 5.0  # s, timeout of the connection
DASHBOARD, NO_DASHBOARD = "127.0.0.1:8787", "127.0.0.1:0"  # it is drawn by bokeh, where that is installed
AHEAD = 3  # tasks submitted for each worker, so that none has to wait
IN_FLIGHT = 500  # tasks submitted to a cluster, whose size may change
GROUP_SECONDS, MOST_IN_GROUP = 1.0, 50  # short runs share a task, which costs Dask some 20 ms
SELDOM = {  # what Dask asks its own processes; at its usual pace, this takes 3 % of a core in each
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "5s",
    "distributed.worker.profile.enabled": False,
}
TRIALS = 5  # to start the workers of this machine
DEATHS = 2  # of workers of this machine, until Dask blames the task; a cluster has its own setting
GO_ON = "the same command goes on where it stopped"


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def results_of(
    tasks: Iterable[Task],
    study: Study,
    mods: tuple[Path, ...],
    workers: int | None = None,
    scheduler: str | None = None,
) -> Iterator[list[Result]]:
    """Run tasks; yield results as they come. Tasks are taken as workers become free.

    Dask also blames tasks that were only queued on a worker that died. Runs that are blamed are repeated at the end,
    one at a time; one that is blamed again has failed.

    Args:
        mods: the folders of the study's mods.
        workers: the number of processes on this machine; by default one per core.
        scheduler: the address of a running Dask scheduler whose workers run the tasks instead: tcp://host:8786.
    Raises:
        ValueError: the address or the number is invalid, or a worker has another version of the program or other mods.
        OSError: workers can't be started; or the scheduler does not answer, or has ended.
    """
    if scheduler is not None and not ADDRESS.fullmatch(scheduler):
        raise ValueError(f"--scheduler {scheduler}: must be the address of a Dask scheduler: tcp://host:8786")
    if workers is not None and workers < 1:
        raise ValueError(f"workers = {workers}: must be 1 or more")
    first = [*islice(tasks := iter(tasks), workers or cores())]
    tasks, workers = chain(first, tasks), len(first)
    if not first:
        return
    with with_packages():
        dask: Any = import_module("distributed")
    for name in [*logging.root.manager.loggerDict]:
        if name.split(".")[0] in ("asyncio", "distributed", "tornado"):  # their errors are reported in a sentence
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    with ExitStack() as stack:
        if scheduler is None:
            cluster: Any = stack.enter_context(_local_cluster(dask, workers))
            ahead = AHEAD * workers
        else:
            cluster, ahead = scheduler, IN_FLIGHT
        try:
            client = stack.enter_context(dask.Client(cluster, timeout=PATIENCE, set_as_default=False))
        except OSError:
            raise OSError(f"{scheduler}: no Dask scheduler answers there") from None
        where = scheduler or "this machine"
        parcel = pickle.dumps((study, mods))  # sent with each task: a result of Dask's could be lost with a worker
        completed = dask.as_completed(loop=client.loop)
        given: dict[str, list[Task]] = {}
        suspects: list[Task] = []
        alone: set[int] = set()  # runs of suspects that run again
        done, seconds = 0, 0.0

        def hand_out(group: list[Task]) -> None:
            future = client.submit(run_group, program_here(), parcel, group, pure=False)
            given[future.key] = group
            completed.add(future)

        def refill() -> None:
            size = min(max(int(GROUP_SECONDS * done / seconds), 1), MOST_IN_GROUP) if seconds else 1
            while len(given) < ahead and (group := [*islice(tasks, size)]):
                hand_out(group)

        refill()
        while given:
            results: list[Result] = []
            for future in completed.next_batch():
                group = given.pop(future.key)
                try:
                    results += future.result()  # a worker that dies with a result makes Dask run its task again
                except dask.KilledWorker:
                    if group[0][0] in alone:
                        results.append(failed(study, *group[0]))
                    else:
                        suspects += group
                except Exception as error:
                    raise _wrong(where, future.status, error) from None
            done, seconds = done + len(results), seconds + sum(result.seconds for result in results)
            refill()
            if suspects and not given:
                again = suspects.pop()
                alone.add(again[0])
                hand_out([again])
            if results:
                yield results


def _wrong(where: str, status: str, error: Exception) -> Exception:
    """Return the exception for a task that gave no result; `status`: that of its future."""
    if isinstance(error, UnfitError):
        return ValueError(str(error))
    if status != "error":
        return OSError(f"{where}: the Dask scheduler is gone: {GO_ON}")
    return OSError(f"{where}: a worker fails: {as_text(f'{error}'.splitlines()[0] or type(error).__name__)}")


@contextmanager
def _local_cluster(dask: Any, workers: int) -> Iterator[Any]:
    """Start a scheduler in this process and worker processes; they end with the block, or with this process."""
    with _main_hidden(), ExitStack() as stack:
        if sys.platform != "win32":
            resource_tracker.ensure_running()  # before, because starting it unblocks Ctrl+C
        with interrupts_blocked(), import_module("dask").config.set(SELDOM):
            cluster = _started(dask, workers)
            stack.callback(_end, cluster)
        yield cluster


def _started(dask: Any, workers: int) -> Any:
    """Return a cluster; try again if a worker dies while it begins, because Dask then gives up."""
    for trial in range(TRIALS):
        try:
            return dask.LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                memory_limit=0,
                dashboard_address=DASHBOARD if find_spec("bokeh") else NO_DASHBOARD,
                silence_logs=logging.CRITICAL + 1,
                scheduler_kwargs={"allowed_failures": DEATHS - 1},
                env={"NUMBA_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
            )
        except (RuntimeError, TimeoutError) as error:
            if trial == TRIALS - 1:
                raise OSError(f"the processes of the study can't be started: {error}") from None
    raise AssertionError


@contextmanager
def _main_hidden() -> Iterator[None]:
    """Hide the main file, which may be a script, from new processes: they would run it."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def _end(cluster: Any) -> None:
    """Kill the workers, which may be in the middle of a long run, and close the cluster."""

    async def kill() -> None:
        for nanny in cluster.workers.values():
            nanny.close_gracefully()  # so that the worker is not replaced
            if nanny.pid:
                os.kill(nanny.pid, getattr(signal, "SIGKILL", signal.SIGTERM))

    with interrupted_at_end():
        cluster.sync(kill)
        cluster.close(timeout=PATIENCE)
