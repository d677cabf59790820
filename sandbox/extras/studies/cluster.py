"""Runs a study on a Dask cluster (https://distributed.dask.org), which handles retries, lost workers and scaling.

The study, with the text of its scene, is sent to the workers. They return lines of results, which this process writes
to a journal. A worker process runs one task at a time, on one thread.
"""

from __future__ import annotations

import logging
import pickle
import re
import threading
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing
from functools import lru_cache
from importlib import import_module
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any

from sandbox.extras.studies.extra import extra
from sandbox.extras.studies.journal import Journal, line_of
from sandbox.extras.studies.run import died
from sandbox.extras.studies.study import Study
from sandbox.extras.studies.worker import Task, Worker
from sandbox.files import as_text
from sandbox.physics import PHYSICS
from systems.engine.threads import exactly

ADDRESS = re.compile(r"(tcp|tls|wss?|ucx)://\S+:\d+")
IN_FLIGHT = 500  # tasks submitted at the same time
PATIENCE = 5.0  # s, timeout of the connection
GO_ON = "the same command goes on where it stopped"


def run_on_cluster(
    tasks: Iterator[Task], study: Study, folder: Path, mods: tuple[Path, ...], address: str
) -> Iterator[int]:
    """Run tasks and write their results to a journal; yield the number of each run that is done.

    Args:
        address: the address of a running scheduler, like tcp://host:8786.
    Raises:
        ValueError: the address is invalid, or a worker has another version of the program or other mods.
        OSError: the scheduler does not answer, or has ended; or a result can't be written.
    """
    if not ADDRESS.fullmatch(address):
        raise ValueError(f"--scheduler {address}: must be the address of a Dask scheduler: tcp://host:8786")
    with extra():
        dask: Any = import_module("distributed")
    for name in [*logging.root.manager.loggerDict]:
        if name.split(".")[0] in ("distributed", "tornado"):  # their errors are reported below, in a sentence
            logging.getLogger(name).setLevel(logging.CRITICAL)
    with ExitStack() as stack:
        journal = stack.enter_context(closing(Journal(folder / "journals")))
        try:
            client = stack.enter_context(dask.Client(address, timeout=PATIENCE, set_as_default=False))
        except OSError:
            raise OSError(f"{address}: no Dask scheduler answers there") from None
        parcel = pickle.dumps((study, mods))  # sent with each task: a result of Dask's could be lost with a worker
        completed = dask.as_completed(loop=client.loop, with_results=True, raise_errors=False)
        given: dict[str, Task] = {}
        suspects: list[Task] = []  # Dask also blames tasks that were only queued on a worker that died
        alone: set[int] = set()  # runs of suspects, which run again at the end, one at a time

        def hand_out(some: Iterable[Task]) -> None:
            for task in some:
                future = client.submit(_work, _program(), parcel, task, pure=False)
                given[future.key] = task
                completed.add(future)

        hand_out(islice(tasks, IN_FLIGHT))
        for future, result in completed:
            task = given.pop(future.key)
            run = task[0]
            ended = True
            if isinstance(result, bytes):
                journal.append(result)
            elif not (future.status == "error" and isinstance(result[1], dask.KilledWorker)):
                raise _wrong(address, future.status, result)
            elif run in alone:
                journal.append(line_of(died(study, run)))
            else:
                suspects.append(task)
                ended = False
            hand_out(islice(tasks, 1))
            if suspects and not given:
                again = suspects.pop()
                alone.add(again[0])
                hand_out([again])
            if ended:
                yield run


def _wrong(address: str, status: str, result: Any) -> Exception:
    """Return the exception for a task that gave no result."""
    error = result[1] if status == "error" else result
    if isinstance(error, UnfitError):
        return ValueError(str(error))
    if status != "error":
        return OSError(f"{address}: the Dask scheduler is gone: {GO_ON}")
    return OSError(f"{address}: a worker fails: {as_text(f'{error}'.splitlines()[0] or type(error).__name__)}")


# ---- what workers run


class UnfitError(ValueError):
    """A worker can't run a study."""


_one_at_a_time = threading.Lock()  # esper has one current world per process


def _program() -> tuple[str, int]:
    return version("boids-sandbox"), PHYSICS


def _work(program: tuple[str, int], parcel: bytes, task: Task) -> bytes:
    """Run a task on a worker of the cluster; return the line of its result."""
    from distributed import get_worker

    try:
        if program != _program():
            said, here = (f"{name}, physics {physics}" for name, physics in (program, _program()))
            raise ValueError(f"it has version {here} of the program, and this one has {said}")
        with _one_at_a_time, exactly(1):
            return _worker(parcel).line(*task)
    except ValueError as error:
        raise UnfitError(f"the Dask worker {get_worker().address} can't run this study: {error}") from None


@lru_cache(maxsize=1)
def _worker(parcel: bytes) -> Worker:
    return Worker(*pickle.loads(parcel))
