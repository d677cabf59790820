"""Runs the runs of a study that are not done, and merges results in between."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager

import numpy as np

from sandbox.design.scene import Scene
from sandbox.extras.studies.checked import StudyError
from sandbox.extras.studies.cluster import run_on_cluster
from sandbox.extras.studies.folder import StudyFolder
from sandbox.extras.studies.local import cores, run_local
from sandbox.files import named
from sandbox.files.sessions import Lock, take

SECONDS = 5.0  # between two merges of results


@contextmanager
def alone(folder: StudyFolder, shard: tuple[int, int] = (1, 1)) -> Iterator[None]:
    """Keep other processes from running the same shard of a folder, which would do every run twice.

    Raises:
        StudyError: another process runs it; the message says how far it is.
    """
    lock: Lock | None = None
    try:
        lock = take(folder.path / f"running-{shard[0]}-{shard[1]}.lock")
    except OSError as error:
        if isinstance(error, BlockingIOError) or sys.platform == "win32":
            done = folder.runs - folder.left()
            raise StudyError(
                f"{named(folder.path)}: another process is running this study; {done:,} of {folder.runs:,} runs are "
                f"done: boids study show {named(folder.path)} shows them"
            ) from None
    try:  # without a lock where the disk has none
        yield
    finally:
        if lock is not None:
            lock.remove()


def to_do(folder: StudyFolder, shard: tuple[int, int] = (1, 1)) -> list[int]:
    """Return the runs without a result, in order; of shard (k, n) only every n-th run, from the k-th on."""
    runs = np.flatnonzero(~folder.done())
    return runs[runs % shard[1] == shard[0] - 1].tolist()  # type: ignore[no-any-return]


def run_study(
    folder: StudyFolder, runs: Iterable[int], scene: Scene, workers: int | None = None, scheduler: str | None = None
) -> Iterator[int]:
    """Run these runs; yield the number of each that is done. After an interruption, another call can continue.

    Args:
        workers: the number of processes on this machine; by default one per core.
        scheduler: the address of a Dask cluster that runs them instead.
    Raises:
        ValueError: `workers` is less than 1.
    """
    if workers is not None and workers < 1:
        raise ValueError(f"workers = {workers}: must be 1 or more")
    tasks = ((run, folder.tables.values(run), folder.tables.seed(run)) for run in runs)
    given = folder.study, folder.path, tuple(mod.folder for mod in scene.loaded)
    if scheduler is None:
        return put_together(folder, run_local(tasks, *given, workers or cores()))
    return put_together(folder, run_on_cluster(tasks, *given, scheduler))


def put_together(folder: StudyFolder, done: Iterator[int]) -> Iterator[int]:
    """Yield the number of each run that is done, and merge the results from time to time and at the end."""
    last = time.monotonic()
    try:
        with closing(done):  # type: ignore[type-var]
            for run in done:
                if time.monotonic() - last > SECONDS:
                    folder.compact()
                    last = time.monotonic()
                yield run
    finally:
        folder.compact()
